/** Facts that a person can check, written by hand: how long topics and series are kept (docs/history.md), and limits. */
import t from 'tap';
import * as keys from '../../actors/bus/keys.ts';
import { allSeries } from '../../actors/history/series/index.ts';
import { rotation } from '../../actors/sources/polling/plan.ts';
import { maxDroppedShare } from '../../actors/sources/quality/body.ts';
import { tracking } from '../../actors/topics/history.ts';
import { deadlineOf } from '../../actors/topics/queries.ts';
import { topics } from '../../actors/topics/table.ts';
import { defaultLimits } from '../../actors/upstream/request.ts';
import { leverageShares } from '../../config/liquidation-model.ts';
import { dollarQuotes } from '../../config/quotes.ts';
import { jwksTimes } from '../../http/auth/jwks.ts';
import { times as keyTimes } from '../../http/auth/key-records.ts';
import { creationLife, mostRevoked, ticketLife } from '../../http/auth/scripts.ts';
import { defaultBodyCap } from '../../http/endpoints/endpoint.ts';
import { reservationDeadline, windowLength } from '../../http/quota/store.ts';
import { closeCodes, reconnectWithin } from '../../http/server/streams/close-codes.ts';
import { windowHours } from '../../indicators/derivatives/liquidation-sums.ts';
import { seasonPeriods } from '../../indicators/market/altcoin-season.ts';
import { windows } from '../../indicators/market/correlations.ts';
import { bandRanges } from '../../indicators/order-book/bands.ts';
import { bucketForm } from '../../indicators/order-book/buckets.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const mib = 2 ** 20;

t.test(
  'topics: how old a value may be, and for how long their streams hold an entry',
  async (t) => {
    const found = Object.entries(topics).map(([name, { maxAge, keep }]) => [name, maxAge, keep]);
    t.strictSame(found, [
      ['instruments', day, 30 * second],
      ['listRequests', 10 * second, 30 * second],
      ['prices', 5 * minute, 30 * second],
      ['derivatives', 10 * minute, 30 * second],
      ['openInterest', 10 * minute, 30 * second],
      ['priceChanges', 5 * minute, minute],
      ['derivativeChanges', 10 * minute, 2 * minute],
      ['openInterestChanges', 10 * minute, 2 * minute],
      ['futures', 10 * minute, 30 * second],
      ['options', 10 * minute, 30 * second],
      ['liquidations', day, day],
      ['orderBooks', 3 * minute, 30 * second],
      ['largeOrders', 3 * minute, 30 * second],
      ['referenceInputs', 15 * minute, 30 * second],
      ['status', 5 * minute, 30 * second],
      ['processes', 20 * second, 30 * second],
      ['accounts', 30 * second, 30 * second],
      ['alertRules', day, 30 * second],
      ['alertEvents', day, 7 * day],
      ['alertDeliveries', day, day],
      ['compute', 20 * second, 30 * second],
      ['chains', 3 * minute, 30 * second],
      ['defi', 15 * minute, 30 * second],
      ['marketIndicators', 3 * day, 30 * second],
      ['indicatorHistories', 3 * day, 30 * second],
      ['series', 3 * day, 0],
    ]);
    const logs = Object.entries(topics).filter(([, topic]) => 'log' in topic && topic.log);
    t.strictSame(
      logs.map(([name]) => name),
      [
        ...['priceChanges', 'derivativeChanges', 'openInterestChanges'],
        ...['liquidations', 'alertEvents', 'alertDeliveries'],
      ],
      'all others have a last value',
    );
  },
);

/** Numbers from 0 to below `count`, as names end in. */
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);

t.test('series: their steps and for how long each is kept', async (t) => {
  const found = allSeries.map(({ name, tiers }) => [
    name,
    ...tiers.map((tier) => `${tier.name} for ${tier.keep / hour} hours`),
  ]);
  const years = `for ${400 * 24} hours`;
  const month = `for ${30 * 24} hours`;
  t.strictSame(found, [
    ['price', '1m for 26 hours', `1h ${years}`],
    ['taker-flow', `5m ${month}`, `1h ${years}`],
    ['account-ratio', `5m ${month}`, `1h ${years}`],
    ['open-interest', `5m ${month}`, `1h ${years}`],
    ['funding', `1h ${years}`],
    ['running-funding', '5m for 168 hours', `1h for ${90 * 24} hours`],
    ['exchange-turnover', `5m ${month}`, `1h ${years}`],
    ['basis', `5m ${month}`, `1h ${years}`],
    ['options-open-interest', `1h ${month}`, `1d ${years}`],
    ['options-volatility', `1h ${month}`, `1d ${years}`],
    ['liquidations', '1m for 192 hours', `1h ${years}`],
    ['liquidation-feeds', '1m for 192 hours', `1h ${years}`],
    ['order-book', '1m for 48 hours', `1h ${years}`],
    ['order-book-levels', '1m for 48 hours'],
    ['liquidity', '1m for 48 hours', '1h for 9600 hours'],
    ['footprint', '1m for 72 hours'],
    ['scorecard', '1m for 26 hours', `1h ${years}`],
    ['reference-rate', '1m for 48 hours', `1h ${years}`],
    ['reference-fixings', `1h ${years}`],
    ['market-indicators', `1h for ${92 * 24} hours`, '1d for Infinity hours'],
    ['bitcoin-closes', '1d for Infinity hours'],
  ]);
});

