/**
 * WebSocket channels of an exchange: how it names topics in a frame, once, and what it sends on each of them. A channel of a
 * single market has `{id}` in its name, one of a group of markets `{group}`.
 */
import { isRecord, text } from '../../actors/read.ts';
import type { Market } from './market.ts';
import type { Model } from './model.ts';
import type { Channels } from './venue.ts';

export type Frame = Readonly<Record<string, unknown>>;

/** Where a connection was made to. */
export interface Address {
  host: string;
  path: string;
}

/** What a frame asks for; `again` where the same frame once more brings everything from the start. */
export interface Asked {
  on: boolean | 'again';
  topics: readonly string[];
}

/** A moment of a stream: `first` in answer to a subscription. */
export interface Moment {
  now: number;
  model: Model;
  first: boolean;
}

/** What the exchange sends on a channel. `keys` are those that are subscribed to: `<group> <id>`, without an id for all of a group. */
export interface Channel {
  messages(keys: ReadonlySet<string>, at: Moment, exchange: string): readonly unknown[];
  /** The group of the market that a topic names on this address; null where there is none. */
  group?(id: string, to: Address): string | null;
}

/** The streams of an exchange: its channels by the names of their topics. */
export interface Streams {
  id: string;
  channels: Readonly<Record<string, Channel>>;
  /** The topics that a frame subscribes to or gives up; null for any other frame. */
  topics(frame: Frame, to: Address): Asked | null;
  /** The group of the market with this id; null where the address has none. The empty group when absent. */
  group?(id: string, to: Address): string | null;
  numbered?: Channels['numbered'];
  gzip?: true;
}

/** The last frame, which is read for its topics and for its answer. */
const last: { frame: string; value: Frame } = { frame: '', value: {} };

/** A frame as an object; empty where it is none. */
export function objectOf(frame: string): Frame {
  if (frame === last.frame) return last.value;
  last.frame = frame;
  last.value = {};
  try {
    const value: unknown = JSON.parse(frame);
    if (isRecord(value)) last.value = value;
  } catch {
    // It is not JSON.
  }
  return last.value;
}

