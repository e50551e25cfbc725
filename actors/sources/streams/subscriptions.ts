/**
 * What a connection asks for: the channels that are wanted, the messages that have subscribed to them, what was answered, and when each
 * brought data. Upstreams take one channel in a message, or a list of them. A channel is named by its element of that list, or by the
 * whole message. A message that none can end is one channel: it replaces the one before it.
 */
import { hour } from '../../../config/time.ts';
import { messageOf } from '../../read.ts';
import type { InstrumentMap } from '../define.ts';
import type { Wiring } from './stream.ts';

/** The longest list of things of one type anywhere in a message; empty without any. */
function listIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value) && value.every((one) => typeof one === typeof value[0]);
  const lists = Object.values(value).map(listIn);
  return lists.reduce(
    (one, other) => (other.length > one.length ? other : one),
    isList ? value : [],
  );
}

/** The word that subscribes: as a member, a value, or a part of a value behind or before a separator. */
const word = /(?<=["/:.])(sub(?:scribe)?|SUBSCRIBE)(?=[".])/;

/** A message as JSON, and the list in it, which is empty where the message is one channel. */
function listed(message: string): { whole: unknown; list: unknown[] } {
  const whole = word.test(message) ? messageOf(message) : null;
  return { whole, list: listIn(whole) };
}

/** The channels that a message subscribes to. */
export function channelsIn(message: string): string[] {
  const { list } = listed(message);
  return list.length > 0 ? list.map((one) => JSON.stringify(one)) : [message];
}

/** The message without some of its channels; null where none is left. */
export function without(message: string, isOut: (channel: string) => boolean): string | null {
  const channels = channelsIn(message);
  if (channels.every(isOut)) return null;
  if (!channels.some(isOut)) return message;
  const { whole, list } = listed(message);
  list.splice(0, list.length, ...list.filter((_, at) => !isOut(channels[at] ?? '')));
  return JSON.stringify(whole);
}

/**
 * The message that ends what this one subscribes to; null without one, and where it has none of the words that exchanges document in
 * both forms: `subscribe`, `SUBSCRIBE` and `sub`, with `unsubscribe`, `UNSUBSCRIBE` and `unsub`.
 */
export const ending = (message: string | null): string | null =>
  message !== null && word.test(message)
    ? message.replace(word, (found) => `${found === 'SUBSCRIBE' ? 'UN' : 'un'}${found}`)
    : null;

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

/** Data within this time count as one beat: trades come in bursts. */
const beatMs = 1_000;
/** Beats after which the mean time between them says something. */
const enough = 8;
/** The mean follows a change over about so many beats. */
const smoothing = 16;
/** Data are absent after so many times the mean: a quiet market is asked for again once in a long time at most. */
const times = 20;

interface Beat {
  last: number;
  /** Mean time between two, ms. */
  gap: number;
  count: number;
}

function note(beats: Map<string, Beat>, name: string, now: number): void {
  const beat = beats.get(name);
  if (!beat) beats.set(name, { last: now, gap: 0, count: 1 });
  else if (now - beat.last >= beatMs) {
    beat.gap += (now - beat.last - beat.gap) / Math.min(beat.count, smoothing);
    beat.count += 1;
    beat.last = now;
  }
}

/** All markets of a topic. */
const all = '';

/** Times are by the monotonic clock, ms. */
export class Beats {
  /** By topic and market. */
  readonly #topics = new Map<string, Map<string, Beat>>();

  /** How many markets have brought data. */
  get markets(): number {
    const found = new Set([...this.#topics.values()].flatMap((beats) => [...beats.keys()]));
    found.delete(all);
    return found.size;
  }

  /** Whether data of any topic come regularly. */
  get areSteady(): boolean {
    return [...this.#topics.values()].some((beats) => (beats.get(all)?.count ?? 0) >= enough);
  }

  /** Data of a market have come. */
  note(now: number, topic: string, market: string): void {
    const known = this.#topics.get(topic);
    const beats = known ?? new Map<string, Beat>();
    if (!known) this.#topics.set(topic, beats);
    note(beats, all, now);
    note(beats, market, now);
  }

  /** Forgets these markets. */
  forget(markets: Iterable<string>): void {
    for (const market of markets) for (const beats of this.#topics.values()) beats.delete(market);
  }

  /**
   * For how long data are absent that came regularly, ms: those of a topic and, with `each`, those of a market of it. `least` is the
   * shortest absence. Null while none are.
   */
  quiet(now: number, least: number, each: boolean): number | null {
    for (const beats of this.#topics.values())
      for (const [market, { last, gap, count }] of beats) {
        const isLong = count >= enough && now - last >= Math.max(least, times * gap);
        if (isLong && (each || market === all)) return now - last;
      }
    return null;
  }
}
