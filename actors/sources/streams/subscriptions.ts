/** What a connection asks for: the channels that are wanted, the messages that have subscribed to them, and what was answered. */
import { hour } from '../../../config/time.ts';
import type { InstrumentMap } from '../define.ts';
import { channelsIn, ending, without } from './channels.ts';
import type { Wiring } from './stream.ts';

/** Markets that one connection has, or two while it is replaced. */
export interface Share {
  markets: InstrumentMap;
  /** Connections that ended, or did not open, since the last good one; whether the next one is to the address behind the first. */
  attempts: number;
  /** Connections one after another of which the upstream has not acknowledged all subscriptions. */
  partial: number;
  isBehind: boolean;
  suspects: Suspects;
}

/** The messages that end connections: some upstreams drop one that names a market which they do not know. Times are monotonic, ms. */
export class Suspects {
  #last: string | null = null;
  readonly #until = new Map<string, number>();

  /**
   * A connection has ended; `message` is the first one without an answer. It is the last one of the next connection, and left out for an
   * hour where that ends with it too: an upstream that drops every connection at once ends the next one with another message.
   */
  note(message: string | null, now: number): void {
    if (message !== null && message === this.#last) this.#until.set(message, now + hour);
    this.#last = message;
  }

  /** The messages that may be sent, in their order. */
  without(messages: readonly string[], now: number): string[] {
    const sent = messages.filter((one) => now >= (this.#until.get(one) ?? 0));
    return sent.sort((one, other) => Number(one === this.#last) - Number(other === this.#last));
  }
}

type Answers = Pick<Wiring, 'acknowledges' | 'acknowledgesAll' | 'refuses'>;

export class Subscriptions {
  /** Refusals after which the rest was subscribed to again, and messages that are left out. */
  refused = 0;
  leftOut = 0;
  readonly #stream: Answers;
  #wanted: ReadonlySet<string> = new Set();
  #sent: readonly string[] = [];
  #acknowledged = 0;
  /** Channels that the upstream does not know. */
  #unknown = 0;

  constructor(stream: Answers) {
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

  /** The first message without an acknowledgement, where each subscribes to one channel; null without one. */
  get unanswered(): string | null {
    return this.#sent[this.#acknowledged] ?? null;
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
    const { acknowledges, acknowledgesAll, refuses } = this.#stream;
    // Once all are acknowledged, data are not read as an acknowledgement.
    if (acknowledgesAll) this.#acknowledged = acknowledges?.(message) || this.#acknowledged;
    else if (this.#acknowledged < this.#wanted.size)
      this.#acknowledged += acknowledges?.(message) ?? 0;
    const found = refuses?.(message, this.#sent) ?? null;
    if (found === null || (found.rest?.length ?? 0) >= found.of.length) return null;
    const { of, rest } = found;
    this.refused += 1;
    this.#unknown += channelsIn(of).length - (rest === null ? 0 : channelsIn(rest).length);
    this.#sent = this.#sent.flatMap((one) => (one === of ? (rest ?? []) : one));
    return rest;
  }
}
