/** The rows of options over a view of our own chains: answers, and everything that is refused. */
import t, { type Test } from 'tap';
import type { OptionRow } from '../../../actors/topics/index.ts';
import { byStrike, inBase } from '../../../http/routes/options/common.ts';
import { optionsRoutes } from '../../../http/routes/options/index.ts';
import { OptionsView } from '../../../http/views/options.ts';
import { RecordedView } from '../../../http/views/recorded.ts';
import { greeksOf } from '../../../indicators/options/black76.ts';
import { day, now, optionRow } from '../../indicators/options/rows.ts';
import { call, startServer } from '../../support/http.ts';

const minute = 60_000;
const lists = new Map([
  ['deribit', ['BTC', 'USDC']],
  ['okx', ['BTC']],
]);

/** The expiry of most options, and its day. */
const expiry = now + 30 * day;
const date = '2025-07-15';

const greeks = { delta: 0.6, gamma: 0.01, theta: -2, vega: 3 };
const chains: readonly (readonly [string, string, OptionRow[]])[] = [
  [
    'deribit',
    'BTC',
    [
      optionRow({ strike: 90, open_interest: 4, volume: 2, premium: 9, mark: 12, bid: 11 }),
      optionRow({ type: 'put', strike: 110, open_interest: 6, iv: 0.6, underlying: 101 }),
      optionRow({ expiry: now + day / 2, open_interest: 0, iv: null, underlying: 99 }),
    ],
  ],
  [
    'deribit',
    'USDC',
    [
      optionRow({ settle: 'USDC', market: 'BTC_USDC-1', open_interest: 1 }),
      optionRow({ symbol: 'SOL', settle: 'USDC', underlying: 20, strike: 20 }),
    ],
  ],
  ['okx', 'BTC', [optionRow({ type: 'put', strike: 90, open_interest: 5, ...greeks })]],
];

/** Two days before this one are recorded, of three series. */
const yesterday = Math.floor(now / day) * day - day;
const recorded = new RecordedView();
for (const question of recorded.questions()) {
  const { params, accept } = question(now);
  if (params.series !== 'options-open-interest') continue;
  const at = [yesterday - day, yesterday].map((time) => params.times.indexOf(time));
  const days = (of: (number | null)[]) =>
    params.times.map((_, i) => (at.includes(i) ? (of[at.indexOf(i)] ?? null) : null));
  const series = { 'deribit/BTC': [null, 3], 'deribit/SOL': [null, 2], 'okx/BTC': [7, 7] };
  const rows = Object.values(series).map(days);
  const usd = params.times.map((_, i) => rows.map((row) => row[i] ?? null));
  const head = { series: params.series, times: params.times, recorded_from: 0 };
  accept({ ...head, keys: Object.keys(series), columns: { usd } }, now);
}

async function setUp(t: Test, given = chains) {
  const options = new OptionsView(lists);
  const accept = ([source, part, rows]: readonly [string, string, OptionRow[]], received: number) =>
    options.accept({ source, part, asked: received, received, rows }, received);
  for (const chain of given) accept(chain, now);
  const exchanges = { orderBook: [], candles: [], loans: [], options: [...lists.keys()] };
  const server = await startServer(optionsRoutes({ options, recorded, exchanges }));
  t.teardown(server.end);
  return {
    options,
    accept,
    async get(path: string) {
      const { status, text } = await call(`${server.url}/v1/options/${path}`);
      return { ...JSON.parse(text), status };
    },
  };
}

t.test('info: expiries, and the options of one', async (t) => {
  const { get } = await setUp(t);
  const { data } = await get('info?symbol=btc');
  t.match(data, {
    ...{ symbol: 'BTC', underlying_price: 99, exchanges: ['deribit', 'okx'] },
    ...{ failed_exchanges: [], updated_at: now, put_call_ratio: 11 / 5 },
    total_open_interest_usd: 400 + 606 + 100 + 500,
  });
  t.notOk('options' in data || 'stale' in data);
  t.match(data.expiries, [
    { expiry: now + day / 2, days_to_expiry: 0.5, atm_iv: null, put_call_ratio: null },
    {
      ...{ expiry, date, days_to_expiry: 30, instrument_count: 4, open_interest_base: 16 },
      ...{ call_oi_base: 5, put_oi_base: 11, put_call_ratio: 2.2, volume_24h_usd: 200 },
      ...{ forward_price: 100, atm_iv: 0.5, strikes: [90, 100, 110] },
    },
  ]);
  const one = await get(`info?expiry=${date}`);
  t.match(one.data.options, [
    {
      ...{ exchange: 'deribit', instrument: `BTC-${expiry}-90-call`, strike: 90, type: 'call' },
      ...{ symbol: 'BTC', settlement_currency: 'BTC', open_interest_base: 4 },
      ...{ open_interest_usd: 400, volume_24h_base: 2, volume_24h_usd: 200, premium_24h_usd: 9 },
      ...{ mark_price_usd: 12, bid_price_usd: 11, ask_price_usd: null, mark_price_base: 0.12 },
      ...{ bid_price_base: 0.11, ask_price_base: null, implied_volatility: 0.5, bid_iv: null },
      underlying_price: 100,
    },
    { exchange: 'okx', strike: 90, type: 'put' },
    { strike: 100, settlement_currency: 'USDC' },
    { strike: 110 },
  ]);
  const okx = (await get('info?exchange=okx')).data;
  t.match(okx, { exchanges: ['deribit', 'okx'], expiries: [{ instrument_count: 1 }] });
});

