/** Histories of the exchanges but Binance: units, order and the requests of one page. */
import t from 'tap';
import type { Instrument } from '../../../actors/topics/index.ts';
import { bitfinex } from '../../../actors/venues/bitfinex/index.ts';
import { bybit } from '../../../actors/venues/bybit/index.ts';
import { gate } from '../../../actors/venues/gate/index.ts';
import { htx } from '../../../actors/venues/htx/index.ts';
import { kraken } from '../../../actors/venues/kraken/index.ts';
import { okx } from '../../../actors/venues/okx/index.ts';
import { sameRows } from '../../support/table.ts';

const now = 1_790_000_000_000;
const hour = 3_600_000;

const instrument: Instrument = {
  ...{ market: 'X', kind: 'perpetual', symbol: 'BTC', quote: 'USDT', scale: 1, contract: 1 },
  ...{ inverse: false, funding_hours: 8 },
};
const asked = (market: string, part: string) => ({ market, part, instrument, now, limit: 100 });
const series = (market: string, part: string) => ({
  ...asked(market, part),
  interval: '1h' as const,
});
const longShort = (market: string, part: string) => ({
  ...series(market, part),
  of: 'accounts' as const,
});

t.test('Bitfinex: the last row of an interval stands for it', async (t) => {
  const row = (at: number, mark: number, base: number) =>
    Array.from({ length: 23 }, (_, i) => ({ 0: at, 14: mark, 17: base })[i] ?? null);
  const opened = Math.floor(now / hour) * hour;
  const body = [row(opened + 120_000, 20, 7), row(opened, 10, 5), row(opened - 1, 10, 4)];
  const { openInterestHistory } = bitfinex.queries;
  t.strictSame(openInterestHistory.parse([body], series('tBTCF0:USTF0', 'all'), now).points, [
    { timestamp: opened - hour, base: 4, usd: 40 },
    { timestamp: opened, base: 7, usd: 140 },
  ]);
});

t.test('Gate: inverse contracts are dollars; pages from a start on', async (t) => {
  const { openInterestHistory } = gate.queries;
  const row = {
    time: 1_674_057_000,
    open_interest: '500',
    open_interest_usd: '0',
    mark_price: '50',
  };
  const inverse = { ...series('BTC_USD', 'btc'), instrument: { ...instrument, inverse: true } };
  t.match(openInterestHistory.parse([[row]], inverse, now).points, [{ base: 5, usd: 250 }]);
  const pages = openInterestHistory.requests({ ...series('BTC_USDT', 'usdt'), limit: 200 });
  const opened = Math.floor(now / hour) * hour;
  t.strictSame(
    pages.map(({ query }) => query?.from),
    [undefined, (opened - 199 * hour) / 1000],
  );
});

/** Lists side by side, as the charts of Kraken send them. */
const chart = (timestamp: number[], data: unknown) => ({
  ...{ result: { timestamp, more: false, data }, errors: [] },
});

/** 2023-07-22 00:00 UTC in seconds, and two hours later in ms. */
const from = 1_689_984_000;
const first = from * 1000 + 2 * hour;

t.test('charts of Kraken: seconds, contracts, both sides of the volume', async (t) => {
  const { takerVolume, openInterestHistory, longShort: ratios } = kraken.queries;
  const seconds = [7200, 10_800, 14_400].map((after) => from + after);
  const closes = {
    candles: seconds.map((s, i) => ({ time: s * 1000, close: String(20 * (i + 1)) })),
  };
  const volumes = [chart(seconds, ['10', '6', '4']), chart(seconds, ['4', -2, '0']), closes];
  const linear = series('PF_XBTUSD', 'futures');
  const points = takerVolume.parse(volumes, linear, now).points;
  sameRows(t, points.slice(0, 2))`
    timestamp       buy_base sell_base buy_usd sell_usd closed
    ${first}        7        3         140     60       true
    ${first + hour} 2        4         80      160      true
  `;
  const late = [volumes[0], chart(seconds.slice(1), [-2, '0']), closes];
  t.strictSame(
    takerVolume.parse(late, linear, now).points.map(({ timestamp }) => timestamp),
    [first + hour, first + 2 * hour],
    'a time without its difference has no sides',
  );
  const inverse = { ...linear, instrument: { ...instrument, inverse: true } };
  t.match(
    takerVolume.parse(volumes, inverse, now).points[0],
    { buy_base: 0.35, sell_base: 0.15, buy_usd: 7, sell_usd: 3, closed: true },
    'a contract of one dollar',
  );
  const twoHours = { ...linear, interval: '2h' as const };
  sameRows(t, takerVolume.parse(volumes, twoHours, now).points)`
    timestamp           buy_base sell_base buy_usd sell_usd closed
    ${first}            9        7         220     220      true
    ${first + 2 * hour} 2        2         120     120      true
  `;
  const opened = Math.floor(now / (2 * hour)) * 2 * hour;
  t.match(takerVolume.requests({ ...twoHours, limit: 3 })[0]?.query, {
    ...{ interval: 3600, since: (opened - 4 * hour) / 1000, to: now / 1000 },
  });
  const interests = [chart([from + 7200], [['1', '2', '0.5', '1.5']]), undefined];
  t.strictSame(openInterestHistory.parse(interests, linear, now).points, [
    { timestamp: first, base: 1.5, usd: null },
  ]);
  const accounts = chart([from + 7200], { longCount: [30], shortCount: [10] });
  t.strictSame(ratios.parse([accounts], longShort('PF_XBTUSD', 'futures'), now).points, [
    { timestamp: first, long: 0.75, short: 0.25 },
  ]);
});

