/** What was recorded, for those who serve it. Texts are JSON; they come some at a time, in the order of their receipt. */

export type Texts = AsyncGenerator<readonly string[], void, undefined>;

export interface ReplaySource {
  /** Lines as `/replay` has them, without their ends. Throws an Error for options that are none; its message is for the client. */
  lines(options: unknown): Texts;
  /** Messages as exchanges have sent them, of the channels of these subscriptions. Throws as `lines`. */
  native(options: unknown, subscriptions: readonly string[]): Texts;
  /** Messages of one form. Throws as `lines`. */
  normalised(options: unknown): Texts;
}