t.test('options are in the order of strike, type, exchange and id', async (t) => {
  const order = [
    ['b', 'y', 90, 'call'],
    ['a', 'w', 90, 'put'],
    ['a', 'x', 90, 'put'],
    ['b', 'v', 90, 'put'],
    ['a', 'u', 100, 'call'],
  ] as const;
  const all = order.map(([exchange, market, strike, type]) => ({
    ...optionRow({ market, strike, type }),
    exchange,
  }));
  t.same([3, 4, 1, 0, 2].flatMap((at) => all[at] ?? []).sort(byStrike), all);
  const option = optionRow({ underlying: 50 });
  t.same([inBase(5, option), inBase(null, option)], [0.1, null]);
});

t.test('max pain over both exchanges, and over one', async (t) => {
  const { get } = await setUp(t);
  const { data } = await get('max-pain');
  t.match(data.expiries, [
    { max_pain_price: null, pain_at_max_pain_usd: null, distance_percent: null },
    {
      // At 90: 6 x 20; at 100: 4 x 10 + 6 x 10; at 110: 4 x 20 + 1 x 10.
      ...{ date, max_pain_price: 110, pain_at_max_pain_usd: 90, open_interest_usd: 1606 },
      ...{ call_oi_base: 5, put_oi_base: 11, exchanges: ['deribit', 'okx'] },
      distance_percent: 11.1111111111,
    },
  ]);
  const okx = await get('max-pain?exchange=okx');
  t.match(okx.data.expiries, [{ max_pain_price: 90, pain_at_max_pain_usd: 0, exchanges: ['okx'] }]);
});

t.test(
  'open interest by exchange and asset, what settles in coins and in USDC apart',
  async (t) => {
    const { get } = await setUp(t);
    const { data } = await get('exchange-oi');
    t.match(data, { total_open_interest_usd: 1626, exchanges: ['deribit', 'okx'] });
    t.match(data.items, [
      {
        ...{ exchange: 'deribit', symbol: 'BTC', open_interest_base: 11, open_interest_usd: 1106 },
        ...{ call_oi_base: 5, put_oi_base: 6, put_call_oi_ratio: 1.2, volume_24h_base: 2 },
        ...{ volume_24h_usd: 200, instrument_count: 4 },
        settlements: [
          { settlement_currency: 'BTC', instrument_count: 3, open_interest_usd: 1006 },
          { settlement_currency: 'USDC', instrument_count: 1, open_interest_base: 1 },
        ],
      },
      { exchange: 'okx', symbol: 'BTC', volume_24h_usd: null, put_call_oi_ratio: null },
      { exchange: 'deribit', symbol: 'SOL', open_interest_usd: 20 },
    ]);
    const shares = data.items.reduce((sum: number, { share }: { share: number }) => sum + share, 0);
    t.ok(Math.abs(shares - 1) < 1e-9);
    t.match(data.history, [
      { timestamp: yesterday - day, exchanges: { okx: 7 }, closed: true },
      {
        ...{ timestamp: yesterday, total_open_interest_usd: 12 },
        exchanges: { deribit: 5, okx: 7 },
      },
      {
        ...{ timestamp: yesterday + day, total_open_interest_usd: 1626, closed: false },
        exchanges: { deribit: 1126, okx: 500 },
      },
    ]);
    const sol = (await get('exchange-oi?symbol=sol')).data;
    t.match(sol, { total_open_interest_usd: 20, items: [{ symbol: 'SOL', share: 1 }] });
    t.match(sol.history, [{ exchanges: { deribit: 2 } }, { exchanges: { deribit: 20 } }]);
  },
);

