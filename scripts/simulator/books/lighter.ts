/** `order_book/<id>` of Lighter. */
import { text } from '../../../actors/read.ts';
import type { WireLevel } from '../book.ts';
import { depth, idsIn, inGroup, subscribing } from './frames.ts';
import { bookChannels } from './wire.ts';

const rows = (levels: readonly WireLevel[]) => levels.map(([price, size]) => ({ price, size }));

export const books = bookChannels({
  ...{ venue: 'lighter', depth, every: 2_000 },
  asked({ type, channel }) {
    const on = subscribing(type);
    const ids = idsIn([text(channel)], /^order_book\/(\d+)$/);
    return on === null || ids.length === 0 ? null : { on, markets: inGroup('', ids) };
  },
  find: (markets, { id }) => markets.find((one) => one.id === id),
  tell({ market, now, whole, id, previous, bids, asks }) {
    const sequence = { offset: id, nonce: id, begin_nonce: whole ? 0 : previous };
    const order_book = { code: 0, asks: rows(asks), bids: rows(bids), ...sequence };
    const type = `${whole ? 'subscribed' : 'update'}/order_book`;
    return { type, channel: `order_book:${market.id}`, offset: id, timestamp: now, order_book };
  },
});
