/**
 * The public connections of Bitget, version 3 of the API: tickers, order books, liquidations.
 * https://www.bitget.com/api-doc/uta/websocket
 */
import { ShapeError } from '../../failure.ts';
import { asRow, at, field, isRecord, list, positive, text, time } from '../../read.ts';
import { byPart, byTopic } from '../../sources/venue.ts';
import { bookStream, countOf, refused, updateReader } from '../books.ts';
import { liquidationStream, openedBy } from '../liquidations.ts';
import type { LiveForm } from '../markets.ts';
import { acknowledgedBy, forPieces } from '../streams.ts';
import { type Ask, type Futures, futures, type PartName } from './api.ts';
import { idOf, streamedFutures, streamedSpot, symbolOf } from './markets.ts';

const eventOf = (message: unknown): string => (isRecord(message) ? text(message.event) : '');

/** The properties of every connection. It is closed without a text `ping` of ours, whatever data it sends. */
const connection = {
  url: 'wss://ws.bitget.com/v3/ws/public',
  keepAlive: { every: 25_000, message: 'ping' },
  silence: 60_000,
  acknowledges: acknowledgedBy({ event: 'subscribe' }),
} as const;

/** Subscribes to channels, or ends that. */
const request = (op: 'subscribe' | 'unsubscribe', ...args: readonly object[]): string =>
  JSON.stringify({ op, args });

/** The rows of a message with data; null for any other. ShapeError for a refusal. */
function rowsOf(message: unknown): readonly unknown[] | null {
  if (message === 'pong') return null;
  const event = eventOf(message);
  if (event === 'error') throw new ShapeError(`refused: ${text(asRow(message).msg)}`);
  return event === '' ? list(field(message, 'data'), 'data') : null;
}

/** More than that closes the connection; Bitget advises against more than fifty channels on one. */
const perRequest = 10;
const perConnection = 50;

/**
 * The tickers of single markets; no channel has all. A message is about one market, and whole: its rows are read with the name
 * of the market, at the time of the message. https://www.bitget.com/api-doc/uta/websocket/public/Tickers-Channel
 */
const ticking = (instType: PartName): LiveForm => ({
  ...connection,
  most: 100,
  perConnection,
  pace: 1_000,
  channels: forPieces(perRequest, (markets) => {
    const symbols = markets.map((market) => symbolOf(instType, market));
    return request(
      'subscribe',
      ...symbols.map((symbol) => ({ instType, topic: 'ticker', symbol })),
    );
  }),
  read(message) {
    const rows = rowsOf(message);
    if (rows === null) return null;
    const { symbol } = asRow(at(message, 'arg'));
    return {
      rows: rows.map((row) => ({ ...asRow(row), symbol })),
      stated: time(field(message, 'ts')),
    };
  },
});

const contracts = byPart((part: Futures) => streamedFutures.live(ticking(part)), ...futures);

export const live = byTopic({ spot: streamedSpot.live(ticking('spot')) }, contracts);

const updateIn = updateReader({ bids: 'b', asks: 'a', last: 'seq', stated: 'ts' });

/**
 * A message that names no predecessor (0) begins again. A message with many books is refused: one each, slowly.
 * `seq` exceeds 2^53 on some products. https://www.bitget.com/api-doc/uta/websocket/public/Depth-Channel
 */
const book = (instType: PartName) =>
  bookStream<Ask>({
    ...connection,
    wide: true,
    rule: 'chained',
    most: 1_000,
    window: true,
    pace: 500,
    request: (op, { market: symbol }) => request(op, { instType, topic: 'books', symbol }),
    parse(message) {
      if (message === 'pong') return null;
      const { event, msg, arg, action, data } = asRow(message);
      if (event === 'error') throw refused(msg);
      if (event !== undefined) return null;
      const [sent] = list(data, 'data');
      const previous = countOf(field(sent, 'pseq'), 'pseq');
      return updateIn(action === 'snapshot', field(arg, 'symbol'), sent, {
        previous: previous > 0 ? previous : undefined,
      });
    },
  });

export const books = byPart(book, 'spot', 'usdt-futures', 'usdc-futures');

/**
 * All contracts of a product type. `side` is the side of the position: buy is a long. `amount` is quote: in recorded rows it is the
 * price times a quantity of the contract's steps (13.70319 at 0.1649 is 83.1).
 */
const liquidated = (instType: Futures) =>
  liquidationStream({
    ...connection,
    channels: () => [request('subscribe', { instType, topic: 'liquidation' })],
    rows: rowsOf,
    columns: {
      market: idOf,
      side: ({ side }) => openedBy(side),
      price: 'price',
      kind: 'order',
      quantity: ({ amount, price }) => positive(amount) / positive(price),
      value: 'amount',
      at: 'ts',
    },
  });

export const liquidations = byPart(liquidated, ...futures);
