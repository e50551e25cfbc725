/**
 * The streams of Binance, in the form that other exchanges copied: prices, marks, liquidations, trades, order books.
 * https://developers.binance.com/docs/binance-spot-api-docs/web-socket-streams
 */
import { day } from '../../../config/time.ts';
import type { Rule } from '../../../indicators/order-book/sequence.ts';
import { ShapeError } from '../../failure.ts';
import { asRow, bulk, field, isRecord, positive, text, time, type WireRow } from '../../read.ts';
import type { BookStream, TradeStream } from '../../sources/streams/stream.ts';
import { bookStream, numberOf, refused, snapshotReader, updateReader } from '../books.ts';
import { closedBy, liquidationStream } from '../liquidations.ts';
import type { LiveForm } from '../markets.ts';
import { acknowledgedBy, forMarkets } from '../streams.ts';
import { buyerIsMaker, tradeStream } from '../trades.ts';
import { futuresBookWeight, spotBookWeight } from './form.ts';
import { type Ask, get, markPrices, miniTickers } from './markets.ts';

/** Subscribes to one stream, such as `!forceOrder@arr`, or ends that. */
export const subscription = (stream: string, op = 'subscribe'): string =>
  JSON.stringify({ method: op.toUpperCase(), params: [stream], id: 1 });

/** True for the message that a server sends before it closes the connection. */
const isEnd = (message: unknown): boolean => isRecord(message) && message.e === 'serverShutdown';

/**
 * A quiet market sends nothing but pings of the protocol: our own question, which is answered, proves that the connection
 * lives. A connection ends after 24 hours.
 */
export const connection = {
  keepAlive: { every: 25_000, message: '{"method":"LIST_SUBSCRIPTIONS","id":2}' },
  lifetime: day,
  acknowledges: acknowledgedBy({ result: null }),
  ends: isEnd,
};

/** True for an answer to a message of ours; ShapeError for a refusal. */
export function isAnswer(message: unknown): boolean {
  const error = field(message, 'error') ?? field(message, 'msg');
  if (error !== undefined) throw new ShapeError(`refused: ${text(asRow(error).msg)}`);
  return isRecord(message) && 'result' in message;
}

/**
 * USD-M and COIN-M: since June 2026 the streams of all markets of both addresses have the rows of both, told apart by `st`.
 * https://developers.binance.com/docs/derivatives/coin-margined-futures/Important-CM-UM-Integration-Notice
 */
type SymbolType = 1 | 2;

/** False for a row of the other type. Exchanges that copied the form have one type. */
const isOf = (type: SymbolType | undefined, { st = type }: WireRow): boolean =>
  type === undefined || st === type;

/** A stream of all markets of an address, of those of a type where it has others too. */
const ofAll = (url: string, channel: string, type?: SymbolType): LiveForm => ({
  ...connection,
  url,
  channels: () => [subscription(channel)],
  silence: 30_000,
  read: (message) =>
    isEnd(message) || (!Array.isArray(message) && isAnswer(message))
      ? null
      : { rows: bulk(message, 'rows').filter((row) => isOf(type, asRow(row))) },
});

/** Each second the markets that have changed. */
export const pricesAt = (url: string, type?: SymbolType) =>
  miniTickers.live(ofAll(url, '!miniTicker@arr', type));
/** All markets every second, whether they have changed or not. */
export const marksAt = (url: string, type?: SymbolType) =>
  markPrices.live(ofAll(url, '!markPrice@arr@1s', type));

/**
 * Liquidation orders of an address, the largest one a symbol and second only. `st` is documented beside the order, and sent in it.
 * https://developers.binance.com/docs/derivatives/usds-margined-futures/websocket-market-streams/All-Market-Liquidation-Order-Streams
 */
export const liquidationsAt = (url: string, type?: SymbolType) =>
  liquidationStream({
    ...connection,
    url,
    channels: () => [subscription('!forceOrder@arr')],
    silence: 60_000,
    rows(message) {
      if (isAnswer(message)) return null;
      const event = text(field(message, 'e'));
      if (event === '') throw new ShapeError('e: no text');
      if (event !== 'forceOrder') return null;
      const order = asRow(field(message, 'o'));
      if (!isOf(type, order) || !isOf(type, asRow(message))) return [];
      return order.X === 'FILLED' || text(order.s) === '' ? [order] : [];
    },
    // `S` is the side of the order; `ap` is 0 where the average price is not known; `z` counts what was filled.
    columns: {
      market: 's',
      quantity: 'z',
      at: 'T',
      side: ({ S }) => closedBy(S),
      price: ({ ap: average, p: limit }) => positive(average) || positive(limit),
      kind: ({ ap: average }) => (positive(average) > 0 ? 'average' : 'order'),
      more(liquidation, order, { scale }) {
        const [limit, average] = [positive(order.p), positive(order.ap)];
        if (!(limit > 0)) return;
        liquidation.order = {
          price: limit / scale,
          average_price: (average || 0) / scale,
          type: text(order.o),
          time_in_force: text(order.f),
          status: text(order.X),
        };
      },
    },
  });

