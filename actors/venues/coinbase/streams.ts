/**
 * The connections of Coinbase Advanced Trade: tickers, trades and order books of spot. The perpetuals require a key there.
 * https://docs.cdp.coinbase.com/advanced-trade/docs/ws-overview
 */
import { ShapeError } from '../../failure.ts';
import { asRow, field, list, positive, required, text } from '../../read.ts';
import type { MarketUpdate, Refusal } from '../../sources/streams/stream.ts';
import { bookStream, numberOf, refused } from '../books.ts';
import { timeOf } from '../iso.ts';
import { forPieces, leftOf } from '../streams.ts';
import { takerWord, tradeStream } from '../trades.ts';
import { streamedTickers } from './markets.ts';

/** The properties of every connection. Heartbeats come every second; eight messages a second. */
const connection = {
  url: 'wss://advanced-trade-ws.coinbase.com',
  pace: 150,
  silence: 30_000,
  opening: ['{"type":"subscribe","channel":"heartbeats"}'],
} as const;

/** Subscribes to a channel of products, or ends that. */
const request = (
  type: 'subscribe' | 'unsubscribe',
  channel: string,
  product_ids: readonly string[],
): string => JSON.stringify({ type, channel, product_ids });

/** Products that one message names; the API states no bound. */
const perMessage = 50;

const namesIn = (message: string): string[] =>
  list(field(JSON.parse(message), 'product_ids'), 'product_ids').map(text);

/** A channel of many products. One that Coinbase does not know fails its whole message. */
const ofProducts = (channel: string) => ({
  ...connection,
  channels: forPieces(perMessage, (ids) => request('subscribe', channel, ids)),
  /** Every answer names all products that are subscribed to by then. */
  acknowledges(message: unknown): number {
    const { channel: of, events } = asRow(message);
    if (of !== 'subscriptions' || !Array.isArray(events)) return 0;
    const [event] = events;
    const products = asRow(asRow(event).subscriptions)[channel];
    return Array.isArray(products) ? products.length : 0;
  },
  acknowledgesAll: true as const,
  refuses(message: unknown, sent: readonly string[]): Refusal | null {
    const { type, message: what, reason } = asRow(message);
    if (type !== 'error') return null;
    return leftOf(`${text(what)} ${text(reason)}`, sent, {
      namesIn,
      subscription: (names) => request('subscribe', channel, names),
    });
  },
});

/**
 * The tickers of single products, at each trade. The time is that of the message.
 * https://docs.cdp.coinbase.com/advanced-trade/docs/ws-channels#ticker-channel
 */
const tickers = streamedTickers.live({
  ...ofProducts('ticker'),
  most: 100,
  read(message) {
    const channel = text(field(message, 'channel'));
    if (channel === '') throw new ShapeError(`Coinbase: ${text(field(message, 'message'))}`);
    if (channel !== 'ticker') return null;
    const events = list(field(message, 'events'), 'events');
    return {
      rows: events.flatMap((event) => list(asRow(event).tickers, 'tickers')),
      stated: timeOf(field(message, 'timestamp')),
    };
  },
});

export const live = { prices: { spot: tickers } };

/**
 * Public trades, the newest of a message first; `trade_id` numbers those of a product one by one, and `side` is that of the maker.
 * The first message of a product is its past. https://docs.cdp.coinbase.com/advanced-trade/docs/ws-channels#market-trades-channel
 */
const traded = tradeStream({
  ...ofProducts('market_trades'),
  rows(message) {
    const { channel, events, message: why } = asRow(message);
    if (text(channel) === '') throw refused(why);
    if (channel !== 'market_trades') return null;
    return list(events, 'events')
      .map(asRow)
      .flatMap(({ type, trades: rows }) => (type === 'update' ? list(rows, 'trades') : []))
      .toReversed();
  },
  market: 'product_id',
  columns: {
    ...{ number: 'trade_id', price: 'price', quantity: 'size' },
    at: ({ time }) => timeOf(time),
    bought: takerWord('side', 'sell', 'buy'),
  },
});

export const trades = { spot: traded };

/** The changes of an event; its rows are `{side, price_level, new_quantity}`. */
function updateOf(
  event: unknown,
  { stated, last }: Pick<MarketUpdate, 'stated' | 'last'>,
): MarketUpdate {
  const { type, product_id, updates } = asRow(event);
  const bids: number[] = [];
  const asks: number[] = [];
  for (const row of list(updates, 'updates')) {
    const { side, price_level, new_quantity } = asRow(row);
    const [price, quantity] = [positive(price_level), required(new_quantity)];
    const isSide = side === 'bid' || side === 'offer';
    if (!(isSide && price > 0 && quantity >= 0)) throw new ShapeError('a level cannot be read');
    (side === 'bid' ? bids : asks).push(price, quantity);
  }
  const kind = type === 'snapshot' ? 'snapshot' : 'update';
  return { kind, market: text(product_id), bids, asks, last, stated };
}

/**
 * A snapshot is the whole book, some megabytes of it. Every message of the connection has the number after that of the
 * message before, whatever its channel. https://docs.cdp.coinbase.com/advanced-trade/docs/ws-channels#level2-channel
 */
const book = bookStream({
  ...connection,
  rule: 'none',
  most: 5_000,
  window: false,
  maxMessage: 32 * 2 ** 20,
  request: (op, { market }) => request(op, 'level2', [market]),
  parse(message) {
    const { type, channel, sequence_num, timestamp, events, message: why } = asRow(message);
    if (type === 'error') throw refused(why);
    const count = numberOf(sequence_num, 'sequence_num');
    if (channel !== 'l2_data') return { updates: [], count };
    const numbered = { stated: timeOf(timestamp), last: count };
    return { updates: list(events, 'events').map((event) => updateOf(event, numbered)), count };
  },
});

export const books = { spot: book };