t.test('greeks: as published, else computed; of the expiry a day away at least', async (t) => {
  const { get } = await setUp(t);
  const { data } = await get('greeks');
  t.match(data, { expiry, date, days_to_expiry: 30, count: 4 });
  const [call, put] = data.items;
  const computed = greeksOf({
    ...{ type: 'call', strike: 90, forward: 100, volatility: 0.5, years: 30 / 365 },
  });
  t.match(call, { strike: 90, type: 'call', source: 'computed', mark_price_usd: 12 });
  t.ok(Math.abs(call.delta - (computed?.delta ?? 0)) < 1e-11);
  t.match(put, { ...greeks, exchange: 'okx', source: 'published', open_interest_base: 5 });
  t.type(put.rho, 'number', 'computed for every exchange');
  const few = await get(`greeks?type=PUT&limit=1&expiry=${date}`);
  t.match(few.data, { count: 1, items: [{ exchange: 'okx', type: 'put' }] });
  const soon = await get('greeks?expiry=2025-06-16');
  t.match(soon.data.items, [{ delta: null, rho: null, implied_volatility: null }]);
  t.match((await get('greeks?symbol=SOL')).data, { count: 1 });
});

t.test('the nearest expiry where none is a day away', async (t) => {
  const { get } = await setUp(t, [['okx', 'BTC', [optionRow({ expiry: now + day - 1 })]]]);
  t.match((await get('greeks')).data, { count: 1, items: [{ expiry: now + day - 1 }] });
});

t.test('the surface: smiles, skew, and the volatility between two expiries', async (t) => {
  const smile = (at: number, base: number) =>
    Array.from({ length: 31 }, (_, i) => i + 85).flatMap((strike) =>
      (['call', 'put'] as const).map((type) =>
        optionRow({ strike, type, expiry: now + at * day, iv: base - (strike - 100) / 500 }),
      ),
    );
  const { get } = await setUp(t, [['okx', 'BTC', [...smile(10, 0.4), ...smile(40, 0.5)]]]);
  const { data } = await get('surface');
  const [near, far] = data.expiries;
  t.match(near, { atm_iv: 0.4, forward_iv: null, forward_price: 100 });
  t.ok(near.skew_25d > 0 && near.put_25d_iv > 0.4 && near.call_25d_iv < 0.4, 'puts cost more');
  t.ok(Math.abs(near.skew_25d - (near.put_25d_iv - near.call_25d_iv)) < 1e-9);
  t.ok(Math.abs(far.forward_iv - Math.sqrt((0.25 * 40 - 0.16 * 10) / 30)) < 1e-9);
  t.match(near.points[0], { strike: 85, iv: 0.43, call_iv: 0.43, put_iv: 0.43 });
  t.equal(near.points[0].moneyness, Number(Math.log(0.85).toPrecision(12)));
  const none = (await (await setUp(t)).get('surface')).data.expiries;
  t.match(none[0], { atm_iv: null, points: [], skew_25d: null });
  t.equal(none[1].forward_iv, null, 'not from an expiry without one');
});

t.test('gamma exposure: by strike, by expiry, and where it turns', async (t) => {
  const { get } = await setUp(t);
  const { data } = await get('gamma-exposure');
  type Row = { net_usd: number; calls_usd: number; puts_usd: number };
  const sum = (rows: Row[]) => rows.reduce((total, { net_usd }) => total + net_usd, 0);
  t.ok(data.calls_usd > 0 && data.puts_usd < 0);
  for (const rows of [data.strikes, data.expiries, [data]]) {
    t.ok(Math.abs(sum(rows) - (data.calls_usd + data.puts_usd)) < 1e-6);
  }
  t.same(
    data.strikes.map(({ strike }: { strike: number }) => strike),
    [90, 100, 110],
  );
  const one = (await get(`gamma-exposure?expiry=${date}`)).data;
  t.match(one, { net_usd: data.net_usd, expiries: [{ date }] });
  t.equal(one.expiries.length, 1);
  t.equal((await get('gamma-exposure?symbol=SOL')).data.flip_price, null);
});

