/** The rows of options over a view of our own chains: answers by hand, and everything that is refused. */
import t from 'tap';
import type { OptionRow } from '../../../actors/topics/index.ts';
import { byStrike, inBase } from '../../../http/routes/options/common.ts';
import { optionsRoutes } from '../../../http/routes/options/index.ts';
import { OptionTradesView } from '../../../http/views/option-trades.ts';
import { OptionsView } from '../../../http/views/options.ts';
import { RecordedView } from '../../../http/views/recorded-values.ts';
import { day, now, optionRow } from '../../indicators/options/rows.ts';
import { rowReader } from '../../support/row-reader.ts';
import { sameRows, table } from '../../support/table.ts';

const minute = 60_000;
const lists = new Map([
  ['deribit', ['BTC', 'USDC']],
  ['okx', ['BTC']],
]);

/** The day of expiry of most options: 30 days from now. */
const date = '2025-07-15';
const expiry = now + 30 * day;

/** A call of every field, whose numbers all differ. */
const call = optionRow({
  strike: 90,
  open_interest: 4,
  volume: 2,
  premium: 9,
  mark: 12,
  bid: 11,
  ask: 13,
  iv: 0.5,
  bid_iv: 0.45,
  ask_iv: 0.55,
});
const put = optionRow({ type: 'put', strike: 110, open_interest: 6, iv: 0.6, underlying: 102 });
const soon = optionRow({ expiry: now + day / 2, open_interest: 0, iv: null, underlying: 99 });
const published = optionRow({
  type: 'put',
  strike: 90,
  open_interest: 5,
  delta: -0.3,
  gamma: 0.01,
  theta: -2,
  vega: 3,
});
const chains: readonly (readonly [string, string, OptionRow[]])[] = [
  ['deribit', 'BTC', [call, put, soon]],
  [
    'deribit',
    'USDC',
    [
      optionRow({ settle: 'USDC', market: 'BTC_USDC-1', open_interest: 1 }),
      optionRow({ symbol: 'SOL', settle: 'USDC', underlying: 20, strike: 20 }),
    ],
  ],
  ['okx', 'BTC', [published]],
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
  const series = { 'deribit/BTC': [null, 3], 'deribit/SOL': [null, 2], 'okx/BTC': [7, 8] };
  const rows = Object.values(series).map(days);
  const usd = params.times.map((_, i) => rows.map((row) => row[i] ?? null));
  const head = { series: params.series, times: params.times, recorded_from: 0 };
  accept({ ...head, keys: Object.keys(series), columns: { usd } }, now);
}

function setUp(given = chains) {
  const options = new OptionsView(lists);
  const accept = ([source, part, rows]: readonly [string, string, OptionRow[]], received: number) =>
    options.accept({ source, part, asked: received, received, rows }, received);
  for (const chain of given) accept(chain, now);
  const exchanges = { orderBook: [], candles: [], loans: [], options: [...lists.keys()] };
  const optionTrades = new OptionTradesView(new Map(), now);
  const read = rowReader(optionsRoutes({ options, optionTrades, recorded, exchanges }));
  return { accept, get: (path: string) => read(`/v1/options/${path}`) };
}

const origin = { exchanges: ['deribit', 'okx'], failed_exchanges: [], updated_at: now };

