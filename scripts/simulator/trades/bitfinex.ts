/** `trades` of Bitfinex: the past of a market, then each trade when it is made (`te`) and again when it is settled (`tu`). */
import { text } from '../../../actors/read.ts';
import { chanIdOf } from '../books/bitfinex.ts';
import { objectOf } from '../liquidations/forced.ts';
import { channelOf } from '../live/moving.ts';
import { type SimulatedTrade, tradeChannels } from './traded.ts';

/** The number of the channel of a market's trades; those of its book and its ticker are others. */
const tradesIdOf = (symbol: string): number => chanIdOf(symbol) + 6_000_000;

const symbolIn = (frame: string): string | null => {
  const { event, channel, symbol } = objectOf(frame);
  return event === 'subscribe' && channel === 'trades' ? text(symbol) : null;
};

const row = ({ id, at, price, size, bought }: SimulatedTrade) => [
  ...[id, at, (bought ? 1 : -1) * Number(size), Number(price)],
];

export const trades = tradeChannels({
  venue: 'bitfinex',
  named(frame) {
    const id = symbolIn(frame);
    return id === null ? [] : [channelOf({ group: 'all', id })];
  },
  channel: channelOf,
  tell: (made) =>
    made.flatMap((one) => ['te', 'tu'].map((word) => [tradesIdOf(one.market.id), word, row(one)])),
  past: (made) => [tradesIdOf(made[0]?.market.id ?? ''), made.map(row)],
});

/** A subscription is answered with the number of its channel. */
export function tradesReply(frame: string): string[] {
  const symbol = symbolIn(frame);
  if (symbol === null) return [];
  const chanId = tradesIdOf(symbol);
  return [JSON.stringify({ event: 'subscribed', channel: 'trades', chanId, symbol })];
}
