/** What was recorded, for those who serve it. Texts are JSON; they come some at a time, in the order of their receipt. */
import type { RecordedDay, TradePage, TradeQuestion } from '../../actors/topics/recordings.ts';

export type Texts = AsyncGenerator<readonly string[], void, undefined>;

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
