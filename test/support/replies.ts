/** Replies of our own making to every query of a row, of a few values each, some of which are missing. */
import {
  intervals,
  type Query,
  type QueryName,
  type RecordedName,
} from '../../actors/topics/index.ts';
import { levels } from './makers.ts';
import { coverage, positionEvents, positions, walletOf } from './wallet-makers.ts';

/** The last `count` starts of a step, ascending. */
const timesOf = (now: number, step: number, count: number) =>
  Array.from({ length: count }, (_, i) => (Math.floor(now / step) - (count - 1 - i)) * step);

/** Shares of long and short; an exchange may be intervals behind. */
const sharesOf = ({ length }: string) => [
  { long: 0.6, short: 0.4 },
  { long: 1, short: 0 },
  { long: (50 + length) / 100, short: (45 - length) / 100, locked: 0.05 },
];
const behind: Readonly<Record<string, number>> = { okx: 3, bybit: 4 };

/** What takers bought and sold: in both units, in one of them, or one side alone. */
const takers = [
  { buy_base: 2, sell_base: 1, buy_usd: 210, sell_usd: 100 },
  { buy_base: 1, sell_base: 3, buy_usd: null, sell_usd: null },
  { buy_base: null, sell_base: null, buy_usd: 50, sell_usd: 40 },
  { buy_base: 4, sell_base: 0, buy_usd: 400, sell_usd: 0 },
  { buy_base: 3, sell_base: 5, buy_usd: 300, sell_usd: 500 },
];
const interests = [
  { base: 10, usd: 1000 },
  { base: null, usd: 5 },
  { base: 12, usd: null },
  { base: 9, usd: 990 },
];
const fundings = [
  { rate: 0.0001, hours: 8, mark: 100, premium: 0.00002, predicted: 0.0003 },
  { rate: -0.0002, hours: null },
  { rate: 0.0004, hours: 4 },
];

/** The columns of a series with the value of their first row. */
const columns: Partial<Record<RecordedName, Record<string, number>>> = {
  'open-interest': { base: 2, usd: 200 },
  funding: { rate: 0.0001, hours: 8 },
  price: { price: 100, turnover: 2400 },
  liquidations: { long_usd: 30, short_usd: 20, count: 2 },
  'liquidation-feeds': { heard_ms: 60_000 },
  'taker-flow': { buy_usd: 70, sell_usd: 50, minutes: 60 },
  'order-book': { mid: 100, bids_usd_100: 7, asks_usd_100: 14, bids_base_100: 1 },
  'order-book-levels': { mid: 100, bid_0: 40, bid_49: 3, ask_1: 5 },
  footprint: { open: 99, high: 102, low: 98, close: 101, step: 1, first: 98, buy_base_1: 2 },
};

/** Those of the keys: a row of each is without one value. */
function series({ series: name, keys, step }: Asked, now: number, isBare: boolean) {
  const length = intervals[step];
  const isFunding = name === 'funding';
  const rows = keys.map((key, k) => {
    const known = isFunding
      ? timesOf(now, 8 * intervals['1h'], k % 2 === 0 ? 92 : 4)
      : timesOf(now, length, 5);
    const times = isBare ? [] : known;
    const own = Object.entries(columns[name] ?? {}).map(([column, value], c) => {
      const isSame = column === 'hours' || column === 'step' || column === 'first';
      const cell = (i: number) => value * (isSame ? 1 : 1 + ((i + k) % 3));
      return [column, times.map((_, i) => (i + c === 3 + k ? null : cell(i)))] as const;
    });
    // As complete as a record must be to count as such.
    const coverage = { from: known[0], to: known.at(-1), expected: 20, present: 19 };
    return {
      key,
      times,
      columns: Object.fromEntries(own),
      recorded_from: now - length,
      coverage: { ...coverage, complete: true, backfilled: k === 1 },
    };
  });
  return { series: name, step: length, rows };
}

/** Three keys, the last of which has no newest value, at all times. */
function seriesAt({ series: name, times, prefix }: Asked) {
  const keys = ['BTC', 'ETH', 'SOL'].map((symbol) => `${prefix}${symbol}`);
  const price = times.map((_, t) =>
    keys.map((_key, k) => ((k === 2 && t === 0) || t + k === 4 ? null : 100 + t * (k - 1) + k)),
  );
  return { series: name, times, keys, columns: { price }, recorded_from: 0 };
}