t.test('the options of an asset by expiry, with every option of one day', async (t) => {
  const { get } = setUp();
  const data = await get(`info?symbol=btc&expiry=${date}`);
  // The head has the forward of the nearest expiry.
  t.match(data, { symbol: 'BTC', underlying_price: 99, ...origin });
  // 4 x 100 + 6 x 102 + 1 x 100 + 5 x 100 dollars.
  t.match(data, { total_open_interest_usd: 1_612, put_call_ratio: 2.2 });
  t.match(data.expiries[0], { days_to_expiry: 0.5, date: '2025-06-16', put_call_ratio: null });
  t.strictSame(data.expiries[1], {
    expiry,
    date,
    days_to_expiry: 30,
    instrument_count: 4,
    open_interest_base: 16,
    open_interest_usd: 1_612,
    call_oi_base: 5,
    put_oi_base: 11,
    put_call_ratio: 2.2,
    volume_24h_usd: 200,
    forward_price: 100,
    atm_iv: 0.5,
    strikes: [90, 100, 110],
  });
  sameRows(t, data.options[0])`
    exchange instrument     expiry    strike type settlement_currency symbol open_interest_base
    deribit  ${call.market} ${expiry} 90     call BTC                 BTC    4

    open_interest_usd volume_24h_base volume_24h_usd premium_24h_usd mark_price_usd bid_price_usd
    400               2               200            9               12             11

    ask_price_usd mark_price_base bid_price_base ask_price_base implied_volatility bid_iv ask_iv
    13            0.12            0.11           0.13           0.5                0.45   0.55

    underlying_price
    100
  `;
  const strikes = data.options.map(({ strike, type }: OptionRow) => `${strike} ${type}`);
  t.strictSame(strikes, ['90 call', '90 put', '100 call', '110 put']);
  const one = await get('info?exchange=okx');
  t.match(one, {
    total_open_interest_usd: 500,
    put_call_ratio: null,
    expiries: [{ call_oi_base: 0 }],
  });
  t.notOk('options' in one);
});

t.test('max pain: the strike at which the holders get least', async (t) => {
  const { expiries, ...head } = await setUp().get('max-pain');
  t.match(head, { symbol: 'BTC', underlying_price: 99 });
  t.match(expiries[0], {
    max_pain_price: null,
    pain_at_max_pain_usd: null,
    distance_percent: null,
  });
  // At 90: 6 x 20 of puts. At 100: 4 x 10 of calls and 6 x 10. At 110: 4 x 20 and 1 x 10 of calls.
  t.strictSame(expiries[1], {
    expiry,
    date,
    days_to_expiry: 30,
    max_pain_price: 110,
    pain_at_max_pain_usd: 90,
    distance_percent: 11.1111111111,
    call_oi_base: 5,
    put_oi_base: 11,
    put_call_ratio: 2.2,
    open_interest_usd: 1_612,
    exchanges: ['deribit', 'okx'],
  });
});

t.test('open interest by exchange and asset, and of the days before', async (t) => {
  const { get } = setUp();
  const { items, history, ...head } = await get('exchange-oi');
  t.strictSame(head, { ...origin, total_open_interest_usd: 1_632 });
  t.strictSame(items[0], {
    exchange: 'deribit',
    symbol: 'BTC',
    open_interest_base: 11,
    open_interest_usd: 1_112,
    call_oi_base: 5,
    put_oi_base: 6,
    put_call_oi_ratio: 1.2,
    volume_24h_base: 2,
    volume_24h_usd: 200,
    instrument_count: 4,
    // 1,112 of 1,632
    share: 0.68137254902,
    settlements: table`
      settlement_currency instrument_count open_interest_base open_interest_usd
      BTC                 3                10                 1_012
      USDC                1                1                  100
    `,
  });
  t.match(items.slice(1), [
    { exchange: 'okx', symbol: 'BTC', put_call_oi_ratio: null, volume_24h_usd: null },
    { exchange: 'deribit', symbol: 'SOL', open_interest_usd: 20, put_call_oi_ratio: 0 },
  ]);
  const point = (timestamp: number, total: number, exchanges: object, closed = true) => ({
    timestamp,
    total_open_interest_usd: total,
    exchanges,
    closed,
  });
  t.strictSame(history, [
    point(yesterday - day, 7, { okx: 7 }),
    point(yesterday, 13, { deribit: 5, okx: 8 }),
    point(yesterday + day, 1_632, { deribit: 1_132, okx: 500 }, false),
  ]);
  t.match(await get('exchange-oi?symbol=sol'), {
    total_open_interest_usd: 20,
    items: [{ share: 1 }],
    history: [{ exchanges: { deribit: 2 } }, { exchanges: { deribit: 20 } }],
  });
});

