/** Order books of Coinbase, of spot. https://docs.cdp.coinbase.com/advanced-trade/docs/ws-channels#level2-channel */
import { ShapeError } from '../../failure.ts';
import { asRow, list, positive, required, text } from '../../read.ts';
import type { MarketUpdate } from '../../sources/streams/stream.ts';
import { bookStream, numberOf, refused } from '../books.ts';
import { timeOf } from '../iso.ts';
import type { Ask } from './api.ts';
import { connection, said } from './stream.ts';

/** The changes of an event; its rows are `{side, price_level, new_quantity}`. */
function updateOf(event: unknown, stated: number | null): MarketUpdate {
  const { type, product_id, updates } = asRow(event);
  const sides: { bids: number[]; asks: number[] } = { bids: [], asks: [] };
  for (const row of list(updates, 'updates')) {
    const { side, price_level, new_quantity } = asRow(row);
    const [price, quantity] = [positive(price_level), required(new_quantity)];
    const isSide = side === 'bid' || side === 'offer';
    if (!(isSide && price > 0 && quantity >= 0)) throw new ShapeError('a level cannot be read');
    (side === 'bid' ? sides.bids : sides.asks).push(price, quantity);
  }
  const kind = type === 'snapshot' ? 'snapshot' : 'update';
  return { kind, market: text(product_id), ...sides, stated };
}

/**
 * A snapshot is the whole book, some megabytes of it. Every message of the connection has the number after that of the
 * message before, whatever its channel.
 */
const stream = bookStream<Ask>({
  ...connection,
  ...{ rule: 'none', most: 5_000, window: false },
  maxMessage: 32 * 2 ** 20,
  subscribe: ({ market }) => said('subscribe', 'level2', [market]),
  unsubscribe: ({ market }) => said('unsubscribe', 'level2', [market]),
  parse(message) {
    const { type, channel, sequence_num, timestamp, events, message: why } = asRow(message);
    if (type === 'error') throw refused(why);
    const count = numberOf(sequence_num, 'sequence_num');
    if (channel !== 'l2_data') return { updates: [], count };
    const stated = timeOf(timestamp);
    const updates = list(events, 'events').map((event) => updateOf(event, stated));
    return { updates: updates.map((one) => ({ ...one, last: count })), count };
  },
});

export const books = { spot: stream };
