/** The connections of Bitstamp: trades, order books. https://www.bitstamp.net/websocket/v2/ */
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, text, time } from '../../read.ts';
import { bookStream, changes, numberOf, refused } from '../books.ts';
import { markets } from '../markets.ts';
import { followedOf } from '../rows.ts';

/** The properties of every connection: a channel a message, 1,024 of them at most. */
const connection = {
  url: 'wss://ws.bitstamp.net',
  pace: 50,
  perConnection: 1_000,
  keepAlive: { every: 30_000, message: '{"event":"bts:heartbeat"}' },
  silence: 60_000,
  acknowledges: (message: unknown) =>
    asRow(message).event === 'bts:subscription_succeeded' ? 1 : 0,
} as const;

/** Subscribes to a channel, or ends that. */
const request = (event: 'subscribe' | 'unsubscribe', channel: string): string =>
  JSON.stringify({ event: `bts:${event}`, data: { channel } });

const tradesOf = 'live_trades_';

/**
 * Prices are those of trades, since there is no stream of tickers. The time is that of the trade, in microseconds.
 * https://www.bitstamp.net/websocket/v2/ (Live ticker)
 */
const trades = markets({
  id: 'market',
  time: ({ microtimestamp }) => time(microtimestamp, 1e-3),
  price: { last: 'price' },
}).live({
  ...connection,
  channels: (instruments) =>
    followedOf(instruments).map((market) => request('subscribe', `${tradesOf}${market}`)),
  read(message) {
    const event = text(field(message, 'event'));
    const data = field(message, 'data');
    if (event === '') throw new ShapeError('event: no text');
    if (event === 'bts:error') throw refused(asRow(data).message);
    if (event !== 'trade') return null;
    if (!isRecord(data)) throw new ShapeError('data: no object');
    const market = text(field(message, 'channel')).slice(tradesOf.length);
    return { rows: [{ ...data, market }] };
  },
});

export const live = { prices: { markets: trades } };

const bookOf = 'order_book_';

/**
 * Every message is a whole book of 100 levels; the changes of all levels have no numbers, so that a missing one would not be noticed.
 * https://www.bitstamp.net/websocket/v2/ (Live order book)
 */
const book = bookStream({
  ...connection,
  rule: 'whole',
  most: 100,
  window: true,
  subscribe: ({ market }) => request('subscribe', `${bookOf}${market}`),
  unsubscribe: ({ market }) => request('unsubscribe', `${bookOf}${market}`),
  parse(message) {
    const { event, channel, data } = asRow(message);
    if (event === 'bts:error') throw refused(field(data, 'message'));
    if (event !== 'data' || !text(channel).startsWith(bookOf)) return null;
    const { bids, asks, microtimestamp } = asRow(data);
    return {
      updates: [
        {
          kind: 'snapshot',
          market: text(channel).slice(bookOf.length),
          bids: changes(bids),
          asks: changes(asks),
          last: numberOf(microtimestamp, 'microtimestamp'),
          stated: time(microtimestamp, 1e-3),
        },
      ],
    };
  },
});

export const books = { markets: book };
