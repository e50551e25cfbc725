/** `book` of Bitfinex: a message for every level, then the checksum; all messages of a connection are counted. */
import { crc32 } from 'node:zlib';
import { text } from '../../../actors/read.ts';
import type { WireLevel } from '../book.ts';
import { objectOf } from '../liquidations/forced.ts';
import { stepsOf, subscribing } from './frames.ts';
import { type BookUpdate, bookChannels } from './wire.ts';

/** The channel of a market: its number follows from its name. */
export const chanIdOf = (symbol: string): number => 400_000 + (crc32(symbol) % 1_000_000);

const row = (side: 'bids' | 'asks', [price, amount]: WireLevel) => {
  const sign = side === 'bids' ? 1 : -1;
  return amount === '0' ? [Number(price), 0, sign] : [Number(price), 1, sign * Number(amount)];
};

function checksumOf({ top }: BookUpdate): number {
  const parts = top.bids.flatMap((bid, i) => {
    const [price = '', amount = ''] = top.asks[i] ?? [];
    return [...bid.map(Number), Number(price), -Number(amount)];
  });
  return crc32(parts.join(':')) | 0;
}

export const books = bookChannels({
  ...{ venue: 'bitfinex', depth: 25, every: 4_000, apart: true },
  asked({ event, channel, symbol, chanId }) {
    const on = subscribing(event);
    if (on === null || (on && channel !== 'book')) return null;
    return { on, markets: [{ group: 'all', id: `${on ? chanIdOf(text(symbol)) : chanId}` }] };
  },
  find: (markets, { id }) => markets.find((one) => `${chanIdOf(one.id)}` === id),
  tell(update) {
    const { market, whole } = update;
    const chanId = chanIdOf(market.id);
    const changes = stepsOf(update).map(([side, level]) => row(side, level));
    if (whole) return [[chanId, changes]];
    return [...changes.map((one) => [chanId, one]), [chanId, 'cs', checksumOf(update)]];
  },
  numbered: (message, number) => (Array.isArray(message) ? [...message, number] : message),
});

/** A subscription is answered with the number of its channel. */
export function reply(frame: string): string[] {
  const { event, channel, symbol } = objectOf(frame);
  if (event !== 'subscribe' || channel !== 'book') return [];
  return [JSON.stringify({ event: 'subscribed', channel, chanId: chanIdOf(text(symbol)), symbol })];
}
