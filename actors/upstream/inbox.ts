/** A bounded queue in front of an asynchronous handler. */
import type { ByteBudget, Share } from './budget.ts';

export interface InboxOptions {
  /** Most messages that wait. */
  capacity: number;
  /** The budget that counts the waiting texts. */
  budget: ByteBudget;
  /** The next message waits until the promise settles. */
  handle: (text: string) => void | Promise<void>;
  /** Takes an exception of `handle`; the next message follows. */
  onError: (error: unknown) => void;
}

/** Hands messages over one at a time, in order. When full, the oldest makes room: new data is worth more than old. */
export class Inbox {
  readonly #options: InboxOptions;
  readonly #waiting: string[] = [];
  readonly #share: Share;
  #dropped = 0;
  #closed = false;
  #busy = false;
  #work: Promise<void> = Promise.resolve();

  constructor(options: InboxOptions) {
    if (!(options.capacity >= 1)) throw new RangeError('an inbox must hold at least 1 message');
    this.#options = options;
    this.#share = options.budget.open(() => {
      this.#dropped += this.#waiting.length;
      this.#waiting.length = 0;
    });
  }

  /** Messages that made room for newer ones. */
  get dropped(): number {
    return this.#dropped;
  }

  push(text: string): void {
    if (this.#closed) return;
    // A frame that is handled at once waits for nothing: a burst of thousands is not a queue.
    if (!this.#busy) this.#hand(text);
    else this.#wait(text);
  }

  #wait(text: string): void {
    if (this.#waiting.length >= this.#options.capacity) {
      this.#next();
      this.#dropped++;
    }
    if (this.#share.take(text.length)) this.#waiting.push(text);
    else {
      // This inbox held the most: it starts empty again.
      this.#dropped += this.#waiting.length + 1;
      this.#waiting.length = 0;
    }
  }

  /** Forgets what waits; settles when the message in hand is done. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.length = 0;
    this.#share.end();
    await this.#work;
  }

  /** Takes the oldest text that waits. */
  #next(): string | undefined {
    const text = this.#waiting.shift();
    if (text !== undefined) this.#share.give(text.length);
    return text;
  }

  #hand(text: string): void {
    this.#busy = true;
    const handling = this.#handle(text);
    if (handling !== undefined || this.#waiting.length > 0) this.#work = this.#drain(handling);
    else this.#busy = false;
  }

  /** Handles a text; returns a promise where the handler does. Exceptions are reported. */
  #handle(text: string): Promise<void> | undefined {
    const { handle, onError } = this.#options;
    try {
      const handled = handle(text);
      return handled instanceof Promise ? handled.catch(onError) : undefined;
    } catch (error) {
      onError(error);
      return undefined;
    }
  }

  async #drain(first: Promise<void> | undefined): Promise<void> {
    await first;
    for (let text = this.#next(); text !== undefined; text = this.#next()) {
      const handling = this.#handle(text);
      if (handling !== undefined) await handling;
    }
    this.#busy = false;
  }
}
