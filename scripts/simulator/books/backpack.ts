/** `depth.200ms.<market>` of Backpack; the whole book is asked for. */
import { textsOf } from '../liquidations/forced.ts';
import { idsIn, inGroup, order } from './frames.ts';
import { bookChannels, deepEvery } from './wire.ts';

export const books = bookChannels({
  ...{ venue: 'backpack', depth: 1_000, every: deepEvery },
  asked({ method, params }) {
    const on = order('SUBSCRIBE', 'UNSUBSCRIBE')(method);
    const ids = idsIn(textsOf(params), /^depth\.200ms\.(.+)$/);
    return on === null ? null : { on, markets: inGroup('all', ids) };
  },
  tell({ market, now, whole, id, previous, bids, asks }) {
    if (whole) return null;
    const times = { E: now * 1_000, T: now * 1_000 };
    const data = { ...times, U: previous + 1, u: id, a: asks, b: bids, e: 'depth', s: market.id };
    return { data, stream: `depth.200ms.${market.id}` };
  },
});
