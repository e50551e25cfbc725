/** Liquidations of the simulated world: a function of the seed, the venue and the second. */
import { isRecord, text } from '../../../actors/read.ts';
import { plain } from '../format.ts';
import type { Market } from '../market.ts';
import type { Model } from '../model.ts';
import { seedOf, sequence } from '../noise.ts';
import type { Ask, Channels } from '../venue.ts';

/** One liquidation. */
export interface Forced {
  market: Market;
  /** A long position was closed, by an order that sells. */
  long: boolean;
  price: number;
  /** In the market's own unit, on its lot, never 0. */
  quantity: number;
  /** Quantity and price as text. */
  size: string;
  at: string;
  /** Unix ms, in the second before. */
  time: number;
  /** Grows from one to the next. */
  id: number;
}

/** Smallest position in dollars, and how many times larger the largest one is. */
const [smallest, range] = [60, 5_000];

function one(market: Market, draw: () => number, now: number): Forced {
  const dollars = smallest * range ** draw();
  const price = market.price(now);
  const perUnit = market.inverse ? market.contract : market.contract * price;
  const lots = 10 ** market.lot;
  const quantity = Math.max(1, Math.round((dollars / perUnit) * lots)) / lots;
  const [size, at] = [plain(quantity, Math.max(0, market.lot)), plain(price, market.decimals)];
  const time = now - Math.floor(draw() * 900);
  return { market, long: draw() < 0.5, price, quantity, size, at, time, id: time * 10 };
}

/** Liquidations of the second before `now`, at most three, most of them of the first markets; none in many seconds. */
export function forcedOf(
  model: Model,
  { venue, wants }: { venue: string; wants(market: Market): boolean },
  now: number,
): Forced[] {
  const draw = sequence(seedOf(model.seed ^ (now / 1_000), `liquidations ${venue}`));
  const count = Math.floor(draw() * 4 - 1);
  if (count < 1) return [];
  const markets = model
    .markets(venue, now)
    .filter((market) => market.kind !== 'spot' && market.state === 'live' && wants(market));
  return Array.from({ length: count }, () => markets[Math.floor(markets.length * draw() ** 3)])
    .filter((market) => market !== undefined)
    .map((market, at) => ({ ...one(market, draw, now), id: now * 10 + at }));
}

/** Longest past that is sent, ms. */
const remembered = 2 * 3_600_000;

/** The liquidations of `forcedOf` between two times, Unix ms, newest first, at most `limit`. */
export function pastForced(
  { model, now }: Pick<Ask, 'model' | 'now'>,
  about: { venue: string; wants(market: Market): boolean },
  { from, to, limit }: { from: number; to: number; limit: number },
): Forced[] {
  const found: Forced[] = [];
  const first = Math.max(from, now - remembered);
  const last = Math.min(now, Math.ceil((to + 1) / 1_000) * 1_000);
  for (let at = last; at >= first && found.length < limit; at -= 1_000) {
    const inside = forcedOf(model, about, at).filter(({ time }) => time >= from && time <= to);
    found.push(...inside.sort((a, b) => b.time - a.time));
  }
  return found.slice(0, limit);
}

/** The last frame, which every sort of channels of a venue reads. */
const last: { frame: string; value: Readonly<Record<string, unknown>> } = { frame: '', value: {} };

/** A frame as an object; empty where it is none. */
export function objectOf(frame: string): Readonly<Record<string, unknown>> {
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

/** How a venue tells of liquidations. */
interface Telling {
  venue: string;
  /** The channels that a frame subscribes to. */
  named: Channels['named'];
  /** The channel that a market's liquidations are sent on. */
  channel(market: Market): string;
  /** The messages about the liquidations of one second, of which there are some. */
  tell(forced: readonly Forced[], now: number): readonly unknown[];
  /** Further messages of a second, such as the venue's own pings. */
  beside?(channels: ReadonlySet<string>, now: number): readonly unknown[];
}

/** Channels of liquidations alone, sent every second. */
export const liquidationChannels = ({
  venue,
  named,
  channel,
  tell,
  beside = () => [],
}: Telling): Channels => ({
  every: 1_000,
  named,
  messages(channels, { now, model, first }) {
    // The subscription itself is followed by nothing: each second is sent once.
    if (first) return [];
    const wants = (market: Market) => channels.has(channel(market));
    const forced = forcedOf(model, { venue, wants }, now);
    return [...(forced.length > 0 ? tell(forced, now) : []), ...beside(channels, now)];
  },
});

/** True once in so many seconds. */
export const isEvery = (seconds: number, now: number): boolean => (now / 1_000) % seconds === 0;
