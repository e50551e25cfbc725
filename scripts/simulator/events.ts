/**
 * What happens in a market: public trades, two a second, what takers bought in it at its highest price and what they sold at its
 * lowest, so that they add up to the candles; and liquidations, a function of the seed, the exchange and the second.
 */
import type { Market } from './market.ts';
import type { Model } from './model.ts';
import { seedOf, sequence } from './noise.ts';
import type { At, Row } from './rows.ts';
import type { Trade } from './sight.ts';
import { type Channel, groupsOf, type Moment } from './streams.ts';
import type { Ask } from './venue.ts';

const second = 1_000;

/** The trades of the second before `end`, a whole second; none is smaller than a lot, so that every second has two. */
export function tradesOfSecond(market: Market, end: number): Trade[] {
  const { high, low, open, close, quantity, bought } = market.stretch(end - second, end);
  const least = 10 ** -Math.max(0, market.lot);
  const buys = { price: high, quantity: Math.max(bought, least), bought: true };
  const sells = { price: low, quantity: Math.max(quantity - bought, least), bought: false };
  const [first, last] = close > open ? [sells, buys] : [buys, sells];
  const id = (end / second) * 2;
  return [
    { ...first, id, time: end - 600 },
    { ...last, id: id + 1, time: end - 300 },
  ];
}

/** The newest trades until `now`, newest first. */
export function newestTrades(market: Market, now: number, limit: number): Trade[] {
  const found: Trade[] = [];
  const last = Math.floor(now / second) * second;
  for (let end = last; found.length < limit && end > market.listed; end -= second)
    found.push(...tradesOfSecond(market, end).reverse());
  return found.slice(0, limit);
}

/** Trades of the message that follows a subscription. */
const mostPast = 30;

interface Past {
  /** The message that follows a subscription, about the newest trades before it, newest first; none when absent. */
  past?(rows: readonly unknown[], market: Market, at: At): unknown;
  /** The markets that trade in a second; all that are live when absent. */
  trading?(at: Moment, exchange: string, group: string): readonly Market[];
  /** What stands for a market in the topic; its id when absent. */
  id?(market: Market): string;
  group?: Channel['group'];
}

/** Channels of trades; `tell` gives the messages about the trades of a market in a second, oldest first: the rows when absent. */
export const trades = <Made>(
  row: Row<Made>,
  tell: (rows: readonly Made[], market: Market, at: At) => readonly unknown[] = (rows) => rows,
  more: Past = {},
): Channel => ({
  ...(more.group && { group: more.group }),
  messages(keys, at, exchange) {
    const { past, id = (market: Market) => market.id } = more;
    // The second of the subscription is part of the past: each second is sent once.
    if (at.first && !past) return [];
    const { model, now } = at;
    const groups = new Set(groupsOf(keys));
    const trading =
      more.trading ?? (() => model.markets(exchange, now).filter(({ state }) => state === 'live'));
    const markets = [...groups].flatMap((group) =>
      trading(at, exchange, group).filter((one) => one.group === group || group === ''),
    );
    return markets
      .filter((market) => keys.has(`${groups.has('') ? '' : market.group} ${id(market)}`))
      .flatMap((market) => {
        const rows = (made: readonly Trade[]) =>
          made.map((trade) => row(market, { model, now, trade }));
        if (at.first && past) return [past(rows(newestTrades(market, now, mostPast)), market, at)];
        return tell(rows(tradesOfSecond(market, now)), market, at);
      });
  },
});

/** A liquidation, as the trade of the order that closed the position. */
export interface Forced extends Trade {
  market: Market;
  /** A long position was closed, by an order that sells. */
  long: boolean;
}

/** Smallest position in dollars, and how many times larger the largest one is. */
const [smallest, range] = [60, 5_000];

function one(market: Market, draw: () => number, now: number): Forced {
  const dollars = smallest * range ** draw();
  const price = market.price(now);
  const perUnit = market.inverse ? market.contract : market.contract * price;
  const lots = 10 ** market.lot;
  const quantity = Math.max(1, Math.round((dollars / perUnit) * lots)) / lots;
  const time = now - Math.floor(draw() * 900);
  const long = draw() < 0.5;
  return { market, long, bought: !long, price, quantity, time, id: time * 10 };
}

/** Which markets of an exchange are asked about. */
interface Which {
  venue: string;
  wants(market: Market): boolean;
}

/** Liquidations of the second before `now`, at most three, most of them of the first markets; none in many seconds. */
export function forcedOf(model: Model, { venue, wants }: Which, now: number): Forced[] {
  const draw = sequence(seedOf(model.seed ^ (now / second), `liquidations ${venue}`));
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
  about: Which,
  { from, to, limit }: { from: number; to: number; limit: number },
): Forced[] {
  const found: Forced[] = [];
  const first = Math.max(from, now - remembered);
  const last = Math.min(now, Math.ceil((to + 1) / second) * second);
  for (let at = last; at >= first && found.length < limit; at -= second) {
    const inside = forcedOf(model, about, at).filter(({ time }) => time >= from && time <= to);
    found.push(...inside.sort((a, b) => b.time - a.time));
  }
  return found.slice(0, limit);
}

/** The row of each liquidation. */
export const forcedRows = <Made>(row: Row<Made>, forced: readonly Forced[], { model, now }: At) =>
  forced.map((trade) => row(trade.market, { model, now, trade }));

/** What tells of each liquidation in a message of its own. */
export const eachForced =
  (message: Row) =>
  (forced: readonly Forced[], at: At): unknown[] =>
    forcedRows(message, forced, at);

/** Channels of liquidations: the messages about those of one second, of which there are some. `key` is that of a market's channel. */
export const liquidations = (
  tell: (forced: readonly Forced[], at: At) => readonly unknown[],
  key?: (market: Market) => string,
): Channel => ({
  messages(keys, at, venue) {
    // The subscription itself is followed by nothing: each second is sent once.
    if (at.first) return [];
    const keysOf = ({ group, id }: Market) => [`${group} ${id}`, `${group} `, ` ${id}`, ' '];
    const wants = (market: Market) =>
      (key ? [key(market)] : keysOf(market)).some((one) => keys.has(one));
    const forced = forcedOf(at.model, { venue, wants }, at.now);
    return forced.length > 0 ? tell(forced, at) : [];
  },
});
