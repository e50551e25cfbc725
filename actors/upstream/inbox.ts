/** A bounded queue in front of an asynchronous handler. */

export interface InboxOptions {
  /** Most messages that wait. */
  capacity: number;
  /** The next message waits until the promise settles. */
  handle: (text: string) => void | Promise<void>;
  /** What `handle` threw; the next message follows. */
  onError: (error: unknown) => void;
}

/** Hands messages over one at a time, in order. When full, the oldest makes room: new data is worth more than old. */
export class Inbox {
  readonly #options: InboxOptions;
  readonly #waiting: string[] = [];
  #dropped = 0;
  #closed = false;
  #busy = false;
  #work: Promise<void> = Promise.resolve();

  constructor(options: InboxOptions) {
    if (!(options.capacity >= 1)) throw new RangeError('an inbox must hold at least 1 message');
    this.#options = options;
  }

  /** Messages that made room for newer ones. */
  get dropped(): number {
    return this.#dropped;
  }

  push(text: string): void {
    if (this.#closed) return;
    if (this.#waiting.length >= this.#options.capacity) {
      this.#waiting.shift();
      this.#dropped++;
    }
    this.#waiting.push(text);
    if (!this.#busy) this.#work = this.#drain();
  }

  /** Forgets what waits; settles when the message in hand is done. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.length = 0;
    await this.#work;
  }

  async #drain(): Promise<void> {
    const { handle, onError } = this.#options;
    this.#busy = true;
    for (let text = this.#waiting.shift(); text !== undefined; text = this.#waiting.shift()) {
      try {
        await handle(text);
      } catch (error) {
        onError(error);
      }
    }
    this.#busy = false;
  }
}