t.test('series: columns by how steps are combined and the digits that are kept', async (t) => {
  const found = allSeries.map(({ name, columns }) => {
    const kept = Map.groupBy(columns, ({ combine, digits }) => `${combine}, ${digits}`);
    return [
      name,
      Object.fromEntries([...kept].map(([how, all]) => [how, all.map((one) => one.name)])),
    ];
  });
  const bands = [25, 50, 100, 200, 500].flatMap((basisPoints) =>
    ['bids_usd', 'asks_usd', 'bids_base', 'asks_base'].map((side) => `${side}_${basisPoints}`),
  );
  const prices = ['open', 'high', 'low', 'close'];
  const cells = upTo(16).flatMap((at) =>
    ['buy_base', 'sell_base', 'buy_usd', 'sell_usd'].map((side) => `${side}_${at}`),
  );
  t.strictSame(Object.fromEntries(found), {
    price: { 'last, 7': ['price', 'turnover'] },
    'taker-flow': { 'sum, 15': ['buy_usd', 'sell_usd'], 'sum, 7': ['minutes'] },
    'account-ratio': { 'last, 7': ['long', 'short'] },
    'open-interest': { 'last, 7': ['base', 'usd'] },
    funding: { 'sum, 15': ['rate'], 'sum, 7': ['hours'] },
    'running-funding': { 'last, 7': ['rate', 'hours'] },
    'exchange-turnover': { 'last, 7': ['usd'] },
    basis: { 'last, 15': ['mark', 'index'] },
    'options-open-interest': { 'last, 7': ['base', 'usd', 'calls', 'puts'] },
    'options-volatility': {
      'last, 7': [7, 30, 90, 180].flatMap((days) => [`atm_${days}`, `skew_${days}`]),
    },
    liquidations: {
      'sum, 15': ['long_usd', 'short_usd'],
      'sum, 7': ['count'],
      'max, 7': ['largest_usd'],
    },
    'liquidation-feeds': { 'sum, 15': ['heard_ms'] },
    'order-book': { 'last, 7': ['mid', ...bands] },
    'order-book-levels': {
      'last, 7': ['mid', ...upTo(50).flatMap((at) => [`bid_${at}`, `ask_${at}`])],
    },
    liquidity: {
      'last, 7': [
        'spread',
        ...[10, 50, 100, 200, 500].flatMap((basisPoints) => [
          `bid_${basisPoints}`,
          `ask_${basisPoints}`,
        ]),
        ...[1_000, 10_000, 100_000, 1_000_000].flatMap((usd) => [`buy_${usd}`, `sell_${usd}`]),
      ],
    },
    footprint: { 'last, 15': prices, 'last, 7': ['step', 'first', 'trades', ...cells] },
    scorecard: {
      'mean, 7': ['up', 'age', 'event_latency_ms_p50', 'delivery_ms_p50'],
      'max, 7': [
        'age_max',
        ...['event_latency_ms_p95', 'event_latency_ms_p99', 'delivery_ms_p95', 'delivery_ms_p99'],
      ],
      'sum, 7': ['suspect', 'differs', 'refused', 'reconnects'],
    },
    'reference-rate': { 'last, 15': ['rate'], 'last, 7': ['used'] },
    'reference-fixings': {
      'last, 15': [
        ...['rate', 'trades', 'volume', ...upTo(12).map((at) => `median_${at}`)],
        ...['minutes_binance', 'minutes_okx', 'minutes_bybit', 'minutes_bitfinex'],
        ...['minutes_kraken', 'minutes_coinbase', 'minutes_bitstamp'],
      ],
    },
    'market-indicators': { 'first, 15': ['at', 'value'] },
    'bitcoin-closes': { 'last, 15': ['close', 'at'], 'last, 7': ['filled'] },
  });
  const fresh = allSeries
    .map(({ name, fresh }) => [name, fresh])
    .filter(([, age]) => age !== undefined);
  t.strictSame(Object.fromEntries(fresh), {
    liquidations: 10 * second,
    'liquidation-feeds': 10 * second,
    footprint: 15 * second,
    'reference-rate': 15 * second,
    'reference-fixings': 15 * second,
    'market-indicators': 0,
    'bitcoin-closes': 0,
  });
  const exact = allSeries
    .filter(({ backfill }) => backfill?.exact)
    .map(({ name, backfill }) => [name, backfill?.every]);
  t.strictSame(Object.fromEntries(exact), {
    'taker-flow': 5 * minute,
    'account-ratio': 5 * minute,
    funding: hour,
  });
});

