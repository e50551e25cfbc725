/** The connections of Bitstamp: prices, trades, order books. https://www.bitstamp.net/websocket/v2/ */
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, text, time, type WireRow } from '../../read.ts';
import { bookStream, refused, updateReader } from '../books.ts';
import { markets } from '../markets.ts';
import { followedOf } from '../rows.ts';
import { acknowledgedBy, forMarkets, objectIn } from '../streams.ts';
import { tradeStream } from '../trades.ts';

/** The properties of every connection: a channel a message, 1,024 of them at most. */
const connection = {
  url: 'wss://ws.bitstamp.net',
  pace: 50,
  perConnection: 1_000,
  keepAlive: { every: 30_000, message: '{"event":"bts:heartbeat"}' },
  silence: 60_000,
  acknowledges: acknowledgedBy({ event: 'bts:subscription_succeeded' }),
  ends: (message: unknown) => isRecord(message) && message.event === 'bts:request_reconnect',
} as const;

/** Subscribes to a channel, or ends that. */
const request = (event: 'subscribe' | 'unsubscribe', channel: string): string =>
  JSON.stringify({ event: `bts:${event}`, data: { channel } });

const tradesOf = 'live_trades_';

/** The trade of a message, with its market; null for any other message. ShapeError for a refusal. */
function tradeIn(message: unknown): WireRow | null {
  const event = text(field(message, 'event'));
  if (event === '') throw new ShapeError('event: no text');
  if (event === 'bts:error') throw refused(asRow(field(message, 'data')).message);
  if (event !== 'trade') return null;
  const market = text(field(message, 'channel')).slice(tradesOf.length);
  return { ...objectIn(message, 'data'), market };
}

/**
 * Prices are those of trades, since there is no stream of tickers. The time is that of the trade, in microseconds.
 * https://www.bitstamp.net/websocket/v2/ (Live ticker)
 */
const prices = markets({
  id: 'market',
  time: ({ microtimestamp }) => time(microtimestamp, 1e-3),
  price: { last: 'price' },
}).live({
  ...connection,
  channels: (instruments) =>
    followedOf(instruments).map((market) => request('subscribe', `${tradesOf}${market}`)),
  read(message) {
    const row = tradeIn(message);
    return row && { rows: [row] };
  },
});

export const live = { prices: { markets: prices } };

/**
 * Public trades. Numbers are those of all markets, so that only the connection shows that none is missing. `type` 0: the taker
 * bought. https://www.bitstamp.net/websocket/v2/ (Live ticker)
 */
const traded = tradeStream({
  ...connection,
  channels: forMarkets((market) => request('subscribe', `${tradesOf}${market}`)),
  rows(message) {
    const row = tradeIn(message);
    return row && [row];
  },
  market: 'market',
  columns: {
    ...{ id: 'id', at: 'microtimestamp', unit: 1e-3, price: 'price', quantity: 'amount' },
    bought: ({ type }) => (type === 0 ? true : type === 1 ? false : null),
  },
});

export const trades = { markets: traded };

const bookOf = 'order_book_';
const bookIn = updateReader({ last: 'microtimestamp', stated: 'microtimestamp', unit: 1e-3 });

/**
 * Every message is a whole book of 100 levels; the changes of all levels have no numbers, so that a missing one would not be
 * noticed. https://www.bitstamp.net/websocket/v2/ (Live order book)
 */
const book = bookStream({
  ...connection,
  rule: 'whole',
  most: 100,
  window: true,
  request: (op, { market }) => request(op, `${bookOf}${market}`),
  parse(message) {
    const { event, channel, data } = asRow(message);
    if (event === 'bts:error') throw refused(field(data, 'message'));
    if (event !== 'data' || !text(channel).startsWith(bookOf)) return null;
    return bookIn(true, text(channel).slice(bookOf.length), data);
  },
});

export const books = { markets: book };
