/** Markets that a venue's ticker channels tell of in a second: changed ones alone, as the venues do. */
import type { Market } from '../market.ts';
import type { Model } from '../model.ts';
import type { Channels } from '../venue.ts';

/** So many of the most traded markets of a kind change every second, and so many of the others by turns. */
const [busy, others] = [12, 12];

/** Those of the largest assets first, in whatever quote: lists of exchanges have one quote after the other. */
function mostTraded(model: Model, markets: readonly Market[]): Market[] {
  const ranks = new Map(model.assets.map(({ symbol }, rank) => [symbol, rank]));
  const rankOf = ({ symbol }: Market) => ranks.get(symbol) ?? ranks.size;
  return markets.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** The markets of a group that change in the second `now`. */
export function movingMarkets(model: Model, venue: string, group: string, now: number): Market[] {
  const live = model.markets(venue, now, group).filter(({ state }) => state === 'live');
  const kinds = [...Map.groupBy(mostTraded(model, live), ({ kind }) => kind).values()];
  const rest = kinds.flatMap((markets) => markets.slice(busy));
  const turns = Math.max(1, Math.ceil(rest.length / others));
  const at = ((now / 1_000) % turns) * others;
  const first = kinds.flatMap((markets) => markets.slice(0, busy));
  return [...first, ...rest.slice(at, at + others)];
}

/** How a venue tells of prices. */
interface Telling {
  venue: string;
  /** The groups of markets that a frame subscribes to, or the channels of single markets. */
  named: Channels['named'];
  /** The messages about the moving markets of one group. */
  tell(markets: readonly Market[], at: { now: number; model: Model }): readonly unknown[];
}

/** Channels of the tickers of whole groups, sent every second. */
export const tickerChannels = ({ venue, named, tell }: Telling): Channels => ({
  every: 1_000,
  named,
  messages: (groups, { now, model }) =>
    [...groups].flatMap((group) => tell(movingMarkets(model, venue, group, now), { now, model })),
});

/** The name of a market's own channel. */
export const channelOf = ({ group, id }: Pick<Market, 'group' | 'id'>): string => `${group} ${id}`;

/** Channels of one market each, by `channel` (its group first, then a space), sent in every second in which the market moves. */
export const marketChannels = ({
  venue,
  named,
  channel = channelOf,
  tell,
}: Telling & { channel?(market: Market): string }): Channels => ({
  every: 1_000,
  named,
  messages(channels, { now, model }) {
    const groups = new Set([...channels].map((name) => name.split(' ')[0] ?? ''));
    return [...groups].flatMap((group) => {
      const moving = movingMarkets(model, venue, group, now);
      const sent = moving.filter((market) => channels.has(channel(market)));
      return sent.length === 0 ? [] : tell(sent, { now, model });
    });
  },
});

/** Several sorts of channels on the connections of one venue. */
export function together(...sorts: readonly Channels[]): Channels {
  const [first] = sorts;
  if (first === undefined) throw new RangeError('no channels');
  const numbered = sorts.find((sort) => sort.numbered)?.numbered;
  return {
    ...first,
    ...(numbered && { numbered }),
    ended: (frame, to) =>
      sorts.flatMap((sort, at) => (sort.ended?.(frame, to) ?? []).map((name) => `${at} ${name}`)),
    named: (frame, to) =>
      sorts.flatMap((sort, at) => sort.named(frame, to).map((name) => `${at} ${name}`)),
    messages: (channels, at) =>
      sorts.flatMap((sort, number) => {
        const own = [...channels].filter((name) => name.startsWith(`${number} `));
        const names = new Set(own.map((name) => name.slice(`${number} `.length)));
        return names.size === 0 ? [] : sort.messages(names, at);
      }),
  };
}
