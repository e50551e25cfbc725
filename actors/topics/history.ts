/**
 * Recorded series: data that only this service keeps. The source `history` answers questions about them. Times are Unix ms and
 * the start of a row's step: the row of 10:00 with a step of 5 minutes states the value just before 10:05.
 */
import { evmChainIds } from '../../config/chains.ts';
import { hour } from '../../config/time.ts';
import { hotWallets, stablecoins } from '../../config/tokens.ts';
import type { Interval } from '../../indicators/market/intervals.ts';
import type { Score, ScoreColumn } from '../../indicators/market/scorecard.ts';
import type { FixingColumn } from './fixings.ts';
import type { FootprintColumn } from './footprint.ts';
import type { Instrument } from './instruments.ts';

/** Tenors of the recorded volatilities, days. */
export const tenors = [7, 30, 90, 180] as const;
export type Tenor = (typeof tenors)[number];

/** The columns of each series by its name. A series is a line here and a `defineSeries` in actors/history/series. */
export interface RecordedColumns {
  /** By exchange, margin and symbol: base units and US dollars, one side. */
  'open-interest': 'base' | 'usd';
  /** Settled, by exchange, margin and symbol: the rate as a fraction for `hours`. Rows are at settlements only. */
  funding: 'rate' | 'hours';
  /** By exchange, margin and symbol, of tracked symbols: the rate that is stated for the next settlement, a fraction for `hours`. */
  'running-funding': 'rate' | 'hours';
  /** By exchange and kind: turnover of the last 24 hours of all its dollar markets of the kind, US dollars. */
  'exchange-turnover': 'usd';
  /**
   * By exchange and market of perpetuals and dated futures, of tracked symbols, where the exchange keeps no such history: prices of one
   * canonical unit, in quote.
   */
  basis: 'mark' | 'index';
  /** By kind and symbol, over all exchanges: mean price (`consensus`) and turnover of the last 24 hours, US dollars. */
  price: 'price' | 'turnover';
  /**
   * By exchange, kind and symbol, of tracked symbols: amounts that takers bought and sold in the step, US dollars, and the minutes of
   * which they are: null in rows of earlier versions, which are whole.
   */
  'taker-flow': 'buy_usd' | 'sell_usd' | 'minutes';
  /** By exchange and symbol, of tracked symbols: shares of the accounts that are long and short, fractions. */
  'account-ratio': 'long' | 'short';
  /** Of options, by exchange and symbol: base units and US dollars at the forward, base units of calls and of puts. */
  'options-open-interest': 'base' | 'usd' | 'calls' | 'puts';
  /**
   * By symbol, out of the options of all exchanges: implied volatility at the money and 25-delta skew at constant tenors, fractions a
   * year.
   */
  'options-volatility': `${'atm' | 'skew'}_${Tenor}`;
  /** By exchange and symbol: forced closings of positions in the step, the largest one too; US dollars. */
  liquidations: 'long_usd' | 'short_usd' | 'count' | 'largest_usd';
  /** By exchange and stream: for how long of the step the liquidations of the stream were received and stored. */
  'liquidation-feeds': 'heard_ms';
  /**
   * By exchange (or `aggregated`), kind and symbol, of tracked symbols: orders within 25, 50, 100, 200 and 500
   * hundredths of a percent of the mid price, US dollars and base units; and of how many exchanges.
   */
  'order-book': 'mid' | 'exchanges' | `${'bids' | 'asks'}_${'usd' | 'base'}_${number}`;
  /** By the same keys: US dollars in each tenth of a percent from the mid price, the nearest first. */
  'order-book-levels': 'mid' | `${'bid' | 'ask'}_${number}`;
  /**
   * By exchange, kind and symbol, of tracked symbols: spread in percent of the mid price, US dollars within 10, 50, 100, 200 and 500
   * hundredths of a percent of it, and the slippage of orders of so many US dollars, a fraction.
   */
  liquidity: 'spread' | `${'bid' | 'ask' | 'buy' | 'sell'}_${number}`;
  /**
   * By exchange and market, of tracked symbols: prices of the trades of a minute, and the amounts that takers bought and sold in each
   * of its price buckets, of which the first begins at `first` x `step` (footprint.ts).
   */
  footprint: FootprintColumn;
  /** By symbol, of tracked symbols: the reference rate of the end of the minute, US dollars (null without one), and its markets. */
  'reference-rate': 'rate' | 'used';
  /** Hourly fixings by symbol, of tracked symbols: US dollars, base units, rows of trades, known minutes of each exchange. */
  'reference-fixings': FixingColumn;
  /**
   * By exchange and topic of `/v1/status`: share of the step that it was up, mean and greatest age of its newest data, ms, and how often numbers
   * were held back, polls and streams differed, the exchange refused, and a stream was lost; the latencies of its end, ms.
   */
  scorecard: ScoreColumn;
  /** By measure and what it is of (`onChainRecords`): `gas/ethereum`, `wallets/okx/ETH`. */
  'on-chain': 'value';
  /**
   * Indicators of the whole market, by their chart and its column: when a value was sampled, Unix ms (null where it was
   * made afterwards, for the start of the step), and the value.
   */
  'market-indicators': 'at' | 'value';
  /** Daily closes of Bitcoin by the source of the day: US dollars, when it was stored, 1 where no source has the day. */
  'bitcoin-closes': 'close' | 'at' | 'filled';
}

