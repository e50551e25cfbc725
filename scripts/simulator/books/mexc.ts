/** `push.depth` of MEXC's contracts; the whole book is asked for. */
import { asRow, text } from '../../../actors/read.ts';
import { bare, inGroup, order } from './frames.ts';
import { bookChannels, deepEvery } from './wire.ts';

export const books = bookChannels({
  ...{ venue: 'mexc', depth: 1_000, every: deepEvery },
  asked({ method, param }) {
    const on = order('sub.depth', 'unsub.depth')(method);
    return on === null ? null : { on, markets: inGroup('contracts', [text(asRow(param).symbol)]) };
  },
  tell({ market, now, whole, id, previous, bids, asks }) {
    if (whole) return null;
    const sequence = { begin: previous + 1, end: id, version: id };
    const data = { cts: now, asks: bare(asks, 1), bids: bare(bids, 1), ...sequence };
    return { symbol: market.id, data, channel: 'push.depth', ts: now };
  },
});