t.test('every refusal', async (t) => {
  const { get } = await setUp(t);
  const paths = ['info', 'max-pain', 'greeks', 'surface', 'gamma-exposure'];
  const one = (name: string) => paths.map((path) => `${path}?${name}`);
  const cases: [paths: string[], status: number, message: RegExp][] = [
    [[...one('symbol=nosuch'), 'exchange-oi?symbol=nosuch'], 404, /'NOSUCH': no exchange has/],
    [one('symbol=SOL&exchange=okx'), 404, /'SOL': okx has no options on it/],
    [[...one('symbol=%24%24'), 'exchange-oi?symbol=%24'], 400, /symbol must be 1 to 32/],
    [one('exchange=binance'), 400, /exchange must be one of deribit, okx/],
    [
      ['info', 'greeks', 'gamma-exposure'].map((path) => `${path}?expiry=1999-01-01`),
      400,
      /expiry must be one of 2025-06-16, 2025-07-15/,
    ],
    [['info?expiry=july', 'greeks?expiry=2025-7-1'], 400, /expiry must be 1 to 10 characters/],
    [['greeks?type=both'], 400, /type must be one of call, put/],
    [['greeks?limit=0', 'greeks?limit=1001', 'greeks?limit=x'], 400, /from 1 to 1000/],
  ];
  for (const [asked, status, message] of cases) {
    for (const path of asked) t.match(await get(path), { status, message }, path);
  }
});

t.test('no chain yet: 502', async (t) => {
  const { get } = await setUp(t, []);
  for (const path of ['info', 'max-pain', 'exchange-oi', 'greeks', 'surface', 'gamma-exposure']) {
    t.match(await get(path), { status: 502, message: /no option chain has been received/ }, path);
  }
});

t.test('an exchange that is away is named, not fatal', async (t) => {
  const [first, , third] = chains;
  const { get, options, accept } = await setUp(t, first ? [first] : []);
  t.match((await get('info')).data, { exchanges: ['deribit'], failed_exchanges: ['okx'] });
  t.match((await get('exchange-oi')).data, { failed_exchanges: ['deribit', 'okx'] });
  t.match(await get('info?exchange=okx'), { status: 502 }, 'the one that is away alone');
  t.match(await get('info?symbol=SOL'), { status: 404 }, 'no list is named after it');
  if (third) accept(third, now);
  t.match((await get('info')).data.failed_exchanges, []);
  const later = now + 3 * minute + 1;
  if (first) accept(first, later);
  t.match((await get('info')).data, { exchanges: ['deribit'], failed_exchanges: ['okx'] });
  const alone = (await get('info?exchange=okx')).data;
  t.match(alone, { stale: true, exchanges: ['deribit', 'okx'], failed_exchanges: ['okx'] });
  options.expire(now + 10 * minute);
  const last = (await get('info')).data;
  t.match(last, { stale: true, updated_at: later, failed_exchanges: ['deribit', 'okx'] });
  options.expire(later + 10 * minute + 1);
  t.match(await get('info'), { status: 502 }, 'too old');
});

t.test('an older reading is ignored, an expired option leaves', async (t) => {
  const { get, options, accept } = await setUp(t);
  accept(['okx', 'BTC', []], now - 1);
  t.match((await get('max-pain?exchange=okx')).data.expiries, [{ put_oi_base: 5 }]);
  for (const [source, part, rows] of chains) accept([source, part, rows], now + day / 2 - 1);
  t.equal((await get('info')).data.expiries.length, 2);
  options.expire(now + day / 2);
  t.equal((await get('info')).data.expiries.length, 1);
});

t.test('without an exchange that has options there are no rows', async (t) => {
  const exchanges = { orderBook: [], candles: [], loans: [] };
  t.same(optionsRoutes({ options: new OptionsView(new Map()), recorded, exchanges }), []);
});

t.test('the questions to the history', async (t) => {
  const at = 1_700_000_000_000;
  const asked = new RecordedView().questions().map((question) => {
    const { times, ...params } = question(at).params;
    const [first, second, last] = [times[0], times[1], times.at(-1)];
    return [params, times.length, ...[first, second, last].map((time = at) => (at - time) / 1_000)];
  });
  t.same(asked, [
    [{ series: 'price', step: '1m', carry: 2 }, 2, 80, 3_680, 3_680],
    [{ series: 'open-interest', step: '5m', carry: 3 }, 3, 500, 4_100, 86_900],
    [{ series: 'taker-flow', step: '1h', prefix: 'binance/spot/' }, 24, 4_400, 8_000, 87_200],
    [{ series: 'account-ratio', step: '5m', carry: 6, prefix: 'binance/' }, 1, 500, 0, 500],
    [{ series: 'options-open-interest', step: '1d' }, 30, 2_672_000, 2_585_600, 166_400],
  ]);
});
