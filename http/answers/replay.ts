/** What was recorded, for those who serve it. Texts are JSON; they come some at a time, in the order of their receipt. */

export type Texts = AsyncGenerator<readonly string[], void, undefined>;

/** The recordings of an exchange of one day. Times are Unix ms. */
export interface RecordedDay {
  exchange: string;
  /** UTC, such as `2026-11-29`. */
  day: string;
  from: number;
  to: number;
  files: number;
  bytes: number;
  types: string[];
  symbols: string[];
  gaps: number;
}

/** A question for the trades of a market; Unix ms, `to` is not included. */
export interface TradeQuestion {
  exchange: string;
  market: string;
  kind?: 'spot' | 'perpetual' | undefined;
  from: number;
  to: number;
  limit: number;
  cursor: string | null;
}

/** Trades that were recorded, oldest first; `gaps` are Unix ms. */
export interface TradePage {
  trades: {
    id: string | null;
    timestamp: number;
    received: number;
    side: 'buy' | 'sell';
    price: number;
    quantity: number;
  }[];
  gaps: number[];
  next: string | null;
}

export interface ReplaySource {
  /** Null for an exchange or a cursor that is none. */
  trades(question: TradeQuestion): Promise<TradePage | null>;
  /** By exchange and day, the newest `most` days of one exchange or of each. */
  days(exchange: string | undefined, most: number): Promise<RecordedDay[]>;
  /** Lines as `/replay` has them, without their ends. Throws an Error for options that are none; its message is for the client. */
  lines(options: unknown): Texts;
  /** Messages as exchanges have sent them, of the channels of these subscriptions. Throws as `lines`. */
  native(options: unknown, subscriptions: readonly string[]): Texts;
  /** Messages of one form. Throws as `lines`. */
  normalised(options: unknown): Texts;
  /** The same as they are recorded, until the signal. Throws as `lines`. */
  live(options: unknown, signal: AbortSignal): Texts;
}