t.test('assets that history follows, and quotes that count as dollars', async (t) => {
  const always = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE', 'BNB'];
  t.strictSame(tracking, { always, count: 30, every: hour });
  t.strictSame([...dollarQuotes], ['USD', 'USDT', 'USDC', 'FDUSD', 'BUSD', 'USD1']);
  const sum = leverageShares.reduce((all, { weight }) => all + weight, 0);
  t.ok(Math.abs(sum - 1) < 1e-12, 'shares of leverages are all of the open interest');
  t.strictSame(
    leverageShares.map(({ leverage, maintenance }) => [leverage, maintenance]),
    [
      [5, 0.01],
      [10, 0.01],
      [25, 0.007],
      [50, 0.005],
      [100, 0.004],
    ],
  );
});

/** As docs/market-indicators.md, docs/order-books.md and docs/liquidations.md state them. */
t.test('windows and depths that indicators are computed over', async (t) => {
  t.strictSame(windows, [
    { days: 30, pairs: 15 },
    { days: 90, pairs: 40 },
    { days: 365, pairs: 150 },
  ]);
  t.strictSame(seasonPeriods, { index: 90, month: 30, year: 365 });
  t.strictSame(bandRanges, [0.25, 0.5, 1, 2, 5], 'percent of the middle price');
  t.strictSame(bucketForm, { perSide: 50, width: 0.001 });
  t.strictSame(windowHours, [1, 4, 12, 24]);
});

t.test('deadlines of queries', async (t) => {
  const names = [
    'series',
    'seriesAt',
    'record',
    'liquidationState',
    'scorecard',
    'coverage',
    'orderBook',
    'wallet',
  ] as const;
  const ofHistory = 6 * second;
  t.strictSame(names.map(deadlineOf), [
    ofHistory,
    ofHistory,
    ofHistory,
    ofHistory,
    ofHistory,
    ofHistory,
    10 * second,
    22 * second,
  ]);
});

t.test('limits of the clients of upstreams', async (t) => {
  t.strictSame(defaultLimits, {
    maxBody: 16 * mib,
    maxFlights: 1024,
    connections: 16,
    retries: 2,
    failures: 5,
    lag: 100,
    patience: second,
    spread: 250,
    abandoned: 5 * second,
  });
  t.strictSame(rotation, { top: 100, within: 5 * minute });
  t.equal(maxDroppedShare, 0.2);
});

t.test('limits of the bus', async (t) => {
  const { maxInFlight, queryLength, replyLength, replyLife, aliveLife, beat, block } = keys;
  t.strictSame([maxInFlight, queryLength, replyLength], [32_000, 65_536, 65_536]);
  t.strictSame([replyLife, aliveLife, beat, block], [2 * minute, 3 * second, second, second]);
});

t.test('limits of the front', async (t) => {
  t.strictSame(keyTimes, {
    life: 30 * second,
    refresh: 8 * second,
    retry: second,
    active: 30 * second,
    idle: minute,
    unknown: 10 * second,
    patience: 5 * second,
    again: 200,
  });
  t.strictSame([mostRevoked, creationLife, ticketLife], [100, day, minute]);
  t.strictSame(jwksTimes, {
    deadline: 3 * second,
    refresh: 10 * minute,
    outage: day,
    cooldown: 30 * second,
    start: 2 * second,
  });
  t.strictSame([windowLength, reservationDeadline, defaultBodyCap], [minute, 2 * second, 65_536]);
});

/** https://www.iana.org/assignments/websocket: 1012 is a restart, 1013 asks to try again later, 4000 to 4999 are for private use. */
t.test('codes with which the server ends a live connection', async (t) => {
  const codes = Object.entries(closeCodes).map(([why, [code]]) => [why, code]);
  t.strictSame(Object.fromEntries(codes), {
    restart: 1012,
    unchecked: 1013,
    unauthorized: 4401,
    idle: 4400,
    flood: 4429,
    slow: 4408,
    behind: 4409,
  });
  t.equal(reconnectWithin, 10 * second);
});
