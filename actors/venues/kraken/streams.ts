/**
 * The connections of Kraken and Kraken Futures: tickers, trades, order books, liquidations.
 * https://docs.kraken.com/api/docs/websocket-v2/ticker and https://docs.kraken.com/api/docs/guides/futures-websockets
 */
import { krakenChecksum } from '../../../indicators/order-book/checksum.ts';
import type { LiveBook } from '../../../indicators/order-book/live-book.ts';
import { ShapeError } from '../../failure.ts';
import { asRow, bulk, field, isRecord, list, required, text, type WireRow } from '../../read.ts';
import type { InstrumentMap } from '../../sources/define.ts';
import type { BookMessage, MarketUpdate } from '../../sources/streams/stream.ts';
import { byTopic } from '../../sources/venue.ts';
import type { Instrument } from '../../topics/index.ts';
import { bookStream, marketsByName, refused, updateReader } from '../books.ts';
import { pieces } from '../cells.ts';
import { timeOf } from '../iso.ts';
import {
  closedBy,
  type LiquidationColumns,
  liquidationStream,
  perpetualsOf,
} from '../liquidations.ts';
import { acknowledgedBy } from '../streams.ts';
import { takerWord, tradeStream } from '../trades.ts';
import { pairs, streamedTickers } from './markets.ts';

/** The name of a pair in version 2 of the spot API, as its list states it: `BTC/USD`. */
const nameOf = ({ wire, market }: Instrument): string => wire ?? market;

/** A heartbeat comes every second in which nothing else does. Each pair is acknowledged by itself. */
const spotConnection = {
  url: 'wss://ws.kraken.com/v2',
  silence: 60_000,
  acknowledges: acknowledgedBy({ method: 'subscribe', success: true }),
};

/** Pairs that one message names; the API states no bound. */
const perMessage = 100;

const spot = pairs.live({
  ...spotConnection,
  keepAlive: { every: 30_000, message: '{"method":"ping"}' },
  most: 100,
  channels: (instruments) =>
    pieces([...marketsByName(instruments, nameOf).keys()], perMessage).map((symbol) =>
      JSON.stringify({ method: 'subscribe', params: { channel: 'ticker', symbol } }),
    ),
  read(message, { instruments }) {
    if (field(message, 'success') === false) throw refused(field(message, 'error'));
    if (text(field(message, 'method')) !== '') return null;
    const channel = text(field(message, 'channel'));
    if (channel === '') throw new ShapeError('channel: no text');
    if (channel !== 'ticker') return null;
    const ids = marketsByName(instruments, nameOf);
    const rows = bulk(field(message, 'data'), 'data').map(asRow);
    return {
      rows: rows.map((row) => ({ ...row, market: ids.get(text(row.symbol)) ?? row.symbol })),
    };
  },
});

/** Products that one message may name. */
const productsPerMessage = 200;

/**
 * Public trades; `trade_id` numbers those of a pair one by one, and `side` is that of the taker.
 * https://docs.kraken.com/api/docs/websocket-v2/trade
 */
const spotTrades = tradeStream({
  ...spotConnection,
  keepAlive: { every: 30_000, message: '{"method":"ping"}' },
  pace: 100,
  channels: (instruments) =>
    pieces([...marketsByName(instruments, nameOf).keys()], perMessage).map((symbol) =>
      JSON.stringify({
        method: 'subscribe',
        params: { channel: 'trade', symbol, snapshot: false },
      }),
    ),
  rows(message, { instruments }) {
    const { method, success, error, channel, type, data } = asRow(message);
    if (success === false) throw refused(error);
    if (method !== undefined) return null;
    if (text(channel) === '') throw new ShapeError('channel: no text');
    if (channel !== 'trade' || type === 'snapshot') return null;
    const ids = marketsByName(instruments, nameOf);
    const rows = list(data, 'data').map(asRow);
    return rows.map((row) => ({ ...row, market: ids.get(text(row.symbol)) ?? row.symbol }));
  },
  market: 'market',
  columns: {
    ...{ number: 'trade_id', price: 'price', quantity: 'qty', bought: takerWord('side') },
    at: ({ timestamp }) => timeOf(timestamp),
  },
});

export const trades = { spot: spotTrades };

const heartbeat = '{"event":"subscribe","feed":"heartbeat"}';

/** Subscribes to a feed of products, and to the heartbeat, which proves that the connection lives; none without products. */
export function subscriptions(feed: string, products: readonly string[]): string[] {
  const messages = pieces(products, productsPerMessage).map((product_ids) =>
    JSON.stringify({ event: 'subscribe', feed, product_ids }),
  );
  return messages.length === 0 ? [] : [heartbeat, ...messages];
}

/** The properties of every stream of a feed of futures. The connection requires a ping of the protocol each minute. */
const connection = (feed: string) => ({
  url: 'wss://futures.kraken.com/ws/v1',
  keepAlive: { every: 30_000, message: null },
  silence: 60_000,
  acknowledges(message: unknown) {
    const { event, feed: acknowledged, product_ids } = asRow(message);
    return event === 'subscribed' && acknowledged === feed
      ? list(product_ids, 'product_ids').length
      : 0;
  },
});

