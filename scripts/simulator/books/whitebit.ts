/** `depth_update` of WhiteBIT. */
import { isRow, text } from '../../../actors/read.ts';
import { depth } from './frames.ts';
import { bookChannels } from './wire.ts';

export const books = bookChannels({
  ...{ venue: 'whitebit', depth, every: 2_000 },
  /** The same subscription again brings a whole book: it ends where it begins. */
  asked({ method, params }) {
    const id = isRow(params) ? text(params[0]) : '';
    return method === 'depth_subscribe' ? { on: 'again', markets: [{ group: '', id }] } : null;
  },
  find: (markets, { id }) => markets.find((one) => one.id === id),
  tell({ market, now, whole, id, previous, bids, asks }) {
    const sequence = { update_id: id, ...(!whole && { past_update_id: previous }) };
    const sides = { ...(asks.length > 0 && { asks }), ...(bids.length > 0 && { bids }) };
    const book = { timestamp: now / 1_000, ...sequence, ...sides, event_time: now / 1_000 };
    return { method: 'depth_update', params: [whole, book, market.id], id: null };
  },
});
