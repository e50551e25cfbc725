/**
 * The WebSocket of WhiteBIT: prices, the markets that have changed every second; mark prices and funding of all contracts; order
 * books. https://docs.whitebit.com/public/websocket/#market
 */
import { ShapeError } from '../../failure.ts';
import { asRow, bulk, field, isRecord, list, required, text, time } from '../../read.ts';
import type { StreamContext } from '../../sources/streams/stream.ts';
import { bookStream, refused, updateReader } from '../books.ts';
import { type LiveForm, type MarketForm, markets } from '../markets.ts';
import { followedOf } from '../rows.ts';
import { memoryOf } from '../streams.ts';

const request = (id: number, method: string, params: readonly unknown[]): string =>
  JSON.stringify({ id, method, params });

/** After a minute without a ping of ours a subscription ends. */
const connection = {
  url: 'wss://wss.whitebit.com/ws',
  keepAlive: { every: 30_000, message: request(0, 'ping', []) },
  silence: 30_000,
};

/** `volume` is in base, `deal` in quote, both of 24 h; there is no time. */
const ticker = {
  id: 'market',
  price: {
    last: 'last',
    open: 'open',
    high: 'high',
    low: 'low',
    base: 'volume',
    quote: 'deal',
    untraded: 'volume',
  },
} as const satisfies MarketForm;

/** A row of `premiumIndex`: `[market, mark, index, rate, next in ms, time in s]`; the rate is that of the answers. */
const contract = markets({
  ...ticker,
  id: (row) => text(Array.isArray(row) ? row[0] : row.market),
  columns: 6,
  derivative: { mark: 1, index: 2, rate: 3, next: 4, stated: (row) => time(row[5], 1_000) },
});

/** All contracts come twice a second, and change every five: the same row again counts after this time, ms. */
const repeatAfterMs = 5_000;
/** The last row of each contract of a connection, and when it was used. */
const lastUsed = memoryOf(() => new Map<string, { values: string; at: number }>());

/** The rows that say something else than the last one about their contract. */
function newRows(
  rows: readonly unknown[],
  { connection: by, instruments, received }: StreamContext,
): readonly unknown[] {
  const last = lastUsed(by);
  return rows.filter((row) => {
    const [market, ...numbers] = Array.isArray(row) ? row.slice(0, 4).map(text) : [];
    if (market === undefined || !instruments.has(market)) return true;
    const values = numbers.join();
    const before = last.get(market);
    if (before?.values === values && received - before.at < repeatAfterMs) return false;
    last.set(market, { values, at: received });
    return true;
  });
}

/** A subscription replaces the one before it of the same method: all markets go into one. */
const ticking: LiveForm = {
  ...connection,
  channels: (instruments) => [request(1, 'market_subscribe', followedOf(instruments))],
  acknowledges: (message) =>
    isRecord(message) && required(message.id) > 0 && isRecord(message.result) ? 1 : 0,
  read(message, context) {
    const error = field(message, 'error');
    if (isRecord(error)) throw new ShapeError(`WhiteBIT: ${text(error.message)}`);
    if (error === null) return null;
    const { method, params } = asRow(message);
    if (method !== 'market_update' && method !== 'premiumIndex_update')
      throw new ShapeError('method: unknown');
    const sent = bulk(params, 'params');
    return method === 'market_update'
      ? { rows: [{ ...asRow(sent[1]), market: sent[0] }], topics: ['prices'] }
      : { rows: newRows(sent, context), topics: ['derivatives'] };
  },
};

/** Without markets `premiumIndex` sends all contracts. */
const contracts = contract.live({
  ...ticking,
  channels: (instruments) => [
    ...ticking.channels(instruments),
    request(2, 'premiumIndex_subscribe', []),
  ],
});

export const live = {
  prices: { spot: markets(ticker).live(ticking), futures: contracts },
  derivatives: { futures: contracts },
};

const depth = 100;

const updateIn = updateReader({
  last: 'update_id',
  previous: 'past_update_id',
  stated: 'timestamp',
  unit: 1_000,
});

/**
 * Books of 100 levels. The last parameter leaves other subscriptions as they are. The same again brings a whole book, as every
 * ten seconds do. https://docs.whitebit.com/public/websocket/#depth
 */
const book = bookStream({
  ...connection,
  rule: 'chained',
  most: depth,
  window: true,
  pace: 20,
  request: (_op, { market }) => request(1, 'depth_subscribe', [market, depth, '0', true]),
  unsubscribe: () => [],
  acknowledges: (message) =>
    isRecord(message) && message.id === 1 && isRecord(message.result) ? 1 : 0,
  parse(message) {
    const { error, method, params } = asRow(message);
    if (isRecord(error)) throw refused(error.message);
    if (method !== 'depth_update') return null;
    const [sent, levels, market] = list(params, 'params');
    return updateIn(sent === true, market, levels);
  },
});

export const books = { spot: book, futures: book };