/** The feed of a message with data; null for any other. ShapeError for a refusal. */
export function feedOf(message: unknown): string | null {
  const event = text(field(message, 'event'));
  if (event === 'error' || event === 'alert') throw refused(asRow(message).message);
  if (event !== '') return null;
  const feed = text(field(message, 'feed'));
  if (feed === '') throw new ShapeError('feed: no text');
  return feed;
}

/** https://docs.kraken.com/api/docs/futures-api/websocket/ticker */
const futures = streamedTickers.live({
  ...connection('ticker'),
  most: 100,
  channels: (instruments) => subscriptions('ticker', [...instruments.keys()]),
  read(message) {
    if (feedOf(message) !== 'ticker') return null;
    return { rows: field(message, 'suspended') === true ? [] : [message] };
  },
});

export const live = byTopic({ spot }, { futures });

const depth = 500;
const level = { price: 'price', quantity: 'qty' };

/** Whether the checksum of the ten best levels is the stated one; the digits of the pair are those of its list. */
const verifierOf =
  (row: WireRow, decimals: Instrument['decimals']) =>
  (book: LiveBook): boolean =>
    decimals === undefined || krakenChecksum(book, decimals) === required(row.checksum);

const spotUpdate = updateReader({ level, stated: ({ timestamp }) => timeOf(timestamp) });

const spotUpdates = (rows: unknown, type: unknown, markets: InstrumentMap): MarketUpdate[] =>
  list(rows, 'data')
    .map(asRow)
    .flatMap((row) => {
      const market = marketsByName(markets, nameOf).get(text(row.symbol)) ?? '';
      const verify = verifierOf(row, markets.get(market)?.decimals);
      return spotUpdate(type === 'snapshot', market, row, { verify }).updates;
    });

/** Messages have no numbers: only the checksum shows that one is missing. https://docs.kraken.com/api/docs/websocket-v2/book */
const spotBooks = bookStream({
  ...spotConnection,
  rule: 'none',
  most: depth,
  window: true,
  pace: 100,
  request: (method, market) =>
    JSON.stringify({ method, params: { channel: 'book', symbol: [nameOf(market)], depth } }),
  parse(message, markets) {
    const { method, success, error, channel, type, data } = asRow(message);
    if (method !== undefined && success === false) throw refused(error);
    return channel === 'book' ? { updates: spotUpdates(data, type, markets) } : null;
  },
});

/** Whole books, then one level a message; `seq` counts the messages of a product. */
const futuresUpdate = updateReader({ level, first: 'seq', last: 'seq', stated: 'timestamp' });

function futuresBook(message: unknown, feed: string | null): BookMessage | null {
  if (feed !== 'book' && feed !== 'book_snapshot') return null;
  const { product_id, side, ...row } = asRow(message);
  if (feed === 'book_snapshot') return futuresUpdate(true, product_id, row);
  if (side !== 'buy' && side !== 'sell') throw new ShapeError('side: unknown');
  const [bids, asks] = side === 'buy' ? [[row], []] : [[], [row]];
  return futuresUpdate(false, product_id, { ...row, bids, asks });
}

/** https://docs.kraken.com/api/docs/futures-api/websocket/book */
const futuresBooks = bookStream({
  ...connection('book'),
  rule: 'counted',
  most: 1_000,
  window: false,
  pace: 50,
  opening: [heartbeat],
  request: (event, { market }) => JSON.stringify({ event, feed: 'book', product_ids: [market] }),
  parse: (message) => futuresBook(message, feedOf(message)),
});

export const books = { spot: spotBooks, futures: futuresBooks };

const isLiquidation = (row: unknown): boolean => isRecord(row) && row.type === 'liquidation';

const liquidated: LiquidationColumns = {
  market: 'product_id',
  // That of the taker, who is liquidated.
  side: ({ side }) => closedBy(side),
  price: 'price',
  kind: 'fill',
  // Base (`PF_`) or USD (`PI_`).
  quantity: 'qty',
  at: 'time',
  id: 'uid',
};

/** The trades of a message: one, or the hundred before the subscription. Null for a message that is about none. */
function tradesOf(message: unknown): readonly unknown[] | null {
  const feed = feedOf(message);
  if (feed === 'trade') return [message];
  return feed === 'trade_snapshot' ? list(field(message, 'trades'), 'trades') : null;
}

/** Trades that liquidate a position. https://docs.kraken.com/api/docs/futures-api/websocket/trade */
export const liquidations = {
  futures: liquidationStream({
    ...connection('trade'),
    channels: (instruments) => subscriptions('trade', perpetualsOf(instruments)),
    concerns: (frame) => frame.includes('"liquidation"') || frame.includes('"event"'),
    rows: (message) => tradesOf(message)?.filter(isLiquidation) ?? null,
    columns: liquidated,
  }),
};
