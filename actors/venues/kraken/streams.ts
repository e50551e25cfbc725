/**
 * The streams of Kraken: version 2 of its protocol, and the old address of Kraken Futures, which ends on 2027-03-01: tickers beside the
 * unified ones, books and trades behind them, and liquidations.
 * https://docs.kraken.com/api/docs/guides/futures-websockets
 */
import { hour } from '../../../config/time.ts';
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, list, text } from '../../read.ts';
import type { BookMessage } from '../../sources/streams/stream.ts';
import { byTopic } from '../../sources/venue.ts';
import { bookStream, refused, updateReader } from '../books.ts';
import { pieces } from '../cells.ts';
import {
  closedBy,
  type LiquidationColumns,
  liquidationStream,
  perpetualsOf,
} from '../liquidations.ts';
import { takerWord, tradeStream } from '../trades.ts';
import { streamedTickers } from './markets.ts';
import { spotStreams, unifiedStreams } from './version-two.ts';

/** Products that one message may name. */
const productsPerMessage = 200;

/** Subscribes to a feed of products. */
export const subscriptions = (feed: string, products: readonly string[]): string[] =>
  pieces(products, productsPerMessage).map((product_ids) =>
    JSON.stringify({ event: 'subscribe', feed, product_ids }),
  );

/**
 * The properties of every stream of a feed of futures. The connection requires a ping of the protocol each minute; the heartbeat proves
 * that it lives.
 */
const connection = (feed: string) => ({
  url: 'wss://futures.kraken.com/ws/v1',
  opening: ['{"event":"subscribe","feed":"heartbeat"}'],
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

export const live = {
  ...byTopic({ spot: spotStreams.tickers }, { futures }),
  second: { futures: unifiedStreams.tickers },
};

const level = { price: 'price', quantity: 'qty' };

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
  request: (event, { market }) => JSON.stringify({ event, feed: 'book', product_ids: [market] }),
  parse: (message) => futuresBook(message, feedOf(message)),
});

/** How long a connection to the old address lives before the unified one is tried again, ms. */
const lifetime = 6 * hour;

export const books = {
  spot: spotStreams.books,
  futures: { ...unifiedStreams.books, behind: { ...futuresBooks, lifetime } },
};

/** What the order book of futures trades; blocks and assignments are other types. */
export const traded: ReadonlySet<unknown> = new Set(['fill', 'liquidation']);

/** https://docs.kraken.com/api/docs/futures-api/websocket/trade */
const futuresTrades = tradeStream({
  ...connection('trade'),
  lifetime,
  pace: 50,
  channels: (instruments) => subscriptions('trade', [...instruments.keys()]),
  // Those before the subscription are of the past.
  rows: (message) => (feedOf(message) === 'trade' ? [message] : null),
  market: 'product_id',
  columns: {
    id: 'uid',
    at: 'time',
    price: 'price',
    quantity: 'qty',
    bought: takerWord('side'),
  },
  keep: ({ type }) => traded.has(type),
});

export const trades = {
  spot: spotStreams.trades,
  futures: { ...unifiedStreams.trades, behind: futuresTrades },
};

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
