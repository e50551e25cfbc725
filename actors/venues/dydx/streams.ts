/**
 * The channels of dYdX: oracle prices, funding and open interest; order books; liquidations.
 * https://docs.dydx.xyz/indexer-client/websockets
 */
import { ShapeError } from '../../failure.ts';
import { asRow, at, field, isRecord, list, text } from '../../read.ts';
import { bookStream, numberOf, refused, updateReader } from '../books.ts';
import { timeOf } from '../iso.ts';
import { closedBy, liquidationStream, perpetualsOf } from '../liquidations.ts';
import { acknowledgedBy } from '../streams.ts';
import { streamed } from './markets.ts';

const url = 'wss://indexer.dydx.trade/v4/ws';

/** Most subscriptions of a connection to order books, and to trades. */
const perConnection = 32;

const acknowledges = acknowledgedBy({ type: 'subscribed' });

/** The type of a message; ShapeError for a refusal and for anything that is not a message of dYdX. */
function typeOf(message: unknown): string {
  const type = text(field(message, 'type'));
  if (type === 'error') throw refused(field(message, 'message'));
  if (type === '') throw new ShapeError('type: no text');
  return type;
}

const marketsChannel = 'v4_markets';

/**
 * All markets, and then what has changed; fields that are absent have not. The oracle's price is sent without the others, and
 * stands in every row, because it values them. https://docs.dydx.xyz/indexer-client/websockets#markets
 */
const perp = streamed.live({
  url,
  channels: () => [JSON.stringify({ type: 'subscribe', channel: marketsChannel, batched: false })],
  silence: 30_000,
  read(message) {
    typeOf(message);
    if (field(message, 'channel') !== marketsChannel) return null;
    const { markets, trading, oraclePrices } = asRow(field(message, 'contents'));
    const parts = [markets, trading, oraclePrices].filter(isRecord);
    if (parts.length === 0) throw new ShapeError('contents: no markets');
    const rows = parts.flatMap(Object.entries).map(([ticker, row]) => ({ ...asRow(row), ticker }));
    const hasInterest = rows.some((row) => 'openInterest' in row);
    return {
      rows,
      topics: ['prices', 'derivatives', ...(hasInterest ? (['openInterest'] as const) : [])],
      remember: ['status', 'oraclePrice', 'effectiveAt', 'openInterest'],
      needs: 'oraclePrice',
    };
  },
});

export const live = { prices: { perp }, derivatives: { perp }, openInterest: { perp } };

/** Levels are objects in the first message, and `[price, size]` after it. */
const wholeBook = updateReader({ level: { price: 'price', quantity: 'size' } });
const changesIn = updateReader({});

const bookChannel = 'v4_orderbook';
/**
 * Every message of a connection has the number after that of the message before, but for the answer to a subscription: it is numbered
 * when it is asked for, and comes when the server has its data. https://docs.dydx.xyz/indexer-client/websockets#orders
 */
const book = bookStream({
  url,
  rule: 'none',
  most: 1_000,
  window: false,
  crosses: true,
  answersWithin: 2_000,
  pace: 600,
  perConnection,
  silence: 60_000,
  request: (type, { market: id }) =>
    JSON.stringify({
      type,
      channel: bookChannel,
      id,
      batched: type === 'subscribe' ? false : undefined,
    }),
  acknowledges,
  parse(message) {
    const { type, message_id, channel, id, contents, message: why } = asRow(message);
    const count = numberOf(message_id, 'message_id');
    if (type === 'error') return { updates: [], count, refusal: refused(why).message };
    const whole = type === 'subscribed';
    if (channel !== bookChannel || (!whole && type !== 'channel_data'))
      return { updates: [], count };
    const read = whole ? wholeBook : changesIn;
    return { ...read(whole, id, contents, { last: count }), count };
  },
});

export const books = { perp: book };

/** Messages about trades: with the newest ones before the subscription, then each. */
const dataTypes: ReadonlySet<string> = new Set(['subscribed', 'channel_data']);

/** Trades that liquidate a position. */
export const liquidations = {
  perp: liquidationStream({
    url,
    channels: (instruments) =>
      perpetualsOf(instruments).map((id) =>
        JSON.stringify({ type: 'subscribe', channel: 'v4_trades', id, batched: false }),
      ),
    perConnection,
    pace: 100,
    silence: 120_000,
    concerns: (frame) => frame.includes('"LIQUIDATED"') || !frame.includes('"channel_data"'),
    acknowledges,
    rows(message) {
      if (!dataTypes.has(typeOf(message))) return null;
      const market = text(field(message, 'id'));
      return list(at(message, 'contents.trades'), 'trades')
        .map(asRow)
        .filter(({ type }) => type === 'LIQUIDATED')
        .map((row) => ({ ...row, market }));
    },
    columns: {
      market: 'market',
      // That of the taker, who is liquidated.
      side: ({ side }) => closedBy(side),
      price: 'price',
      kind: 'fill',
      // Base.
      quantity: 'size',
      at: ({ createdAt }) => timeOf(createdAt),
      id: 'id',
    },
  }),
};