const candle = (timestamp: number, i: number) => ({
  timestamp,
  open: 100 + (i % 7),
  high: 104 + (i % 5),
  low: 95 - (i % 3),
  close: 100 + ((i + 1) % 7),
  volume: 10 + i,
  turnover: 1_000 + 100 * i,
  closed: true,
});

/** Trades of both sides, one without an id. */
const newest = (now: number) => [
  { id: '8', timestamp: now - 1, price: 101, quantity: 2, bought: true },
  { id: null, timestamp: now - 2, price: 100.5, quantity: 3, bought: false },
];

const book = { bids: levels([99.5, 2], [99, 1], [98, 40_000]), asks: levels([100.5, 4]) };
const books: Readonly<Record<string, typeof book>> = {
  binance: {
    bids: levels([99, 1], [98, 2], [97.5, 11_000], [95, 60_000]),
    asks: levels([101, 1], [102, 3], [102.5, 30_000], [103, 2]),
  },
  bybit: { bids: levels([99, 1]), asks: [] },
};

/** Of the vault of Hyperliquid. */
const account = {
  address: '0x1',
  account_value_usd: 70,
  total_position_usd: 50,
  total_margin_used_usd: 30,
  withdrawable_usd: 20,
};

/** A live book, and one whose sides are not of one moment. */
const asOrderBook: Readonly<Record<string, object>> = {
  okx: { source: 'live', sequence: 7 },
  bybit: { bids: levels([101, 1]), asks: levels([100, 1]), crossed: true },
};

interface Asked {
  interval: keyof typeof intervals;
  step: keyof typeof intervals;
  series: RecordedName;
  keys: readonly string[];
  times: readonly number[];
  prefix: string;
  limit: number;
}

const margins = Array.from({ length: 30 }, (_, i) => ({ long_size: 900 + i, short_size: i }));

/** `isBare`: replies without data. Null for a query that other tests have. */
export function replyTo(
  { source, name, params }: Query<QueryName>,
  now: number,
  isBare: boolean,
): object | null {
  const asked: Asked = Object(params);
  const { interval = '1h', limit = 50 } = asked;
  const step = intervals[interval];
  const history = (rows: readonly object[], late = 0) => {
    const times = timesOf(now - late * step, step, rows.length);
    const points = rows.map((row, i) => ({ ...row, timestamp: times[i] }));
    return { market: 'M', points: isBare ? [] : points.slice(-limit) };
  };
  const candles = isBare ? [] : timesOf(now, step, Math.min(limit, 30)).map(candle);
  const sides = isBare ? { bids: [], asks: [] } : (books[source] ?? book);
  const made: Partial<Record<QueryName, () => object>> = {
    longShort: () => history(source === 'gate' ? [] : sharesOf(source), behind[source]),
    takerVolume: () => history(takers),
    takerCandles: () => history(takers.map((row, i) => ({ ...candle(0, i), ...row }))),
    openInterestHistory: () => history(interests),
    fundingHistory: () => history(fundings),
    marginHistory: () => history(margins),
    series: () => series(asked, now, isBare),
    seriesAt: () => seriesAt(isBare ? { ...asked, times: [] } : asked),
    candles: () => ({ market: 'M', kind: 'spot', quote: 'USDT', candles, received: now }),
    orderBook: () => ({ market: 'M', ...sides, ...asOrderBook[source], timestamp: now - 1 }),
    recentTrades: () => ({
      market: 'M',
      kind: 'spot',
      quote: source === 'kraken' ? 'EUR' : 'USDT',
      trades: isBare ? [] : newest(now).slice(0, limit),
    }),
    fullBook: () => ({ market: 'M', ...sides, timestamp: now - source.length }),
    depth: () => ({
      market: 'M',
      bids: sides.bids.slice(0, limit),
      asks: sides.asks.slice(0, limit),
      bidsNear: 3,
      asksNear: 4,
      timestamp: now - 1,
    }),
    clearinghouse: () => ({ capped: ['BTC', 'other'], vault: account }),
    walletPositions: () => ({ coverage, positions: isBare ? [] : positions }),
    positionEvents: () => ({ coverage, least_usd: 1, events: isBare ? [] : positionEvents }),
    hyperliquidWallet: () => ({ ...walletOf, positions: isBare ? [] : positions }),
    indicators: () => ({ closed: 50, values: null, timestamp: now }),
  };
  return made[name]?.() ?? null;
}
