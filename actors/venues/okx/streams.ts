/** The public connections of OKX. https://www.okx.com/docs-v5/en/#overview-websocket */
import { minute } from '../../../config/time.ts';
import { ShapeError } from '../../failure.ts';
import {
  asRow,
  at,
  field,
  isRecord,
  list,
  optional,
  positive,
  text,
  type WireRow,
} from '../../read.ts';
import { byTopic } from '../../sources/venue.ts';
import { bookStream, numberOf, refused, updateReader } from '../books.ts';
import { pieces } from '../cells.ts';
import { closedBy, liquidationStream } from '../liquidations.ts';
import type { LiveForm } from '../markets.ts';
import { optionTradeStream } from '../option-rows.ts';
import { acknowledgedBy, forPieces, type Message } from '../streams.ts';
import { takerWord, tradeStream } from '../trades.ts';
import { type Ask, bookLevel, indexOf, swap, tickers } from './markets.ts';
import { families, tradeOf } from './options.ts';

const eventOf = (message: unknown): string => (isRecord(message) ? text(message.event) : '');

/** The properties of every connection. One without a push is dropped after 30 s; `ping` and `pong` are texts. */
const connection = {
  url: 'wss://ws.okx.com/ws/v5/public',
  keepAlive: { every: 20_000, message: 'ping' },
  silence: 60_000,
  acknowledges: acknowledgedBy({ event: 'subscribe' }),
  // About a minute before an upgrade of the service.
  ends: (message: unknown) =>
    isRecord(message) && message.event === 'notice' && message.code === '64008',
} as const;

/** The rows of a message with data; null for any other. ShapeError for a refusal. */
function rowsOf(message: unknown): readonly unknown[] | null {
  if (message === 'pong') return null;
  const event = eventOf(message);
  if (event === 'error') throw new ShapeError(`OKX error ${text(field(message, 'code'))}`);
  return event === '' ? list(field(message, 'data'), 'data') : null;
}

/** A connection may send 480 requests an hour, each of 64 KB. */
const perRequest = 50;

const subscription = (channel: string, ids: readonly string[]): object[] =>
  ids.map((instId) => ({ channel, instId }));
const request = (args: readonly object[], op = 'subscribe'): string => JSON.stringify({ op, args });

/** The channels of a contract. `index-tickers` has the id of the index, and is requested separately. */
const ofContracts = ['tickers', 'mark-price', 'funding-rate', 'open-interest'];
const ofIndex = 'index-tickers';
/** The contracts whose channels share a request. */
const perPiece = 12;

type Channel = Omit<Message, 'rows' | 'stated'> & {
  /** The row by the names of the lists, where they differ. */
  row?(row: WireRow): WireRow;
};

/** The value of the open interest needs a mark, which comes every ten seconds at least. */
const mark = { remember: ['markPx'], lasts: minute };
const rates: Channel = { topics: ['derivatives'] };

const channels: ReadonlyMap<string, Channel> = new Map<string, Channel>([
  ['tickers', { topics: ['prices'] }],
  ['mark-price', { ...rates, ...mark, row: (row) => ({ ...row, marked: row.ts }) }],
  ['funding-rate', rates],
  ['index-tickers', { ...rates, row: (row) => ({ ...row, instId: `${text(row.instId)}-SWAP` }) }],
  ['open-interest', { ...mark, topics: ['openInterest'], needs: 'markPx' }],
]);

/** No channel has all markets. */
const ticking: LiveForm = {
  ...connection,
  most: 100,
  pace: 100,
  channels: forPieces(perRequest, (ids) => request(subscription('tickers', ids))),
  read(message) {
    const rows = rowsOf(message);
    if (rows === null) return null;
    const channel = channels.get(text(at(message, 'arg.channel')));
    if (!channel) throw new ShapeError('channel: unknown');
    const { row, ...rest } = channel;
    return { ...rest, rows: row ? rows.map((one) => row(asRow(one))) : rows };
  },
};

/** An index that OKX does not know must not take other channels of its request with it. */
const contracts = swap.live({
  ...ticking,
  perConnection: 300,
  channels: (instruments) =>
    pieces([...instruments.keys()], perPiece).flatMap((ids) => [
      request(ofContracts.flatMap((channel) => subscription(channel, ids))),
      request(subscription(ofIndex, ids.map(indexOf))),
    ]),
});

export const live = byTopic({ spot: tickers.live(ticking) }, { swap: contracts });

const updateIn = updateReader({ level: bookLevel, last: 'seqId', stated: 'ts' });

/**
 * Books of 400 levels. `checksum` is a constant 0 since June 2026. Of a message without changes both numbers are equal.
 * https://www.okx.com/docs-v5/en/#order-book-trading-market-data-ws-order-book-channel
 */
const book = bookStream<Ask>({
  ...connection,
  rule: 'chained',
  most: 400,
  window: true,
  pace: 100,
  request: (op, { market }) => request(subscription('books', [market]), op),
  parse(message) {
    if (message === 'pong') return null;
    const { event, code, arg, action, data } = asRow(message);
    if (event === 'error') throw refused(code);
    if (event !== undefined || field(arg, 'channel') !== 'books') return null;
    const [sent] = list(data, 'data');
    return updateIn(action === 'snapshot', field(arg, 'instId'), sent, {
      previous: numberOf(field(sent, 'prevSeqId'), 'prevSeqId'),
    });
  },
});

export const books = { spot: book, swap: book };

/**
 * Public trades, one row for each taker order and price: `tradeId` is the last of the `count` numbers that it stands for.
 * https://www.okx.com/docs-v5/en/#order-book-trading-market-data-ws-trades-channel
 */
const traded = tradeStream({
  ...connection,
  pace: 100,
  channels: forPieces(perRequest, (ids) => request(subscription('trades', ids))),
  rows: rowsOf,
  market: 'instId',
  columns: {
    ...{ number: 'tradeId', at: 'ts', price: 'px', quantity: 'sz', bought: takerWord('side') },
    count: ({ count }) => (count === undefined ? 1 : count),
  },
});

export const trades = { spot: traded, swap: traded };

const liquidationChannels = ['SWAP', 'FUTURES'].map((instType) => ({
  channel: 'liquidation-orders',
  instType,
}));

/**
 * About one order a contract and second; the first messages repeat orders of the minutes before.
 * https://www.okx.com/docs-v5/en/#public-data-websocket-liquidation-orders-channel
 */
export const liquidations = {
  swap: liquidationStream({
    ...connection,
    channels: () => [request(liquidationChannels)],
    rows: (message) =>
      rowsOf(message)?.flatMap((row) => {
        const { instId, details } = asRow(row);
        return (Array.isArray(details) ? details : [null]).map((one) => ({
          ...asRow(one),
          instId,
        }));
      }) ?? null,
    // `side` is that of the order, `sz` counts contracts, `bkPx` is the price at which the margin is used up.
    columns: {
      market: 'instId',
      price: 'bkPx',
      kind: 'bankruptcy',
      quantity: 'sz',
      at: 'ts',
      side: ({ side }) => closedBy(side),
      more(liquidation, { sz, bkLoss }) {
        liquidation.quantity_contracts = positive(sz);
        liquidation.bankruptcy_loss = optional(bkLoss);
      },
    },
  }),
};

/** The first message of each family may repeat its last trade. */
export const optionTrades = {
  swap: optionTradeStream({
    ...connection,
    channels: () => [
      request(
        families.map((instFamily) => ({
          channel: 'option-trades',
          instType: 'OPTION',
          instFamily,
        })),
      ),
    ],
    rows: rowsOf,
    read: tradeOf,
  }),
};
