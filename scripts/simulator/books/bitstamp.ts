/** `order_book_<market>` of Bitstamp: whole books. */
import { asRow, text } from '../../../actors/read.ts';
import { idsIn, inGroup, order } from './frames.ts';
import { bookChannels } from './wire.ts';

export const books = bookChannels({
  ...{ venue: 'bitstamp', depth: 100, every: 4_000, whole: true },
  asked({ event, data }) {
    const on = order('bts:subscribe', 'bts:unsubscribe')(event);
    const ids = idsIn([text(asRow(data).channel)], /^order_book_(.+)$/);
    return on === null ? null : { on, markets: inGroup('', ids) };
  },
  find: (markets, { id }) => markets.find((one) => one.id === id),
  tell({ market, now, bids, asks }) {
    const times = { timestamp: `${now / 1_000}`, microtimestamp: `${now}000` };
    return {
      data: { ...times, bids, asks },
      channel: `order_book_${market.id}`,
      event: 'data',
    };
  },
});