/** The scores of the topics of exchanges, by name of exchange and topic. */
export interface Scorecard {
  rows: readonly ({ exchange: string; topic: string } & Score)[];
  /** When the recording began, Unix ms; null where it has not. */
  recorded_from: number | null;
}

/** What is recorded: the schema of each series, and a row for each series and step that is stored, in the order of the declaration. */
export interface RecordedCoverage {
  series: readonly {
    series: RecordedName;
    /** The parts of its keys, such as `exchange/margin/asset`. */
    key: string;
    /** Columns in their order; `type` is that of DuckDB. */
    columns: readonly { name: string; unit: string; type: 'FLOAT' | 'DOUBLE' }[];
  }[];
  rows: readonly {
    series: RecordedName;
    step: Interval;
    /** For how long rows are kept, ms; null for always. */
    kept_ms: number | null;
    /** When the recording of the series began, Unix ms; null where it has not. */
    recorded_from: number | null;
    /** Start of the newest complete step with rows, Unix ms; null where the last 16 have none. */
    newest: number | null;
    /** Keys with a row in it. */
    keys: number;
    /** The first of them that names BTC, else the first one; null without any. */
    key: string | null;
    /** Rows of that key in the last `steps` complete steps: of 24 hours, of 7 days where a step is an hour, of 30 days where it is a day. */
    rows: number;
    steps: number;
    /** The Parquet files of ended periods; null where rows stay in the database. */
    files: RecordedFiles | null;
  }[];
}

/** Files of recorded rows. */
export interface RecordedFiles {
  /** Their folder, from that of the history on: `price/1m`. */
  folder: string;
  count: number;
  /** Names of the first and of the last, without their end: days, months or years. Null without files. */
  first: string | null;
  last: string | null;
}

/** The source that answers questions about recorded series, which is also the name of its lease. */
export const historySource = 'history';
/** Key of the status of the store on the topic `status`. */
export const historyStore = 'history/store/writes';

/** The bases with series of their order flow: these and the most traded ones, which are chosen again at this interval, ms. */
export const tracking = {
  always: ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE', 'BNB'],
  count: 30,
  every: hour,
} as const;

/** The bases that are tracked, by the turnovers of their perpetuals. */
export function trackedAmong(turnovers: readonly (readonly [symbol: string, usd: number])[]) {
  const first = turnovers.toSorted(([, a], [, b]) => b - a).map(([symbol]) => symbol);
  return [...new Set([...tracking.always, ...first])].slice(0, tracking.count);
}

/** In place of an exchange in a key: all exchanges together. */
export const aggregated = 'aggregated';

export type RecordedName = keyof RecordedColumns;

/** The settlement of a perpetual: a dollar currency or the base asset. */
export type Margin = 'stable' | 'coin';

/** The key of a row within its series, of its parts in their order: `binance/stable/BTC`, `spot/BTC`. */
export const recordedKey = (...parts: readonly string[]): string => parts.join('/');

