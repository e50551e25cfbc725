/** Order books of Kraken. https://docs.kraken.com/api/docs/websocket-v2/book */
import { krakenChecksum } from '../../../indicators/order-book/checksum.ts';
import type { LiveBook } from '../../../indicators/order-book/live-book.ts';
import { ShapeError } from '../../failure.ts';
import { asRow, list, required, text, time, type WireRow } from '../../read.ts';
import type { InstrumentMap } from '../../sources/define.ts';
import type { MarketUpdate } from '../../sources/streams/stream.ts';
import type { Instrument } from '../../topics/index.ts';
import { bookStream, changes, marketsByName, numberOf, refused } from '../books.ts';
import { timeOf } from '../iso.ts';
import { connection, feedOf, nameOf } from './stream.ts';

const depth = 500;
const form = { price: 'price', quantity: 'qty' };

const said = (method: string, market: Instrument): string =>
  JSON.stringify({ method, params: { channel: 'book', symbol: [nameOf(market)], depth } });

/** Whether the checksum of the ten best levels is the stated one; the digits of the pair are those of its list. */
const verifierOf =
  (row: WireRow, decimals: Instrument['decimals']) =>
  (book: LiveBook): boolean =>
    decimals === undefined || krakenChecksum(book, decimals) === required(row.checksum);

function spotUpdates(rows: unknown, type: unknown, markets: InstrumentMap): MarketUpdate[] {
  const ids = marketsByName(markets, nameOf);
  return list(rows, 'data')
    .map(asRow)
    .map((row) => {
      const market = ids.get(text(row.symbol)) ?? '';
      return {
        kind: type === 'snapshot' ? 'snapshot' : 'update',
        market,
        bids: changes(row.bids, form),
        asks: changes(row.asks, form),
        verify: verifierOf(row, markets.get(market)?.decimals),
        stated: timeOf(row.timestamp),
      };
    });
}

const productFrame = (event: string, market: string): string =>
  JSON.stringify({ event, feed: 'book', product_ids: [market] });

/** Messages have no numbers: only the checksum shows that one is missing. */
const spot = bookStream({
  url: 'wss://ws.kraken.com/v2',
  ...{ rule: 'none', most: depth, window: true },
  pace: 100,
  silence: 60_000,
  subscribe: (market) => said('subscribe', market),
  unsubscribe: (market) => said('unsubscribe', market),
  acknowledges(message) {
    const { method, success } = asRow(message);
    return method === 'subscribe' && success === true ? 1 : 0;
  },
  parse(message, markets) {
    const { method, success, error, channel, type, data } = asRow(message);
    if (method !== undefined && success === false) throw refused(error);
    return channel === 'book' ? { updates: spotUpdates(data, type, markets) } : null;
  },
});

/** Whole books, then one level a message; `seq` counts the messages of a product. */
function futuresUpdate(message: unknown, feed: string): MarketUpdate | null {
  if (feed !== 'book' && feed !== 'book_snapshot') return null;
  const { product_id, seq, timestamp, side, ...row } = asRow(message);
  const last = numberOf(seq, 'seq');
  const about = { market: text(product_id), first: last, last, stated: time(timestamp) };
  if (feed === 'book_snapshot') {
    const { bids, asks } = row;
    return { kind: 'snapshot', ...about, bids: changes(bids, form), asks: changes(asks, form) };
  }
  if (side !== 'buy' && side !== 'sell') throw new ShapeError('side: unknown');
  const level = changes([row], form);
  const [bids, asks] = side === 'buy' ? [level, []] : [[], level];
  return { kind: 'update', ...about, bids, asks };
}

/** https://docs.kraken.com/api/docs/futures-api/websocket/book */
const futures = bookStream({
  ...connection('book'),
  ...{ rule: 'counted', most: 1_000, window: false },
  pace: 50,
  opening: ['{"event":"subscribe","feed":"heartbeat"}'],
  subscribe: ({ market }) => productFrame('subscribe', market),
  unsubscribe: ({ market }) => productFrame('unsubscribe', market),
  parse(message) {
    const feed = feedOf(message);
    const update = feed === null ? null : futuresUpdate(message, feed);
    return update && { updates: [update] };
  },
});

export const books = { spot, futures };
