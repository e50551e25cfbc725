/** Which subscriptions of a stream have brought data: upstreams acknowledge names that they do not know. */

/** Most channels whose names are kept. */
const most = 10_000;

export class Spoken {
  readonly #channelIn: RegExp | undefined;
  readonly #names = new Set<string>();

  /** `channelIn` is that of the stream. */
  constructor(channelIn: RegExp | undefined) {
    this.#channelIn = channelIn;
  }

  /** How many have. */
  get count(): number {
    return this.#names.size;
  }

  /** Notes whose data a frame holds; where all that are acknowledged have spoken, there is nothing to look for. */
  note(text: string, acknowledged: number): void {
    if (this.#names.size >= Math.min(acknowledged, most)) return;
    const name = this.#channelIn?.exec(text)?.[1];
    if (name !== undefined) this.#names.add(name);
  }
}