t.test('open interest of a linear contract is one side, valued at the mark price', async (t) => {
  const at = now - hour;
  const rows = [
    { openInterest: '20', singleOpenInterest: '10', timestamp: String(at) },
    { openInterest: '24', timestamp: String(at - hour) },
    { openInterest: '', timestamp: String(at - 2 * hour) },
  ];
  const marks = [[String(at), '1', '1', '1', '50']];
  const bodies = [{ result: { list: rows } }, { result: { list: marks } }];
  sameRows(
    t,
    bybit.queries.openInterestHistory.parse(bodies, series('BTCUSDT', 'linear'), now).points,
  )`
    timestamp    base usd
    ${at - hour} 12   -
    ${at}        10   500
  `;
});

t.test('a funding of OKX without a rate is none', async (t) => {
  const row = (fundingTime: number, more: object) => ({ fundingTime, ...more });
  const data = [1, 2, 3, 4, 5].map((at) => row(now + at, { realizedRate: '0.1' }));
  const body = { data: [...data, row(now, {}), row(now - 1, { fundingRate: '0.2' })] };
  const about = asked('BTC-USDT-SWAP', 'swap');
  const { points } = okx.queries.fundingHistory.parse([body], about, now);
  t.equal(points.length, 6);
  t.match(points[0], { timestamp: now - 1, rate: 0.2, predicted: 0.2 });
});

t.test('contract volumes of OKX: dollars and units of the same times', async (t) => {
  const body = (...row: string[]) => ({ code: '0', data: [row] });
  const at = String(now);
  t.strictSame(
    okx.queries.takerVolume.parse(
      [body(at, '300', '600'), body(at, '3', '6')],
      series('BTC-USDT-SWAP', 'swap'),
      now,
    ).points,
    [{ timestamp: now, buy_usd: 600, sell_usd: 300, buy_base: 6, sell_base: 3, closed: false }],
  );
  const { takerVolume } = okx.queries;
  const scaled = { ...series('BTC-USDT-SWAP', 'swap'), instrument: { ...instrument, scale: 10 } };
  t.match(takerVolume.parse([body(at, '300', '600'), body(at, '3', '6')], scaled, now).points, [
    { buy_usd: 600, sell_usd: 300, buy_base: 60, sell_base: 30 },
  ]);
  t.match(takerVolume.requests(series('BTC-USDT', 'spot')), [
    { query: { ccy: 'BTC', instType: 'SPOT', period: '1H' } },
  ]);
  t.equal(takerVolume.requests(series('BTC-USDT-SWAP', 'swap')).length, 2);
  const many = takerVolume.requests({ ...series('BTC-USDT-SWAP', 'swap'), limit: 500 });
  const opened = Math.floor(now / hour) * hour;
  t.strictSame(
    many.slice(0, 3).map(({ query }) => [query?.unit, query?.end]),
    [
      [2, undefined],
      [2, opened + 1 - 100 * hour],
      [2, opened + 1 - 200 * hour],
    ],
    'pages without a gap',
  );
});

t.test('HTX: the paths of v1 where those of v5 give nothing', async (t) => {
  const { fundingHistory } = htx.queries;
  const about = asked('BTC-USDT', 'linear');
  t.match(fundingHistory.requests(about), [
    { path: '/v5/market/funding_rate_history', budget: 'v5', optional: true },
  ]);
  const empty = fundingHistory.parse([undefined], about, now);
  t.match(fundingHistory.more?.(about, [empty]), [
    { path: '/linear-swap-api/v1/swap_historical_funding_rate', query: { page_index: 1 } },
    { query: { page_index: 2 } },
  ]);
  const some = { market: 'BTC-USDT', points: [{ timestamp: now, rate: 0, hours: 8 }] };
  t.strictSame(fundingHistory.more?.(about, [some]), []);
  t.strictSame(fundingHistory.more?.(about, [empty, empty]), [], 'once');
});

t.test('what is not kept is not asked', async (t) => {
  const none = { ...instrument, kind: 'spot' as const };
  t.equal(bybit.queries.fundingHistory.page?.({ ...asked('X', 'spot'), instrument: none }), null);
  t.equal(okx.queries.longShort.page?.({ ...longShort('X', 'swap'), interval: '15m' }), null);
  t.equal(htx.queries.longShort.page?.(longShort('X', 'linear')), null);
});