const density = (x: number) => Math.exp(-(x * x) / 2) / Math.sqrt(2 * Math.PI);
const moneyness = (strike: number, iv: number, years: number, forward = 100) =>
  (Math.log(forward / strike) + (iv * iv * years) / 2) / (iv * Math.sqrt(years));
/** Black (1976), without interest. */
const gammaBy = (strike: number, iv: number, years: number, forward = 100) =>
  density(moneyness(strike, iv, years, forward)) / (forward * iv * Math.sqrt(years));
const near = (found: number, wanted: number, within = 1e-9) => Math.abs(found - wanted) < within;

t.test('greeks: as published, else computed; of calls, puts or both', async (t) => {
  const { get } = setUp();
  const data = await get('greeks');
  t.match(data, { symbol: 'BTC', date, days_to_expiry: 30, count: 4 }, 'the first a day away');
  const { rho, ...own } = data.items[1];
  sameRows(t, own)`
    exchange instrument          expiry    strike type settlement_currency mark_price_usd
    okx      ${published.market} ${expiry} 90     put  BTC                 -

    implied_volatility delta gamma theta vega open_interest_base underlying_price source
    0.5                -0.3  0.01  -2    3    5                  100              published
  `;
  t.ok(rho < 0);
  t.match(data.items[0], { mark_price_usd: 12, open_interest_base: 4, source: 'computed' });
  t.ok(near(data.items[0].gamma, gammaBy(90, 0.5, 30 / 365)));
  const puts = await get(`greeks?type=PUT&limit=1&expiry=${date}`);
  t.match(puts, { count: 1, items: [{ exchange: 'okx', type: 'put' }] });
  const none = { delta: null, gamma: null, theta: null, vega: null, rho: null, source: 'computed' };
  t.match((await get('greeks?expiry=2025-06-16')).items, [none]);
  for (const [ends, found] of [[[day - 1], day - 1] as const, [[1, day, 2 * day], day] as const]) {
    const rows = ends.map((end) => optionRow({ expiry: now + end }));
    const alone = await setUp([['okx', 'BTC', rows]]).get('greeks');
    t.match(alone, { count: 1, items: [{ expiry: now + found }] }, 'else the last');
  }
});

