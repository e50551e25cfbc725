/** Every topic with its row type, the longest age of a row in use, and how long its stream is kept. */
import { day, minute } from '../../config/time.ts';
import type { AlertDelivery, AlertEvent, AlertRuleChange } from './alerts.ts';
import type { ChainState } from './chains.ts';
import type { ComputeStatus } from './compute.ts';
import type { DefiReading } from './defi.ts';
import type { PositionEvents, WalletTracking } from './hyperliquid-wallets.ts';
import type { Instrument, ListRequest } from './instruments.ts';
import type { Liquidations } from './liquidations.ts';
import type { IndicatorHistory, IndicatorReading, Series } from './market-indicators.ts';
import type {
  DerivativeRow,
  FutureRow,
  OpenInterestRow,
  PriceRow,
  Reading,
  ReferenceInput,
} from './market-rows.ts';
import type { OptionRow, OptionTrades } from './options.ts';
import type { BookSample, LargeOrderRow } from './order-book.ts';
import type { FeedReport, ProcessReport } from './status.ts';

/** The keys or the plan of an account have changed: processes with them in memory look them up again. */
export interface AccountChange {
  /** One more than that of the change before; from 1 again when Redis lost its memory. */
  number: number;
  account: string;
  /** The id of the one key that was revoked; absent where all of the account are to be looked up. */
  key?: string;
}

/** The rows of the topics that exchanges publish as readings of their parts: the feeds of a venue are made of them. */
export interface MarketRows {
  instruments: Instrument;
  prices: PriceRow;
  derivatives: DerivativeRow;
  openInterest: OpenInterestRow;
  futures: FutureRow;
  options: OptionRow;
}

export type MarketTopic = keyof MarketRows;
type MarketReadings = { [T in MarketTopic]: Reading<MarketRows[T]> };

export interface Topics extends MarketReadings {
  listRequests: ListRequest;
  /** The rows of a part that its stream has changed since the last entry. */
  priceChanges: Reading<PriceRow>;
  derivativeChanges: Reading<DerivativeRow>;
  openInterestChanges: Reading<OpenInterestRow>;
  liquidations: Liquidations;
  optionTrades: OptionTrades;
  positionEvents: PositionEvents;
  walletTracking: WalletTracking;
  orderBooks: Reading<BookSample>;
  largeOrders: Reading<LargeOrderRow>;
  referenceInputs: Reading<ReferenceInput>;
  status: FeedReport;
  processes: ProcessReport;
  accounts: AccountChange;
  alertRules: AlertRuleChange;
  alertEvents: AlertEvent;
  alertDeliveries: AlertDelivery;
  compute: ComputeStatus;
  chains: ChainState;
  defi: DefiReading;
  marketIndicators: IndicatorReading;
  indicatorHistories: IndicatorHistory;
  series: Series;
}

export type Topic = keyof Topics;

/** How a topic is kept. */
export interface TopicForm {
  /** The longest age of a reading in use, ms. */
  maxAge: number;
  /**
   * How long its stream keeps an entry, ms: the longest absence after which a follower misses nothing. Of a state topic one that was
   * away for longer reads all last values again.
   */
  keep: number;
  /** Every entry counts and none replaces another: a follower reads the whole stream first. */
  log?: true;
  /** Values that are published in one turn of the event loop are one entry, whatever their keys. */
  joined?: true;
  /** Most entries, whatever their age, where others decide how many there are. */
  most?: number;
}

/** Of a state topic: a follower that stood still, or whose connection was lost, goes on. */
const blink = 30_000;

/** Every topic by its name. */
export const topics: Readonly<Record<Topic, TopicForm>> = {
  instruments: { maxAge: day, keep: blink },
  listRequests: { maxAge: 10_000, keep: blink },
  prices: { maxAge: 300_000, keep: blink },
  // Venues that are asked market by market have each one every five minutes only.
  derivatives: { maxAge: 600_000, keep: blink },
  openInterest: { maxAge: 600_000, keep: blink },
  // After the readings that they change. Two intervals of the polls: what is older is in the readings.
  priceChanges: { maxAge: 300_000, keep: minute, log: true, joined: true },
  derivativeChanges: { maxAge: 600_000, keep: 2 * minute, log: true, joined: true },
  openInterestChanges: { maxAge: 600_000, keep: 2 * minute, log: true, joined: true },
  // Dated futures, which no other topic holds.
  futures: { maxAge: 600_000, keep: blink },
  // Each entry is a whole chain.
  options: { maxAge: 600_000, keep: blink },
  // An entry a stream and minute, and one for each burst of events. A market that falls all day must not leave accounts and keys on the
  // same server without memory: so many entries are 250 to 550 MB.
  liquidations: { maxAge: day, keep: day, most: 1_000_000, log: true },
  // The same of trades of options, of which there are less than a hundred thousand a day: 50 MB at most.
  optionTrades: { maxAge: day, keep: day, most: 100_000, log: true },
  // Of tracked wallets: an entry a wallet of which something large has changed.
  positionEvents: { maxAge: day, keep: day, most: 20_000, log: true },
  // No process follows it: whoever goes on with the tracking reads it back once.
  walletTracking: { maxAge: day, keep: 0 },
  // By exchange and kind: sampled every minute.
  orderBooks: { maxAge: 180_000, keep: blink },
  // By exchange and kind, sampled; of live books every few seconds, by stream and state.
  largeOrders: { maxAge: 180_000, keep: blink },
  // By exchange: asked for every five minutes.
  referenceInputs: { maxAge: 900_000, keep: blink },
  status: { maxAge: 300_000, keep: blink },
  processes: { maxAge: 20_000, keep: blink },
  accounts: { maxAge: 30_000, keep: blink },
  // Of the accounts: rules, what they have fired, and each attempt to deliver it.
  alertRules: { maxAge: day, keep: blink },
  // Of one account its newest alone: see `alerts/store`.
  alertEvents: { maxAge: day, keep: 7 * day, log: true },
  alertDeliveries: { maxAge: day, keep: day, log: true },
  compute: { maxAge: 20_000, keep: blink },
  // Rows of the following topics show their own age: the last good one is served, marked as stale.
  chains: { maxAge: 180_000, keep: blink },
  defi: { maxAge: 900_000, keep: blink },
  marketIndicators: { maxAge: 259_200_000, keep: blink },
  indicatorHistories: { maxAge: 259_200_000, keep: blink },
  // No process follows it: the job that stores a series reads it back once.
  series: { maxAge: 259_200_000, keep: 0 },
};

/** The topics of an exchange's polls. */
export const marketTopics: readonly MarketTopic[] = [
  'instruments',
  'prices',
  'derivatives',
  'openInterest',
  'futures',
  'options',
];

/** The topics whose rows are streamed beside the polls of the same parts, with the topic of the rows that a stream has changed. */
export const changesOf = {
  prices: 'priceChanges',
  derivatives: 'derivativeChanges',
  openInterest: 'openInterestChanges',
} as const satisfies Partial<Record<MarketTopic, Topic>>;

export type LiveTopic = keyof typeof changesOf;