/** Coins of the hot wallets of exchanges. */
const walletCoins = ['ETH', 'USDC', 'USDT'] as const;
/** Assets of lending pools, as pools name them. */
const lentAssets = ['USDC', 'USDT', 'DAI', 'WETH', 'WBTC', 'WSTETH'] as const;
const onEach = (first: readonly string[], second: readonly string[]) =>
  first.flatMap((one) => second.map((other) => recordedKey(one, other)));

export const onChainMeasures = ['gas', 'supply', 'wallets', 'supply_rate', 'borrow_rate'] as const;
export type OnChainMeasure = (typeof onChainMeasures)[number];

/** What is recorded of chains and lending: of each measure the things that it is of. */
export const onChainRecords = {
  gas: evmChainIds,
  supply: onEach(evmChainIds, stablecoins),
  wallets: onEach(
    hotWallets.map(({ label }) => label.replace('_hot', '')),
    walletCoins,
  ),
  supply_rate: lentAssets,
  borrow_rate: lentAssets,
} satisfies Record<OnChainMeasure, readonly string[]>;

/** The key of the folded trades of a market: `binance/BTCUSDT` of a perpetual, `binance/spot/BTCUSDT` of a spot market. */
export const footprintKey = (
  source: string,
  { kind, market }: Pick<Instrument, 'kind' | 'market'>,
) => (kind === 'spot' ? recordedKey(source, kind, market) : recordedKey(source, market));

/**
 * Rows of some keys of one series: those in [`from`, `to`], of each key the newest `limit`. A step that is not stored is
 * combined from the largest stored one that divides it.
 */
export interface RecordedParams {
  series: RecordedName;
  /** 1 to 64. */
  keys: readonly string[];
  step: Interval;
  /** 1 to 10,000. */
  limit: number;
  /** Unix ms, inclusive; `limit` steps before `to` when absent. */
  from?: number | undefined;
  /** Unix ms, inclusive; the present when absent. */
  to?: number | undefined;
}

/** How much of the requested range there is (the present step counts once it has a row). */
export interface Coverage {
  /** First and last requested step, Unix ms. */
  from: number;
  to: number;
  /** Rows that an unbroken record has. */
  expected: number;
  present: number;
  /** At least 95 % of the expected rows are there. */
  complete: boolean;
  /** At least one row came from an upstream, after its time. */
  backfilled: boolean;
}

/** The rows of one key. */
export interface RecordedRows {
  key: string;
  /** Ascending. */
  times: readonly number[];
  /** By name, each as long as `times`; null where the value is not known. */
  columns: Readonly<Record<string, readonly (number | null)[]>>;
  coverage: Coverage;
  /** When the recording of the series began, Unix ms: rows before it are back-filled ones. */
  recorded_from: number;
}

/** In the order of the keys; a key without rows has empty ones. */
export interface Recorded {
  series: RecordedName;
  /** Ms. */
  step: number;
  rows: readonly RecordedRows[];
}

/** Rows that a source samples itself: of the shortest step of a series, which hold unless there are rows already. */
export interface RecordParams {
  series: RecordedName;
  /** 1 to 10,000. */
  rows: readonly RecordRow[];
}
export interface RecordRow {
  key: string;
  /** Within the step, Unix ms. */
  time: number;
  values: Readonly<Record<string, number | null>>;
  /** Made after its time. */
  backfilled?: true;
}
/** The rows are stored. */
export interface RecordReply {
  rows: number;
}

/** The values of all keys of one series at some times: tables and rankings of all symbols are made of it. */
export interface RecordedAtParams {
  series: RecordedName;
  /** A stored step. */
  step: Interval;
  /** 1 to 32 times, Unix ms; each stands for the step that holds it. */
  times: readonly number[];
  /** How many steps before it may give the value where a step has none; 0 when absent, 12 at most. */
  carry?: number;
  /** Only keys that begin so, such as `spot/`. */
  prefix?: string;
}

export interface RecordedAt {
  series: RecordedName;
  /** The starts of the steps, in the order of the times asked for. */
  times: readonly number[];
  /** Keys with a value at one time at least. */
  keys: readonly string[];
  /** By column name: a list for each time, with a value (or null) for each key. */
  columns: Readonly<Record<string, readonly (readonly (number | null)[])[]>>;
  recorded_from: number;
}
