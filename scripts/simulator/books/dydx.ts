/** `v4_orderbook` of dYdX; all messages of a connection are counted. */
import { asRow, text } from '../../../actors/read.ts';
import type { WireLevel } from '../book.ts';
import { depth, inGroup, subscribing } from './frames.ts';
import { bookChannels } from './wire.ts';

const rows = (levels: readonly WireLevel[]) => levels.map(([price, size]) => ({ price, size }));

export const books = bookChannels({
  ...{ venue: 'dydx', depth, every: 2_000 },
  asked({ type, channel, id }) {
    const on = subscribing(type);
    const isBook = channel === 'v4_orderbook';
    return on === null || !isBook ? null : { on, markets: inGroup('', [text(id)]) };
  },
  find: (markets, { id }) => markets.find((one) => one.id === id),
  tell({ market, whole, bids, asks }) {
    const connection_id = '3a2e4c0c-7579-4bf6-a570-e0979418bbe9';
    const type = whole ? 'subscribed' : 'channel_data';
    const about = { message_id: 0, id: market.id, channel: 'v4_orderbook' };
    const contents = whole ? { bids: rows(bids), asks: rows(asks) } : { bids, asks };
    return { type, connection_id, ...about, contents };
  },
  numbered: (message, message_id) => ({ ...asRow(message), message_id }),
});
