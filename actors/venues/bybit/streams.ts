/** The public connections of Bybit: tickers, order books, liquidations. https://bybit-exchange.github.io/docs/v5/ws/connect */
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, list, optional, text, time } from '../../read.ts';
import type { Refusal } from '../../sources/streams/stream.ts';
import { byTopic } from '../../sources/venue.ts';
import { bookStream, refused, updateReader } from '../books.ts';
import { pieces } from '../cells.ts';
import { liquidationStream, openedBy, perpetualsOf } from '../liquidations.ts';
import type { LiveForm } from '../markets.ts';
import { leftOf, objectIn } from '../streams.ts';
import { takerWord, tradeStream } from '../trades.ts';
import { type Ask, type Category, type Contracts, contracts, spot } from './markets.ts';

/** Of spot at most ten; a topic that is not known takes the others of its request with it. */
const perRequest = 10;

/** Subscribes to topics. Their number goes along as the id of the request, which the acknowledgement repeats. */
const subscription = (args: readonly string[]): string =>
  JSON.stringify({ op: 'subscribe', req_id: `${args.length}`, args });

/** The requests that subscribe to the topics of markets. */
const subscriptions = (topic: string, markets: readonly string[]): string[] =>
  pieces(
    markets.map((market) => `${topic}${market}`),
    perRequest,
  ).map(subscription);

/** Why a request was refused; null for any other message. A topic that is subscribed to already is none that is missing. */
function refusalIn(message: unknown): string | null {
  if (!isRecord(message) || message.success !== false) return null;
  const why = text(message.ret_msg);
  return /already subscribed/.test(why) ? null : why;
}

const topicsOf = (request: string): string[] =>
  list(field(JSON.parse(request), 'args'), 'args').map(text);

/** The request with the topics that a refusal names, and the rest of it. */
function refuses(message: unknown, sent: readonly string[]): Refusal | null {
  const why = refusalIn(message);
  return why === null ? null : leftOf(why, sent, { namesIn: topicsOf, subscription });
}

/** The properties of every connection of a category. */
const connection = (category: Category) => ({
  url: `wss://stream.bybit.com/v5/public/${category}`,
  keepAlive: { every: 20_000, message: '{"op":"ping"}' },
  silence: 60_000,
  acknowledges(message: unknown) {
    const { op, success, req_id } = asRow(message);
    return op === 'subscribe' && success === true ? (optional(req_id) ?? 1) : 0;
  },
});

/** A connection's topics may have 21,000 characters. */
const perConnection = 400;

/** True for a message with data of topics that begin so; ShapeError for a refusal and for anything that is not a message of Bybit. */
function isAbout(message: unknown, topics: string): boolean {
  const topic = field(message, 'topic');
  if (topic === undefined && isRecord(message) && typeof message.op === 'string') {
    const refusal = refusalIn(message);
    if (refusal !== null) throw new ShapeError(`refused: ${refusal}`);
    return false;
  }
  if (!text(topic).startsWith(topics)) throw new ShapeError('topic: unknown');
  return true;
}

/** Of contracts the first message about a market has everything, those after it what has changed. */
const tickers = (category: Category): LiveForm => ({
  ...connection(category),
  perConnection,
  refuses,
  most: 100,
  channels: (instruments) => subscriptions('tickers.', [...instruments.keys()]),
  read(message) {
    if (!isAbout(message, 'tickers.')) return null;
    const data = objectIn(message, 'data');
    const whole = field(message, 'type') !== 'delta';
    // A connection that begins with a change lacks the price.
    return {
      rows: [data],
      stated: time(field(message, 'ts')),
      remember: 'all',
      whole,
      needs: 'lastPrice',
    };
  },
});

export const live = byTopic(
  { spot: spot.live(tickers('spot')) },
  {
    linear: contracts.live(tickers('linear')),
    inverse: contracts.live(tickers('inverse')),
  },
);

const depth = 200;
const updateIn = updateReader({ bids: 'b', asks: 'a', first: 'u', last: 'u' });

/** `u` counts the messages of a market; 1 follows a restart of the exchange, with a whole book. */
const book = (category: 'spot' | 'linear') =>
  bookStream<Ask>({
    ...connection(category),
    rule: 'counted',
    most: depth,
    window: true,
    pace: 100,
    request: (op, { market }) =>
      JSON.stringify({ op, req_id: '1', args: [`orderbook.${depth}.${market}`] }),
    parse(message) {
      const { op, success, ret_msg, topic, type, data, ts, cts } = asRow(message);
      if (op !== undefined && success === false) throw refused(ret_msg);
      if (op !== undefined || !text(topic).startsWith('orderbook.')) return null;
      const { s: market, u } = asRow(data);
      const whole = type === 'snapshot' || u === 1;
      return updateIn(whole, market, data, { stated: time(cts) ?? time(ts) });
    },
  });

export const books = { spot: book('spot'), linear: book('linear') };

/**
 * Public trades. Their ids are not numbers that count, and `seq` counts what happens in all markets. Block trades (`BT`) are not
 * of the order book. https://bybit-exchange.github.io/docs/v5/websocket/public/trade
 */
const traded = (category: 'spot' | 'linear') =>
  tradeStream({
    ...connection(category),
    perConnection,
    refuses,
    channels: (instruments) => subscriptions('publicTrade.', [...instruments.keys()]),
    rows: (message) =>
      isAbout(message, 'publicTrade.') ? list(field(message, 'data'), 'data') : null,
    market: 's',
    columns: { id: 'i', at: 'T', price: 'p', quantity: 'v', bought: takerWord('S') },
    keep: ({ BT: isBlock }) => isBlock !== true,
  });

export const trades = { spot: traded('spot'), linear: traded('linear') };

/** Every liquidation. `S` is the side of the position, not of the order: Buy is a long. `v` is base, or USD for inverse contracts. */
const liquidated = (category: Contracts) =>
  liquidationStream({
    ...connection(category),
    perConnection,
    refuses,
    channels: (instruments) => subscriptions('allLiquidation.', perpetualsOf(instruments)),
    rows: (message) =>
      isAbout(message, 'allLiquidation.') ? list(field(message, 'data'), 'data') : null,
    columns: {
      market: 's',
      side: ({ S }) => openedBy(S),
      price: 'p',
      kind: 'bankruptcy',
      quantity: 'v',
      at: 'T',
    },
  });

export const liquidations = { linear: liquidated('linear'), inverse: liquidated('inverse') };
