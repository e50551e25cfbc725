/** The rows of options over a view of our own chains: answers, and everything that is refused. */
import t, { type Test } from 'tap';
import type { OptionRow } from '../../../actors/topics/index.ts';
import { byStrike, inBase } from '../../../http/routes/options/common.ts';
import { optionsRoutes } from '../../../http/routes/options/index.ts';
import { OptionsView } from '../../../http/views/options.ts';
import { RecordedView } from '../../../http/views/recorded.ts';
import { day, now, optionRow } from '../../indicators/options/rows.ts';
import { sameAsDeclared } from '../../support/declared.ts';
import { answersOf, call, startServer } from '../../support/http.ts';

const minute = 60_000;
const lists = new Map([
  ['deribit', ['BTC', 'USDC']],
  ['okx', ['BTC']],
]);

/** The day of expiry of most options. */
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
    accept,
    url: `${server.url}/v1/options/`,
    async get(path: string) {
      const { status, text } = await call(`${server.url}/v1/options/${path}`);
      return { ...JSON.parse(text), status };
    },
  };
}

t.test('answers about our own chains', async (t) => {
  const { url } = await setUp(t);
  const answers = await answersOf(url, [
    ...['info?symbol=btc', `info?expiry=${date}`, 'info?exchange=okx', 'max-pain'],
    ...['max-pain?exchange=okx', 'exchange-oi', 'exchange-oi?symbol=sol', 'greeks'],
    ...[`greeks?type=PUT&limit=1&expiry=${date}`, 'greeks?expiry=2025-06-16', 'greeks?symbol=SOL'],
    ...['surface', 'gamma-exposure', `gamma-exposure?expiry=${date}`, 'gamma-exposure?symbol=SOL'],
  ]);
  sameAsDeclared(t, 'option-answers', answers);
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

t.test('greeks are of the first expiry that is a day away, else of the last', async (t) => {
  for (const [ends, found] of [[[day - 1], day - 1] as const, [[1, day, 2 * day], day] as const]) {
    const rows = ends.map((end) => optionRow({ expiry: now + end }));
    const { get } = await setUp(t, [['okx', 'BTC', rows]]);
    t.match((await get('greeks')).data, { count: 1, items: [{ expiry: now + found }] });
  }
});

t.test('the surface: smiles, skew, and the volatility between two expiries', async (t) => {
  const smile = (at: number, base: number) =>
    Array.from({ length: 31 }, (_, i) => i + 85).flatMap((strike) =>
      (['call', 'put'] as const).map((type) =>
        optionRow({
          ...{ strike, type, expiry: now + at * day, iv: base - (strike - 100) / 500 },
          open_interest: (type === 'call') === strike > 100 ? 5 : 0,
        }),
      ),
    );
  const { get } = await setUp(t, [['okx', 'BTC', [...smile(10, 0.4), ...smile(40, 0.5)]]]);
  t.equal((await get('gamma-exposure')).data.flip_price, 99.9296039974);
  const { data } = await get('surface');
  const [near, far] = data.expiries;
  t.match(near, { atm_iv: 0.4, forward_iv: null, forward_price: 100 });
  t.match(near, { put_25d_iv: 0.408497927428, call_25d_iv: 0.390625806625 });
  t.match(near, { skew_25d: 0.0178721208031, butterfly_25d: -0.000438132973339 });
  t.ok(Math.abs(far.forward_iv - Math.sqrt((0.25 * 40 - 0.16 * 10) / 30)) < 1e-9);
  t.match(near.points[0], { strike: 85, iv: 0.43, call_iv: 0.43, put_iv: 0.43 });
  t.equal(near.points[0].moneyness, Number(Math.log(0.85).toPrecision(12)));
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
  ];
  for (const [asked, status, message] of cases) {
    for (const path of asked) t.match(await get(path), { status, message }, path);
  }
});

t.test('an exchange that is away is named, not fatal', async (t) => {
  const [first] = chains;
  const { get, accept } = await setUp(t);
  if (first) accept(first, now + 3 * minute + 1);
  t.match((await get('info')).data, {
    exchanges: ['deribit'],
    failed_exchanges: ['deribit', 'okx'],
  });
  const alone = (await get('info?exchange=okx')).data;
  t.match(alone, { stale: true, exchanges: ['deribit', 'okx'], failed_exchanges: ['okx'] });
});

t.test('without an exchange that has options there are no rows', async (t) => {
  const exchanges = { orderBook: [], candles: [], loans: [] };
  t.same(optionsRoutes({ options: new OptionsView(new Map()), recorded, exchanges }), []);
});
