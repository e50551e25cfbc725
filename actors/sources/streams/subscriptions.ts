/** What a connection asks for: the channels that are wanted, the messages that have subscribed to them, and what was answered. */
import { channelsIn, ending, without } from './channels.ts';
import type { Wiring } from './stream.ts';

export class Subscriptions {
  /** Refusals after which the rest was subscribed to again. */
  refused = 0;
  readonly #stream: Pick<Wiring, 'acknowledges' | 'refuses'>;
  #wanted: ReadonlySet<string> = new Set();
  #sent: readonly string[] = [];
  #acknowledged = 0;
  /** Channels that the upstream does not know. */
  #unknown = 0;

  constructor(stream: Pick<Wiring, 'acknowledges' | 'refuses'>) {
    this.#stream = stream;
  }

  /** Channels that are wanted. */
  get size(): number {
    return this.#wanted.size;
  }

  /** Subscriptions that the upstream has acknowledged. */
  get acknowledged(): number {
    return Math.min(this.#acknowledged, this.#wanted.size);
  }

  /** Whether an upstream that acknowledges has left some unanswered, or refused them without a name that it does not know. */
  get isPartial(): boolean {
    const isAcknowledged = this.#acknowledged + this.#unknown >= this.#wanted.size;
    return this.#stream.acknowledges !== undefined && !isAcknowledged;
  }

  /** Wants the channels of these messages and no others: the messages that end what is not wanted any more, and those that add what is new. */
  want(messages: readonly string[]): { ended: (string | null)[]; added: string[] } {
    const before = this.#wanted;
    this.#wanted = new Set(messages.flatMap(channelsIn));
    const isWanted = (channel: string) => this.#wanted.has(channel);
    const isKnown = (channel: string) => before.has(channel);
    this.#acknowledged = Math.min(this.#acknowledged, [...before].filter(isWanted).length);
    const ended = this.#sent.map((message) => ending(without(message, isWanted)));
    const added = messages.flatMap((message) => without(message, isKnown) ?? []);
    this.#sent = [...this.#sent.filter((one) => channelsIn(one).some(isWanted)), ...added];
    return { ended, added };
  }

  /** Counts an acknowledgement; the message that subscribes again to what a refusal has taken along, or null. Each time it becomes shorter, so that this ends. */
  hear(message: unknown): string | null {
    const { acknowledges, refuses } = this.#stream;
    if (this.#acknowledged < this.#wanted.size) this.#acknowledged += acknowledges?.(message) ?? 0;
    const found = refuses?.(message, this.#sent) ?? null;
    if (found === null || (found.rest?.length ?? 0) >= found.of.length) return null;
    const { of, rest } = found;
    this.refused += 1;
    this.#unknown += channelsIn(of).length - (rest === null ? 0 : channelsIn(rest).length);
    this.#sent = this.#sent.flatMap((one) => (one === of ? (rest ?? []) : one));
    return rest;
  }
}
