/** `book.<market>.50` of Crypto.com. */
import { asRow } from '../../../actors/read.ts';
import type { WireLevel } from '../book.ts';
import { textsOf } from '../liquidations/forced.ts';
import { depth, idsIn, inGroup, subscribing } from './frames.ts';
import { bookChannels } from './wire.ts';

const rows = (levels: readonly WireLevel[]) =>
  levels.map(([price, quantity]) => [price, quantity, quantity === '0' ? '0' : '1']);

export const books = bookChannels({
  ...{ venue: 'cryptocom', depth, every: 2_000 },
  asked({ method, params }) {
    const on = subscribing(method);
    const ids = idsIn(textsOf(asRow(params).channels), /^book\.(.+)\.50$/);
    return on === null ? null : { on, markets: inGroup('all', ids) };
  },
  tell({ market, now, whole, id, previous, ...book }) {
    const sides = { asks: rows(book.asks), bids: rows(book.bids) };
    const about = { t: now, tt: now, u: id, cs: 1 };
    const update = { update: sides, ...about, pu: previous };
    const subscription = `book.${market.id}.50`;
    const result = {
      ...{ instrument_name: market.id, subscription, depth: 50 },
      ...{ channel: whole ? 'book' : 'book.update' },
      data: [whole ? { ...sides, ...about } : update],
    };
    return { id: -1, method: 'subscribe', code: 0, result };
  },
});