/** The texts of a list; of anything else none. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(text).filter((one) => one !== '') : [];

/** The objects of a list; of anything else none. */
export const recordsOf = (value: unknown): Frame[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

/** What a frame asks for by its word. */
export const ordered = (word: unknown, [on, off]: readonly [string, string], topics: string[]) =>
  word === on || word === off ? { on: word === on, topics } : null;
export const subscribing = ['subscribe', 'unsubscribe'] as const;

/** Reads the id of a market out of a topic of this name; the empty id where the name has none. */
function idIn(name: string): (topic: string) => string | null {
  const [before = '', after] = name.split(/\{id\}|\{group\}/);
  if (after === undefined) return (topic) => (topic === name ? '' : null);
  return (topic) => {
    const isOwn = topic.startsWith(before) && topic.endsWith(after);
    const id = isOwn ? topic.slice(before.length, topic.length - after.length) : '';
    return id === '' ? null : id;
  };
}

/** The channels of an exchange as the server asks them. */
export function streamsOf(about: Streams): Channels {
  const all = Object.entries(about.channels).map(([name, channel], at) => ({
    channel,
    prefix: `${at} `,
    idOf: idIn(name),
    isGroup: name.includes('{group}'),
  }));
  const namesOf = (topic: string, to: Address): string[] =>
    all.flatMap(({ channel, prefix, idOf, isGroup }) => {
      const id = idOf(topic);
      if (id === null) return [];
      if (isGroup) return [`${prefix}${id} `];
      const group = (channel.group ?? about.group)?.(id, to);
      return group === null ? [] : [`${prefix}${group ?? ''} ${id}`];
    });
  const asked = (frame: string, to: Address, on: boolean): string[] => {
    const found = about.topics(objectOf(frame), to);
    if (found === null || (found.on !== on && found.on !== 'again')) return [];
    return found.topics.flatMap((topic) => namesOf(topic, to));
  };
  return {
    every: 1_000,
    ...(about.gzip && { gzip: about.gzip }),
    ...(about.numbered && { numbered: about.numbered }),
    named: (frame, to) => asked(frame, to, true),
    ended: (frame, to) => asked(frame, to, false),
    messages: (names, at) =>
      all.flatMap(({ channel, prefix }) => {
        const own = [...names].filter((name) => name.startsWith(prefix));
        if (own.length === 0) return [];
        const keys = new Set(own.map((name) => name.slice(prefix.length)));
        return channel.messages(keys, at, about.id);
      }),
  };
}

/** True once in so many seconds. */
export const isEvery = (seconds: number, now: number): boolean => (now / 1_000) % seconds === 0;

/** So many of the most traded markets of a kind change every second, and so many of the others by turns. */
const [busy, others] = [12, 12];

/** Those of the largest assets first, in whatever quote: lists of exchanges have one quote after the other. */
function mostTraded(model: Model, markets: readonly Market[]): Market[] {
  const ranks = new Map(model.assets.map(({ symbol }, rank) => [symbol, rank]));
  const rankOf = ({ symbol }: Market) => ranks.get(symbol) ?? ranks.size;
  return markets.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function movingOf(model: Model, now: number, exchange: string, group: string): Market[] {
  const all = model.markets(exchange, now, group === '' ? undefined : group);
  const live = all.filter(({ state }) => state === 'live');
  const kinds = [...Map.groupBy(mostTraded(model, live), ({ kind }) => kind).values()];
  const rest = kinds.flatMap((markets) => markets.slice(busy));
  const turns = Math.max(1, Math.ceil(rest.length / others));
  const at = ((now / 1_000) % turns) * others;
  const first = kinds.flatMap((markets) => markets.slice(0, busy));
  return [...first, ...rest.slice(at, at + others)];
}

/** The last answers of `movingMarkets`: every connection of a second asks for the same ones. */
const moving = new WeakMap<Model, Map<string, { now: number; markets: readonly Market[] }>>();

/** The markets of a group that change in the second `now`; those of all groups with the empty one. */
export function movingMarkets(
  { model, now }: Pick<Moment, 'model' | 'now'>,
  exchange: string,
  group: string,
): readonly Market[] {
  const known = moving.get(model) ?? new Map();
  moving.set(model, known);
  const key = `${exchange} ${group}`;
  const found = known.get(key);
  if (found?.now === now) return found.markets;
  const markets = movingOf(model, now, exchange, group);
  if (markets.length > 0) known.set(key, { now, markets });
  return markets;
}

interface Telling {
  /** Seconds between two messages; every second when absent. */
  every?: number;
  /** What stands for a market in the topic; its id when absent. */
  id?(market: Market): string;
  /** Every market has a message in answer to the subscription, and not only those that move. */
  whole?: true;
  group?: Channel['group'];
}

/** The markets of a group that are told of: those that move, or in answer to a subscription all that trade. */
function toldOf(at: Moment, exchange: string, [group, whole]: readonly [string, unknown]) {
  if (!whole || !at.first) return movingMarkets(at, exchange, group);
  const all = at.model.markets(exchange, at.now, group === '' ? undefined : group);
  return all.filter(({ state }) => state === 'live');
}

/** The groups of the markets that are subscribed to. */
export const groupsOf = (keys: ReadonlySet<string>): string[] => [
  ...new Set([...keys].map((key) => key.slice(0, key.indexOf(' ')))),
];

/** Messages about the markets of each group that move in a second, of those that are subscribed to. */
export const tickers = (
  tell: (markets: readonly Market[], at: Moment) => readonly unknown[],
  { every = 1, id = (market) => market.id, whole, group: groupOf }: Telling = {},
): Channel => ({
  ...(groupOf && { group: groupOf }),
  messages(keys, at, exchange) {
    if (!at.first && !isEvery(every, at.now)) return [];
    return groupsOf(keys).flatMap((group) => {
      const found = toldOf(at, exchange, [group, whole]);
      const isAll = keys.has(`${group} `);
      const sent = found.filter((market) => isAll || keys.has(`${group} ${id(market)}`));
      return sent.length === 0 ? [] : tell(sent, at);
    });
  },
});

/** The same with a message for each market. */
export const ticker = (
  tell: (market: Market, at: Moment) => unknown,
  more: Telling = {},
): Channel => tickers((markets, at) => markets.map((market) => tell(market, at)), more);

/** Messages every so many seconds, and in answer to the subscription where `first`. */
export const timed = (
  seconds: number,
  tell: (at: Moment, groups: readonly string[]) => readonly unknown[],
  { first = false, group }: { first?: boolean; group?: Channel['group'] } = {},
): Channel => ({
  ...(group && { group }),
  messages: (keys, at) =>
    (first && at.first) || (!at.first && isEvery(seconds, at.now))
      ? tell(
          at,
          [...keys].map((key) => key.trim()),
        )
      : [],
});
