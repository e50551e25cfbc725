/**
 * The connections of Deribit, JSON-RPC: tickers, order books, liquidations, trades of options. https://docs.deribit.com/articles/json-rpc-overview
 */
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, list, text, type WireRow } from '../../read.ts';
import type { InstrumentMap } from '../../sources/define.ts';
import { byTopic } from '../../sources/venue.ts';
import { bookStream, refused, updateReader } from '../books.ts';
import { pieces } from '../cells.ts';
import { closedBy, liquidationStream } from '../liquidations.ts';
import type { LiveForm } from '../markets.ts';
import { optionTradeStream } from '../option-rows.ts';
import { followedOf } from '../rows.ts';
import { type Ask, tickers } from './markets.ts';
import { tradeOf } from './options.ts';

const call = (id: number, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: `public/${method}`, params });

const isTest = (message: unknown): boolean =>
  isRecord(message) &&
  message.method === 'heartbeat' &&
  asRow(message.params).type === 'test_request';

const test = call(3, 'test', {});

type Method = 'subscribe' | 'unsubscribe';

/** The ids of requests: what is ended is answered as what is subscribed to, and is no acknowledgement. */
const ids = { subscribe: 2, unsubscribe: 4 } as const;

/** Subscribes to channels, or ends that. Three such requests a second are within the credits, each of 500 channels at most. */
const subscription = (channels: readonly string[], method: Method = 'subscribe'): string =>
  call(ids[method], method, { channels });

/** The properties of every connection. The server asks for a sign of life, and closes when it gets no answer. */
const connection = {
  url: 'wss://streams.deribit.com/ws/api/v2',
  pace: 400,
  paceOf: 'host',
  silence: 60_000,
  opening: [call(1, 'set_heartbeat', { interval: 30 })],
  reply: (message: unknown) => (isTest(message) ? test : null),
  acknowledges: (message: unknown) =>
    isRecord(message) && message.id === ids.subscribe && Array.isArray(message.result)
      ? message.result.length
      : 0,
} as const;

/**
 * The data of a message of a subscription; undefined for any other. ShapeError for a refusal and for anything that is not a
 * message of Deribit.
 */
function dataOf(message: unknown): unknown {
  const error = field(message, 'error');
  if (error !== undefined) throw new ShapeError(`refused: ${text(asRow(error).message)}`);
  const method = field(message, 'method');
  if (method === 'heartbeat' || field(message, 'result') !== undefined) return undefined;
  if (method !== 'subscription') throw new ShapeError('method: unknown');
  return field(field(message, 'params'), 'data') ?? null;
}

const perRequest = 100;

const tickersOf = (method: Method) => (instruments: InstrumentMap) =>
  pieces(followedOf(instruments), perRequest).map((markets) =>
    subscription(
      markets.map((market) => `ticker.${market}.100ms`),
      method,
    ),
  );

/** Tickers of single markets. https://docs.deribit.com/subscriptions/market-data/tickerinstrument_nameinterval */
const ticking: LiveForm = {
  ...connection,
  channels: tickersOf('subscribe'),
  unsubscribe: tickersOf('unsubscribe'),
  read(message) {
    const data = dataOf(message);
    if (data === undefined) return null;
    if (!isRecord(data)) throw new ShapeError('data: no object');
    return { rows: [summaryOf(data)] };
  },
};

/** A ticker by the names of a book summary. */
function summaryOf(data: WireRow): WireRow {
  const stats = asRow(data.stats);
  return {
    instrument_name: data.instrument_name,
    creation_timestamp: data.timestamp,
    last: data.last_price,
    bid_price: data.best_bid_price,
    ask_price: data.best_ask_price,
    high: stats.high,
    low: stats.low,
    volume: stats.volume,
    volume_usd: stats.volume_usd,
    volume_notional: stats.volume_notional,
    price_change: stats.price_change,
    mark_price: data.mark_price,
    estimated_delivery_price: data.index_price,
    current_funding: data.current_funding,
    open_interest: data.open_interest,
  };
}

const contracts = { linear: tickers.linear.live(ticking), inverse: tickers.inverse.live(ticking) };

export const live = byTopic({ spot: tickers.spot.live(ticking) }, contracts);

const updateIn = updateReader({
  // `[action, price, amount]`; the amount of a deletion is 0.
  level: { price: 1, quantity: 2, columns: 3 },
  last: 'change_id',
  previous: ({ prev_change_id = null }) => prev_change_id,
  stated: 'timestamp',
});

/**
 * A second subscription of a channel that is there brings no snapshot. https://docs.deribit.com/#book-instrument_name-interval
 */
const book = bookStream<Ask>({
  ...connection,
  rule: 'chained',
  most: 1_000,
  window: false,
  request: (op, { market }) => subscription([`book.${market}.100ms`], op),
  parse(message) {
    const { method, error, params } = asRow(message);
    if (error !== undefined) throw refused(field(error, 'message'));
    const isBook = method === 'subscription' && text(field(params, 'channel')).startsWith('book.');
    if (!isBook) return null;
    const data = asRow(field(params, 'data'));
    return updateIn(data.type === 'snapshot', data.instrument_name, data);
  },
});

export const books = { spot: book, linear: book };

/** The trades of a message; null for one that has none. */
function tradesIn(message: unknown): readonly unknown[] | null {
  const data = dataOf(message);
  return data === undefined ? null : list(data, 'data');
}

const opposite = { long: 'short', short: 'long' } as const;

const isLiquidation = (row: unknown): boolean => !isRecord(row) || text(row.liquidation) !== '';

/**
 * `liquidation` states who is liquidated: T the taker, whose side `direction` is, M the maker, MT both. `amount` is USD of
 * inverse and base of linear contracts.
 */
const whoIn = ({ liquidation, direction }: WireRow): string[] =>
  closedBy(direction) ? [...text(liquidation)] : [''];

/** Beside other trades. https://docs.deribit.com/subscriptions/trades/tradeskindcurrencyinterval */
const trades = (...currencies: readonly string[]) =>
  liquidationStream({
    ...connection,
    channels: () => [subscription(currencies.map((currency) => `trades.future.${currency}.100ms`))],
    concerns: (frame) => frame.includes('"liquidation"') || !frame.includes('"subscription"'),
    rows: (message) =>
      tradesIn(message)
        ?.filter(isLiquidation)
        .map(asRow)
        .flatMap((row) => whoIn(row).map((who) => ({ ...row, who }))) ?? null,
    columns: {
      market: 'instrument_name',
      price: 'price',
      kind: 'fill',
      quantity: 'amount',
      side({ who, direction }) {
        const taker = closedBy(direction);
        return taker && (who === 'T' ? taker : opposite[taker]);
      },
      at: 'timestamp',
      id: ({ trade_id: id, who }) => (text(id) === '' ? '' : `${id}${who}`),
    },
  });

/** Linear contracts settle in USDC or USDT; the currencies of the others are their own. */
export const liquidations = { linear: trades('USDC', 'USDT'), inverse: trades('BTC', 'ETH') };

/** By the currency that they settle in, as the chains. */
const optionsTraded = (...currencies: readonly string[]) =>
  optionTradeStream({
    ...connection,
    channels: () => [subscription(currencies.map((currency) => `trades.option.${currency}.100ms`))],
    rows: tradesIn,
    read: tradeOf,
  });

export const optionTrades = {
  linear: optionsTraded('USDC'),
  inverse: optionsTraded('BTC', 'ETH'),
};