t.test('gamma exposure: of calls less that of puts, by expiry and strike', async (t) => {
  const { get } = setUp();
  const data = await get('gamma-exposure');
  // Gamma x open interest x forward squared, for 1 %.
  const years = 30 / 365;
  const calls = (gammaBy(90, 0.5, years) * 4 + gammaBy(100, 0.5, years)) * 100;
  const low = gammaBy(90, 0.5, years) * 5 * 100;
  const high = gammaBy(110, 0.6, years, 102) * 6 * 102 * 102 * 0.01;
  t.ok(near(data.calls_usd, calls) && near(data.puts_usd, -low - high));
  t.ok(near(data.net_usd, calls - low - high));
  t.match(data.expiries[0], { calls_usd: 0, puts_usd: 0, net_usd: 0, days_to_expiry: 0.5 });
  t.ok(near(data.expiries[1].puts_usd, -low - high));
  t.match(data, {
    strikes: [{ strike: 90 }, { strike: 100, puts_usd: 0 }, { strike: 110, calls_usd: 0 }],
  });
  t.ok(near(data.strikes[2].net_usd, -high));
  t.match(await get(`gamma-exposure?expiry=${date}`), {
    expiries: [{ date }],
    net_usd: data.net_usd,
  });
  t.match(await get('gamma-exposure?symbol=SOL'), { puts_usd: 0, flip_price: null });
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

/** The share of a normal distribution below x, as a sum of 20,000 strips from -10 on. */
const below = (x: number) => {
  const width = (x + 10) / 20_000;
  return Array.from({ length: 20_000 }, (_, i) => density(-10 + (i + 0.5) * width)).reduce(
    (sum, height) => sum + height * width,
    0,
  );
};

t.test('the surface: smiles, skew, and the volatility between two expiries', async (t) => {
  const base = { 10: 0.4, 40: 0.5 };
  const smile = (days: 10 | 40) =>
    Array.from({ length: 31 }, (_, i) => i + 85).flatMap((strike) =>
      (['call', 'put'] as const).map((type) =>
        optionRow({
          strike,
          type,
          expiry: now + days * day,
          iv: base[days] - (strike - 100) / 500,
          open_interest: (type === 'call') === strike > 100 ? 5 : 0,
        }),
      ),
    );
  const { get } = setUp([['okx', 'BTC', [...smile(10), ...smile(40)]]]);
  const { expiries } = await get('surface');
  const [first, second] = expiries;
  t.match(first, { atm_iv: 0.4, forward_iv: null, forward_price: 100 });
  // The smile is a line, so that a volatility names its strike, and that its delta.
  const strikeOf = (iv: number) => 100 + (base[10] - iv) * 500;
  const deltaOf = (iv: number) => below(moneyness(strikeOf(iv), iv, 10 / 365));
  t.ok(near(deltaOf(first.call_25d_iv), 0.25, 1e-3), 'the call');
  t.ok(near(deltaOf(first.put_25d_iv) - 1, -0.25, 1e-3), 'the put');
  t.ok(near(first.skew_25d, first.put_25d_iv - first.call_25d_iv));
  t.ok(near(first.butterfly_25d, (first.put_25d_iv + first.call_25d_iv) / 2 - 0.4));
  // Variance adds up: 0.25 x 40 days less 0.16 x 10 days, over 30.
  t.ok(near(second.forward_iv, Math.sqrt((0.25 * 40 - 0.16 * 10) / 30)));
  t.match(first.points[0], { strike: 85, iv: 0.43, call_iv: 0.43, put_iv: 0.43 });
  t.equal(first.points[0].moneyness, Number(Math.log(0.85).toPrecision(12)));
  // Below the flip puts weigh more, above it calls.
  const flip = (await get('gamma-exposure')).flip_price;
  const net = (forward: number) =>
    [...smile(10), ...smile(40)].reduce((sum, { type, strike, iv, expiry: end, open_interest }) => {
      const gamma = gammaBy(strike, iv ?? 0, (end - now) / day / 365, forward);
      return sum + (type === 'call' ? 1 : -1) * gamma * open_interest;
    }, 0);
  t.ok(net(flip - 0.02) < 0 && net(flip + 0.02) > 0, `${flip}`);
});

t.test('every refusal', async (t) => {
  const { get } = setUp();
  const paths = ['info', 'max-pain', 'greeks', 'surface', 'gamma-exposure'];
  const one = (name: string) => paths.map((path) => `${path}?${name}`);
  const cases: [paths: string[], error: string, message: RegExp][] = [
    [[...one('symbol=nosuch'), 'exchange-oi?symbol=nosuch'], 'unknown_symbol', /'NOSUCH': no exch/],
    [one('symbol=SOL&exchange=okx'), 'unknown_symbol', /'SOL': okx has no options on it/],
    [
      ['info', 'greeks', 'gamma-exposure'].map((path) => `${path}?expiry=1999-01-01`),
      'bad_parameter',
      /expiry must be one of 2025-06-16, 2025-07-15/,
    ],
  ];
  for (const [asked, error, message] of cases)
    for (const path of asked) t.match(await get(path), { error, message }, path);
});

t.test('an exchange that is away is named, not fatal', async (t) => {
  const [first] = chains;
  const { get, accept } = setUp();
  if (first) accept(first, now + 3 * minute + 1);
  const found = await get('info');
  t.match(found, { exchanges: ['deribit'], failed_exchanges: ['deribit', 'okx'] });
  const alone = await get('info?exchange=okx');
  t.match(alone, { stale: true, exchanges: ['deribit', 'okx'], failed_exchanges: ['okx'] });
});

t.test('without an exchange that has options there are no rows', async (t) => {
  const exchanges = { orderBook: [], candles: [], loans: [] };
  const options = new OptionsView(new Map());
  const optionTrades = new OptionTradesView(new Map(), now);
  t.same(optionsRoutes({ options, optionTrades, recorded, exchanges }), []);
});
