/**
 * The connections of Bitfinex: tickers, status of perpetuals, trades, order books, liquidations. Data are arrays under the number that a
 * subscription was given. https://docs.bitfinex.com/docs/ws-general
 */
import { bitfinexChecksum } from '../../../indicators/order-book/checksum.ts';
import type { LiveBook } from '../../../indicators/order-book/live-book.ts';
import { ShapeError } from '../../failure.ts';
import { asRow, isRecord, list, positive, required, text } from '../../read.ts';
import type { InstrumentMap } from '../../sources/define.ts';
import type { MarketUpdate } from '../../sources/streams/stream.ts';
import { bookStream, numberOf, refused } from '../books.ts';
import { type LiquidationColumns, liquidationStream } from '../liquidations.ts';
import type { LiveForm } from '../markets.ts';
import { acknowledgedBy, forMarkets, memoryOf } from '../streams.ts';
import { signed, tradeStream } from '../trades.ts';
import { statusKey, streamedContracts, tickers } from './markets.ts';

/** https://docs.bitfinex.com/docs/ws-general#info-messages */
const ends: ReadonlySet<unknown> = new Set([20_051, 20_061]);

/** The properties of every connection. */
const server = {
  url: 'wss://api-pub.bitfinex.com/ws/2',
  // 20 a minute, and a minute without any after that.
  connects: 15,
  acknowledges: acknowledgedBy({ event: 'subscribed' }),
  // The server is about to stop, or a maintenance is over, after which channels have to be subscribed to again.
  ends: (message: unknown) =>
    isRecord(message) && message.event === 'info' && ends.has(message.code),
} as const;

/** 25 channels, and a sign of life of each every 15 s. */
const connection = { ...server, pace: 50, perConnection: 25, silence: 45_000 } as const;

/** Subscribes to a channel. */
const request = (channel: string, about: object): string =>
  JSON.stringify({ event: 'subscribe', channel, ...about });

/**
 * The markets of a connection, or the keys of its channels that have keys, by the numbers that stand for them in its messages.
 */
const channelsOf = memoryOf(() => new Map<number, string>());

const numberIn = (channels: ReadonlyMap<number, string>, market: string) =>
  [...channels].find(([, name]) => name === market)?.[0];

/** The messages that end the channels of markets, whose names `nameOf` gives, as far as the connection has them. */
const endings =
  (nameOf: (market: string) => string = (market) => market) =>
  (instruments: InstrumentMap, by: object): string[] =>
    [...instruments.keys()].flatMap((market) => {
      const chanId = numberIn(channelsOf(by), nameOf(market));
      return chanId === undefined ? [] : JSON.stringify({ event: 'unsubscribe', chanId });
    });

/**
 * Reads a message that is not an array: it has the number of a subscription. A market gets another number with each subscription.
 * ShapeError for a refusal.
 */
function noteChannel(by: object | undefined, wanted: string, message: unknown): void {
  const { event, msg, channel, chanId, symbol, key } = asRow(message);
  const name = text(symbol) || text(key);
  if (event === 'error') throw refused(msg);
  if (event !== 'subscribed' || channel !== wanted) return;
  const channels = channelsOf(by);
  const old = numberIn(channels, name);
  if (old !== undefined) channels.delete(old);
  channels.set(numberOf(chanId, 'chanId'), name);
}

/** The row of a message behind the name of its channel; null for a message without a row. */
function rowIn(message: unknown, wanted: string, by: object | undefined): unknown[] | null {
  if (isRecord(message)) {
    if (text(message.event) === '') throw new ShapeError('event: no text');
    noteChannel(by, wanted, message);
    return null;
  }
  const [chanId, row] = list(message, 'message');
  if (row === 'hb') return null;
  const name = typeof chanId === 'number' && channelsOf(by).get(chanId);
  return [name || `channel ${chanId}`, ...list(row, wanted)];
}

/** The row of a message is that of an answer, without its first column, the name of the market or the key with it. */
const reading = (channel: string, aboutOf: (market: string) => object): LiveForm => ({
  ...connection,
  // Two connections.
  most: 50,
  channels: forMarkets((market) => request(channel, aboutOf(market))),
  read(message, { connection: by }) {
    const row = rowIn(message, channel, by);
    return row && { rows: [row] };
  },
});

/** https://docs.bitfinex.com/reference/ws-public-ticker */
const prices = tickers.live({
  ...reading('ticker', (symbol) => ({ symbol })),
  unsubscribe: endings(),
});
/** https://docs.bitfinex.com/reference/ws-public-status */
const keyOf = (market: string): string => `${statusKey}${market}`;
const status = streamedContracts.live({
  ...reading('status', (market) => ({ key: keyOf(market) })),
  unsubscribe: endings(keyOf),
});

export const live = {
  prices: { all: prices },
  derivatives: { all: status },
  openInterest: { all: status },
};