/** Levels a side of a snapshot; the changes that come are those of all levels. */
const depth = 1_000;

/** The properties of a stream in Binance's form, besides the request for the whole book. */
export interface DepthForm {
  url: string;
  /** Spot counts the changes (`U`), futures name the message before (`pu`). */
  rule: Rule;
  /** Milliseconds between two messages of ours: five a second are allowed on spot, ten on futures. */
  pace: number;
}

const wholeBook = snapshotReader({ last: 'lastUpdateId', stated: 'T' });
const updateIn = updateReader({
  bids: 'b',
  asks: 'a',
  first: 'U',
  last: 'u',
  // Where no message before is named, it ends where this one begins.
  previous: ({ pu, U }) => (pu === undefined ? numberOf(U, 'U') - 1 : pu),
  stated: ({ T, E }) => time(T) ?? E,
});

/** `<symbol>@depth@100ms` of an address in Binance's form. */
export const depthStream = <Request>(
  { url, rule, pace }: DepthForm,
  request: (market: string, limit: number) => Request,
): BookStream<Request> =>
  bookStream({
    url,
    rule,
    pace,
    most: 2 * depth,
    window: false,
    silence: 60_000,
    lifetime: connection.lifetime,
    acknowledges: connection.acknowledges,
    ends: isEnd,
    request: (op, { market }) => subscription(`${market.toLowerCase()}@depth@100ms`, op),
    snapshot: { request: (market) => request(market, depth), parse: wholeBook },
    parse(message) {
      const row = asRow(message);
      if (row.e === 'depthUpdate') return updateIn(false, row.s, row);
      const error = row.error ?? row.msg;
      if (error !== undefined) throw refused(asRow(error).msg);
      return null;
    },
  });

/** Market streams of USD-M have a route of their own; without it the connection opens and stays silent. */
const linear = 'wss://fstream.binance.com/market/ws';
const inverse = 'wss://dstream.binance.com/ws';

export const live = {
  prices: {
    spot: pricesAt('wss://data-stream.binance.vision/ws'),
    linear: pricesAt(linear, 1),
    inverse: pricesAt(inverse, 2),
  },
  derivatives: { linear: marksAt(linear, 1) },
};

export const liquidations = {
  linear: liquidationsAt(linear, 1),
  inverse: liquidationsAt(inverse, 2),
};

/**
 * Public trades, one row for each taker order and price. `m` states that the buyer was the maker: the taker bought where it is
 * false. Trades with the insurance fund and those of deleveraging are not among them.
 * https://developers.binance.com/docs/derivatives/usds-margined-futures/websocket-market-streams/Aggregate-Trade-Streams
 * https://developers.binance.com/docs/binance-spot-api-docs/web-socket-streams#aggregate-trade-streams
 */
const tradesAt = (url: string, pace: number): TradeStream =>
  tradeStream({
    ...connection,
    url,
    pace,
    channels: forMarkets((market) => subscription(`${market.toLowerCase()}@aggTrade`)),
    silence: 60_000,
    rows(message) {
      const { e } = asRow(message);
      if (e === 'aggTrade') return [message];
      if (!isAnswer(message) && text(e) === '') throw new ShapeError('e: no text');
      return null;
    },
    market: 's',
    columns: { number: 'a', at: 'T', price: 'p', quantity: 'q', bought: buyerIsMaker('m') },
  });

/** Of spot five messages a second are allowed, of futures ten. */
export const trades = {
  spot: tradesAt('wss://data-stream.binance.vision/ws', 250),
  linear: tradesAt(linear, 150),
};

/** Only this host serves market data alone; books of USD-M have a route of their own. */
export const books = {
  spot: depthStream(
    { url: 'wss://data-stream.binance.vision/ws', rule: 'counted', pace: 250 },
    (symbol, limit): Ask => get('spot', '/depth', spotBookWeight(limit), { symbol, limit }),
  ),
  linear: depthStream(
    { url: 'wss://fstream.binance.com/public/ws', rule: 'chained', pace: 150 },
    (symbol, limit): Ask => get('linear', '/depth', futuresBookWeight(limit), { symbol, limit }),
  ),
};
