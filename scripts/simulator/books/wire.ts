/** Streams of order books: the ladder of each second as a snapshot, or as what has changed since the second before. */
import { type BookLevel, bookOf, type WireLevel } from '../book.ts';
import { objectOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import type { Channels } from '../venue.ts';

/** The book of a market at one time: whole, or its changes. */
export interface BookUpdate {
  market: Market;
  /** Unix ms. */
  now: number;
  whole: boolean;
  /** Numbers of the last change in it, and of the last one before it. */
  id: number;
  previous: number;
  bids: readonly WireLevel[];
  asks: readonly WireLevel[];
  /** The mid price is not below that of the book before. */
  rising: boolean;
  /** The 25 best levels of each side after it. */
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
  /**
   * Whether the frame subscribes (`true`, or `again` where the same frame again brings a whole book) or unsubscribes, and to
   * which markets; null for a frame about something else.
   */
  asked(
    frame: Readonly<Record<string, unknown>>,
    to: { host: string; path: string },
  ): { on: boolean | 'again'; markets: readonly Asked[] } | null;
  /** The markets whose whole book a frame asks for, where the subscription does not bring it. */
  requested?(
    frame: Readonly<Record<string, unknown>>,
    to: { host: string; path: string },
  ): readonly Asked[];
  /** The market of these names; by its group and id when absent. */
  find?(markets: readonly Market[], asked: Asked): Market | undefined;
  /** The message; null where the venue sends none, as for a snapshot that has to be asked for. */
  tell(update: BookUpdate): unknown;
  /** Every message is a whole book. */
  whole?: true;
  /** `tell` gives a list of messages. */
  apart?: true;
  numbered?: Channels['numbered'];
}

const second = 1_000;
const mostTop = 25;

/** Books of a thousand levels change this seldom, ms: a stream of them would take most of the simulator's time. */
export const deepEvery = 5_000;
/** When a book of so many levels is that of `now`. */
export const bookTime = (now: number, levels: number): number =>
  levels < 1_000 ? now : now - (now % deepEvery);

/** What channels are named by: the changes of a book, or one answer with the whole of it. */
const [changesOf, wholeOf] = ['book ', 'whole '];
const named = (prefix: string, markets: readonly Asked[]) =>
  markets.map(({ group, id }) => `${prefix}${group} ${id}`);

const rowsOf = (levels: readonly BookLevel[]) => levels.map(({ wire }) => wire);

/** The levels of before that are gone, and those of now that are new or have another quantity; prices rise or fall by `step`. */
function changed(
  before: readonly BookLevel[],
  after: readonly BookLevel[],
  step: 1 | -1,
): WireLevel[] {
  const [gone, fresh]: [WireLevel[], WireLevel[]] = [[], []];
  let at = 0;
  for (const level of after) {
    for (let old = before[at]; old && (level.price - old.price) * step > 0; old = before[++at])
      gone.push([old.wire[0], '0']);
    const old = before[at];
    if (old?.price === level.price) at++;
    if (old === level) continue;
    if (old?.price !== level.price || old.wire[1] !== level.wire[1]) fresh.push(level.wire);
  }
  return [...gone, ...before.slice(at).map(({ wire }): WireLevel => [wire[0], '0']), ...fresh];
}

/** A book with twice its mid price. */
interface WireBook {
  now: number;
  depth: number;
  id: number;
  middle: number;
  bids: readonly BookLevel[];
  asks: readonly BookLevel[];
}

/** The last two books of a market: the next update is compared with one of them. */
const lastBooks = new WeakMap<Market, readonly WireBook[]>();

function wireBook(market: Market, now: number, depth: number): WireBook {
  const last = lastBooks.get(market) ?? [];
  const known = last.find((one) => one.now === now && one.depth === depth);
  if (known) return known;
  const { bids, asks, updateId: id } = bookOf(market, now, depth);
  const middle = (bids[0]?.price ?? 0) + (asks[0]?.price ?? 0);
  const made = { now, depth, id, middle, bids, asks };
  lastBooks.set(market, [made, ...last].slice(0, 2));
  return made;
}

/** A snapshot is that of the last update. */
function updateOf(
  market: Market,
  at: number,
  { depth, every, whole }: { depth: number; every: number; whole: boolean },
): BookUpdate {
  const now = at - (at % every);
  const [before, after] = [wireBook(market, now - every, depth), wireBook(market, now, depth)];
  const { id, bids, asks } = after;
  return {
    ...{ market, now, whole, id, previous: before.id },
    bids: whole ? rowsOf(bids) : changed(before.bids, bids, -1),
    asks: whole ? rowsOf(asks) : changed(before.asks, asks, 1),
    rising: after.middle >= before.middle,
    top: { bids: rowsOf(bids.slice(0, mostTop)), asks: rowsOf(asks.slice(0, mostTop)) },
  };
}

/** The messages about one market. */
function messagesOf(wire: BookWire, market: Market, at: { now: number; first: boolean }) {
  const { depth, every = second, whole = at.first, apart, tell } = wire;
  const made = tell(updateOf(market, at.now, { depth, every, whole }));
  if (made === null) return [];
  return apart && Array.isArray(made) ? made : [made];
}

/** The channels of books alone. */
export function bookChannels(wire: BookWire): Channels {
  const { venue, every = second, find, requested } = wire;
  const channelsOf = (frame: string, to: { host: string; path: string }, on: boolean) => {
    const message = objectOf(frame);
    const asked = wire.asked(message, to);
    // A question may be repeated: it ends where it begins.
    const wholes = named(wholeOf, requested?.(message, to) ?? []);
    return asked && (asked.on === on || asked.on === 'again')
      ? [...wholes, ...named(changesOf, asked.markets)]
      : wholes;
  };
  /** Whether a channel has a message: in answer to its subscription, and when an update is due. */
  const isDue = (channel: string, now: number, first: boolean): boolean => {
    const isWhole = channel.startsWith(wholeOf);
    if (first) return isWhole || (requested === undefined && channel.startsWith(changesOf));
    return !isWhole && channel.startsWith(changesOf) && now % every === 0;
  };
  return {
    every: second,
    named: (frame, to) => channelsOf(frame, to, true),
    ended: (frame, to) => channelsOf(frame, to, false),
    ...(wire.numbered && { numbered: wire.numbered }),
    messages(channels, { now, model, first }) {
      const due = [...channels].filter((channel) => isDue(channel, now, first));
      return due.flatMap((channel) => {
        const [, group = '', id = ''] = channel.split(' ');
        const market = find
          ? find(model.markets(venue, now), { group, id })
          : model.market(venue, group, id, now);
        return market?.state === 'live' ? messagesOf(wire, market, { now, first }) : [];
      });
    },
  };
}
