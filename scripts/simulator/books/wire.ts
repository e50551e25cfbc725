/** Streams of order books: the ladder of each second as a snapshot, or as what has changed since the second before. */
import { type BookLevel, bookOf } from '../book.ts';
import { plain } from '../format.ts';
import { objectOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import type { Channels } from '../venue.ts';

/** A level: price and quantity as text; a quantity of `0` deletes. */
export type WireLevel = readonly [price: string, quantity: string];

/** The book of a market at one time: whole, or its changes. */
export interface BookTold {
  market: Market;
  /** Unix ms. */
  now: number;
  whole: boolean;
  /** Numbers of the last change in it, and of the last one before it. */
  id: number;
  previous: number;
  bids: readonly WireLevel[];
  asks: readonly WireLevel[];
  /** The ten best levels of each side after it. */
  top: { bids: readonly WireLevel[]; asks: readonly WireLevel[] };
}

/** A market as a frame names it. */
export interface Asked {
  group: string;
  id: string;
}

/** How a venue speaks of books. */
export interface BookWire {
  venue: string;
  /** Levels a side. */
  depth: number;
  /** Between two updates, whole seconds in ms; a second when absent. */
  every?: number;
  /** Whether the frame subscribes (`true`) or unsubscribes, and to which markets; null for a frame about something else. */
  asked(
    frame: Readonly<Record<string, unknown>>,
    to: { host: string; path: string },
  ): { on: boolean; markets: readonly Asked[] } | null;
  /** The market of these names; by its group and id when absent. */
  find?(markets: readonly Market[], asked: Asked): Market | undefined;
  /** The message; null where the venue sends none, as for a snapshot that has to be asked for. */
  tell(told: BookTold): unknown;
  numbered?: Channels['numbered'];
}

const second = 1_000;

/** Books of a thousand levels change this seldom, ms: a stream of them would take most of the simulator's time. */
export const deepEvery = 5_000;
/** When a book of so many levels is that of `now`. */
export const bookTime = (now: number, levels: number): number =>
  levels < 1_000 ? now : now - (now % deepEvery);

const prefix = 'book ';

const rowsOf = (market: Market, levels: readonly BookLevel[]) =>
  levels.map(
    ({ price, quantity }): WireLevel => [
      plain(price, market.decimals),
      plain(quantity, Math.max(0, market.lot)),
    ],
  );

/** The levels of now, after those of before that are gone. */
function changed(before: readonly WireLevel[], after: readonly WireLevel[]): WireLevel[] {
  const prices = new Set(after.map(([price]) => price));
  const gone = before.filter(([price]) => !prices.has(price));
  return [...gone.map(([price]): WireLevel => [price, '0']), ...after];
}

function toldOf(
  market: Market,
  now: number,
  { depth, every = second, whole }: { depth: number; every?: number | undefined; whole: boolean },
): BookTold {
  const [after, before] = [bookOf(market, now, depth), bookOf(market, now - every, depth)];
  const [bids, asks] = [rowsOf(market, after.bids), rowsOf(market, after.asks)];
  return {
    ...{ market, now, whole, id: after.updateId, previous: before.updateId },
    bids: whole ? bids : changed(rowsOf(market, before.bids), bids),
    asks: whole ? asks : changed(rowsOf(market, before.asks), asks),
    top: { bids: bids.slice(0, 10), asks: asks.slice(0, 10) },
  };
}

/** The channels of books alone. */
export function bookChannels(wire: BookWire): Channels {
  const { venue, depth, every = second, find } = wire;
  const channelsOf = (frame: string, to: { host: string; path: string }, on: boolean) => {
    const asked = wire.asked(objectOf(frame), to);
    return asked?.on === on ? asked.markets.map(({ group, id }) => `${prefix}${group} ${id}`) : [];
  };
  return {
    every: second,
    named: (frame, to) => channelsOf(frame, to, true),
    ended: (frame, to) => channelsOf(frame, to, false),
    ...(wire.numbered && { numbered: wire.numbered }),
    messages: (channels, { now, model, first }) =>
      [...channels].flatMap((channel) => {
        if (!channel.startsWith(prefix) || (!first && now % every > 0)) return [];
        const [group = '', id = ''] = channel.slice(prefix.length).split(' ');
        const market = find
          ? find(model.markets(venue, now), { group, id })
          : model.market(venue, group, id, now);
        if (market?.state !== 'live') return [];
        return wire.tell(toldOf(market, now, { depth, every, whole: first })) ?? [];
      }),
  };
}
