/**
 * The channels of a connection: which are in the messages that subscribe, and when each brought data. Upstreams take one channel in a
 * message, or a list of them. A channel is named by its element of that list, or by the whole message. A message that none can end is
 * one channel: it replaces the one before it.
 */
import { messageOf } from '../../read.ts';

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