/** The trade of a message behind the name of its market, once: `tu` repeats it. The list of a subscription is its past. */
function tradeIn(message: unknown, by: object | undefined): unknown[] | null {
  if (!Array.isArray(message)) {
    rowIn(message, 'trades', by);
    return null;
  }
  const [chanId, what, row] = message;
  if (what !== 'te') return null;
  const name = typeof chanId === 'number' && channelsOf(by).get(chanId);
  return [name || `channel ${chanId}`, ...list(row, 'trade')];
}

/**
 * Public trades, `[id, ms, amount, price]`: the amount is positive where the taker bought. Numbers are those of all markets, so
 * that only the connection shows that none is missing. https://docs.bitfinex.com/reference/ws-public-trades
 */
const traded = tradeStream({
  ...connection,
  channels: forMarkets((symbol) => request('trades', { symbol })),
  unsubscribe: endings(),
  rows(message, { connection: by }) {
    const row = tradeIn(message, by);
    return row && [row];
  },
  market: 0,
  columns: { id: 1, at: 2, price: 4, ...signed(3) },
});

export const trades = { all: traded };

const depth = 250;
/** Sequence numbers, and checksums of books. */
const flags = 65_536 + 131_072;

/** `[price, count, amount]`: amounts of asks are negative, and a count of zero deletes. */
function levels(rows: readonly unknown[]): Pick<MarketUpdate, 'bids' | 'asks'> {
  const bids: number[] = [];
  const asks: number[] = [];
  for (const row of rows) {
    const [price, count, amount] = list(row, 'level');
    const quantity = required(amount);
    if (!(positive(price) > 0 && required(count) >= 0 && Math.abs(quantity) > 0))
      throw new ShapeError('a level cannot be read');
    const side = quantity > 0 ? bids : asks;
    side.push(required(price), count === 0 ? 0 : Math.abs(quantity));
  }
  return { bids, asks };
}

/** A list of levels is the whole book, one level a change, `cs` the checksum of the book; null for a sign of life. */
function updateOf(market: string, { 1: what, 2: value }: readonly unknown[]): MarketUpdate | null {
  const about = { kind: 'update', market, stated: null } as const;
  if (what === 'hb') return null;
  if (what === 'cs') {
    const stated = required(value);
    const verify = (book: LiveBook): boolean => bitfinexChecksum(book) === stated;
    return { ...about, bids: [], asks: [], verify };
  }
  const rows = list(what, 'levels');
  const isWhole = rows.length === 0 || Array.isArray(rows[0]);
  return { ...about, kind: isWhole ? 'snapshot' : 'update', ...levels(isWhole ? rows : [rows]) };
}

/**
 * 250 levels. Data, checksums and signs of life of all of them are counted together.
 * https://docs.bitfinex.com/reference/ws-public-books
 */
const book = bookStream({
  ...connection,
  rule: 'none',
  most: depth,
  window: true,
  opening: [JSON.stringify({ event: 'conf', flags })],
  request: (_op, { market: symbol }) =>
    request('book', { symbol, prec: 'P0', freq: 'F0', len: `${depth}` }),
  unsubscribe: endings(),
  parse(message, { connection: by }) {
    if (!Array.isArray(message)) {
      noteChannel(by, 'book', message);
      return null;
    }
    const count = numberOf(message.at(-1), 'sequence');
    const market = channelsOf(by).get(message[0]);
    const update = market === undefined ? null : updateOf(market, message);
    return { updates: update === null ? [] : [{ ...update, last: count }], count };
  },
});

export const books = { all: book };

/**
 * A position that the exchange takes over has three rows: when that begins, which has no price yet, when it is taken over, and its fills
 * (`is match`). The second one counts.
 */
const isLiquidation = (row: unknown): boolean =>
  !Array.isArray(row) || (row[0] === 'pos' && required(row[8]) === 0 && row[11] !== null);

/**
 * `['pos', id, ms, , pair, amount, base price, , is match, sold in the market, , price acquired]`: the amount is that of
 * the position, positive for a long. The base price is the one at which it was opened.
 * https://docs.bitfinex.com/reference/rest-public-liquidations
 */
const liquidated: LiquidationColumns = {
  market: (row) => text(row[4]),
  side: (row) => (required(row[5]) > 0 ? 'long' : 'short'),
  price: (row) => row[11],
  kind: 'order',
  quantity: (row) => Math.abs(required(row[5])),
  at: (row) => Math.floor(required(row[2])),
};

/**
 * Every liquidation, of margin and of perpetuals, in one channel; `hb` comes every 15 s.
 * https://docs.bitfinex.com/reference/ws-public-status
 */
const all = liquidationStream({
  ...server,
  channels: () => [request('status', { key: 'liq:global' })],
  silence: 60_000,
  rows(message) {
    if (isRecord(message)) {
      if (text(message.event) === '') throw new ShapeError('event: no text');
      if (message.event === 'error') throw refused(message.msg);
      return null;
    }
    const [, rows] = list(message, 'message');
    return rows === 'hb' ? null : list(rows, 'rows').filter(isLiquidation);
  },
  columns: liquidated,
});

export const liquidations = { all };
