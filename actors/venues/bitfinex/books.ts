/** Order books of Bitfinex: 250 levels. https://docs.bitfinex.com/reference/ws-public-books */
import { bitfinexChecksum } from '../../../indicators/order-book/checksum.ts';
import type { LiveBook } from '../../../indicators/order-book/live-book.ts';
import { ShapeError } from '../../failure.ts';
import { list, positive, required } from '../../read.ts';
import type { MarketUpdate } from '../../sources/streams/stream.ts';
import type { Instrument } from '../../topics/index.ts';
import { bookStream, numberOf } from '../books.ts';
import { channelsOf, connection, noteChannel, numberIn } from './stream.ts';

const depth = 250;
/** Sequence numbers, and checksums of books. */
const flags = 65_536 + 131_072;

/** `[price, count, amount]`: amounts of asks are negative, and a count of zero deletes. */
function levels(rows: readonly unknown[]): { bids: number[]; asks: number[] } {
  const sides: { bids: number[]; asks: number[] } = { bids: [], asks: [] };
  for (const row of rows) {
    const [price, count, amount] = list(row, 'level');
    const quantity = required(amount);
    if (!(positive(price) > 0 && required(count) >= 0 && Math.abs(quantity) > 0))
      throw new ShapeError('a level cannot be read');
    const side = quantity > 0 ? sides.bids : sides.asks;
    side.push(required(price), count === 0 ? 0 : Math.abs(quantity));
  }
  return sides;
}

/** A list of levels is the whole book, one level a change, `cs` the checksum of the book; null for a sign of life. */
function updateOf(market: string, { 1: what, 2: value }: readonly unknown[]): MarketUpdate | null {
  const about = { kind: 'update', market, stated: null } as const;
  if (what === 'hb') return null;
  if (what === 'cs') {
    const stated = required(value);
    const verify = (book: LiveBook): boolean => bitfinexChecksum(book) === stated;
    return { ...about, bids: [], asks: [], verify };
  }
  const rows = list(what, 'levels');
  const isWhole = rows.length === 0 || Array.isArray(rows[0]);
  return { ...about, kind: isWhole ? 'snapshot' : 'update', ...levels(isWhole ? rows : [rows]) };
}

/** Data, checksums and signs of life of all of them are counted together. */
const all = bookStream({
  ...connection,
  ...{ rule: 'none', most: depth, window: true },
  opening: [JSON.stringify({ event: 'conf', flags })],
  subscribe: ({ market: symbol }) =>
    JSON.stringify({
      ...{ event: 'subscribe', channel: 'book', symbol },
      ...{ prec: 'P0', freq: 'F0', len: `${depth}` },
    }),
  unsubscribe({ market }: Instrument, by) {
    const chanId = numberIn(channelsOf(by), market);
    return chanId === undefined ? null : JSON.stringify({ event: 'unsubscribe', chanId });
  },
  parse(message, _markets, by) {
    if (!Array.isArray(message)) {
      noteChannel(by, 'book', message);
      return null;
    }
    const count = numberOf(message.at(-1), 'sequence');
    const market = channelsOf(by).get(message[0]);
    const update = market === undefined ? null : updateOf(market, message);
    return { updates: update === null ? [] : [{ ...update, last: count }], count };
  },
});

export const books = { all };
