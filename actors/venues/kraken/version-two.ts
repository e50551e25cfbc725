/**
 * Version 2 of Kraken's streams, at two addresses: that of spot, and the unified one, which carries derivatives and, from some time of
 * 2027 on, spot. https://docs.kraken.com/api/docs/websocket-v2/ticker and
 * https://docs.kraken.com/exchange/api-reference/unified-websocket
 */
import { krakenChecksum } from '../../../indicators/order-book/checksum.ts';
import type { LiveBook } from '../../../indicators/order-book/live-book.ts';
import { ShapeError } from '../../failure.ts';
import { asRow, bulk, list, required, text, type WireRow } from '../../read.ts';
import type { InstrumentMap } from '../../sources/define.ts';
import type { BookStream, MarketUpdate } from '../../sources/streams/stream.ts';
import type { Instrument, LiveTopic } from '../../topics/index.ts';
import { bookStream, marketsByName, refused, updateReader } from '../books.ts';
import { pieces } from '../cells.ts';
import { timeOf } from '../iso.ts';
import type { Mapper } from '../markets.ts';
import { acknowledgedBy, memoryOf } from '../streams.ts';
import { takerWord, tradeStream } from '../trades.ts';
import { pairs, unifiedTickers } from './markets.ts';

/** Where a part is streamed, and by which names. */
interface Address {
  url: string;
  /** What every subscription states besides its channel and its names. */
  params: Readonly<Record<string, string>>;
  nameOf(market: Instrument): string;
}

/** Its names are those of its list: `BTC/USD`. */
const spot: Address = {
  url: 'wss://ws.kraken.com/v2',
  params: {},
  nameOf: ({ wire, market }) => wire ?? market,
};

/** The names are those of the old address: `PF_XBTUSD`. */
const derivatives: Address = {
  url: 'wss://uws.kraken.com/v2/public',
  params: { asset_class: 'derivatives' },
  nameOf: ({ market }) => market,
};

/** Names of one message; the API states no bound. */
const perMessage = 100;

/** A heartbeat comes every second in which nothing else does. Each name is acknowledged by itself. */
const connection = ({ url }: Address) => ({
  url,
  silence: 60_000,
  acknowledges: acknowledgedBy({ method: 'subscribe', success: true }),
  keepAlive: { every: 30_000, message: '{"method":"ping"}' },
});

/** The messages that subscribe to a channel of all markets. */
const subscriptions =
  ({ params, nameOf }: Address, channel: string, more: object = {}) =>
  (instruments: InstrumentMap): string[] =>
    pieces([...marketsByName(instruments, nameOf).keys()], perMessage).map((symbol) =>
      JSON.stringify({ method: 'subscribe', params: { channel, ...params, symbol, ...more } }),
    );

/** A message of a channel; null for one that is about no data, and for one of another channel. ShapeError for a refusal. */
function messageOf(message: unknown, wanted: string): WireRow | null {
  const row = asRow(message);
  if (row.success === false) throw refused(row.error);
  if (text(row.method) !== '') return null;
  const channel = text(row.channel);
  if (channel === '') throw new ShapeError('channel: no text');
  return channel === wanted ? row : null;
}

/** Rows with the id of their market in place of its name. */
function named(rows: readonly unknown[], instruments: InstrumentMap, { nameOf }: Address) {
  const ids = marketsByName(instruments, nameOf);
  return rows
    .map(asRow)
    .map((row) => ({ ...row, market: ids.get(text(row.symbol)) ?? row.symbol }));
}

/** What tickers of one address have besides. */
interface More {
  /** Markets that are followed, the most traded ones; all when absent. */
  most?: number;
  /** The topics that a message has, where messages differ. */
  topicsOf?(rows: readonly WireRow[]): readonly LiveTopic[];
}
const tickersOf = <T extends LiveTopic>(
  at: Address,
  mapper: Mapper<T>,
  { topicsOf, ...more }: More = {},
) =>
  mapper.live({
    ...connection(at),
    ...more,
    channels: subscriptions(at, 'ticker'),
    read(message, { instruments }) {
      const found = messageOf(message, 'ticker');
      if (found === null) return null;
      const rows = named(bulk(found.data, 'data'), instruments, at);
      return topicsOf ? { rows, topics: topicsOf(rows) } : { rows };
    },
  });

/** Public trades; `trade_id` numbers those of a market one by one, and `side` is that of the taker. */
const tradesOf = (at: Address) =>
  tradeStream({
    ...connection(at),
    pace: 100,
    channels: subscriptions(at, 'trade', { snapshot: false }),
    rows(message, { instruments }) {
      const found = messageOf(message, 'trade');
      if (found === null || found.type === 'snapshot') return null;
      return named(list(found.data, 'data'), instruments, at);
    },
    market: 'market',
    columns: {
      number: 'trade_id',
      price: 'price',
      quantity: 'qty',
      bought: takerWord('side'),
      at: ({ timestamp }) => timeOf(timestamp),
    },
  });

const depth = 500;
const level = { price: 'price', quantity: 'qty' };

/** Markets whose checksums were right on a connection. */
const rightOn = memoryOf(() => new Set<string>());

/**
 * Whether the checksum of the ten best levels is the stated one. That of derivatives is not documented: it counts once it has been right.
 */
const verifierOf =
  (row: WireRow, market: Instrument | undefined, right: Set<string> | null) =>
  (book: LiveBook): boolean => {
    const { decimals, market: id } = market ?? {};
    if (decimals === undefined || id === undefined) return true;
    const isRight = krakenChecksum(book, decimals) === required(row.checksum);
    if (isRight) right?.add(id);
    return isRight || right?.has(id) === false;
  };

const update = updateReader({ level, stated: ({ timestamp }) => timeOf(timestamp) });

function updatesIn(
  message: WireRow,
  {
    markets,
    at,
    connection,
  }: { markets: InstrumentMap; at: Address; connection: object | undefined },
): readonly MarketUpdate[] {
  const right = at === derivatives ? rightOn(connection) : null;
  return named(list(message.data, 'data'), markets, at).flatMap((row) => {
    const market = text(row.market);
    const verify = verifierOf(row, markets.get(market), right);
    return update(message.type === 'snapshot', market, row, { verify }).updates;
  });
}

/** Messages have no numbers: only the checksum shows that one is missing. */
const booksOf = (at: Address): BookStream<never> =>
  bookStream({
    ...connection(at),
    rule: 'none',
    most: depth,
    window: true,
    pace: 100,
    request: (method, market) =>
      JSON.stringify({
        method,
        params: { channel: 'book', ...at.params, symbol: [at.nameOf(market)], depth },
      }),
    parse(message, { instruments: markets, connection }) {
      const found = messageOf(message, 'book');
      return found && { updates: updatesIn(found, { markets, at, connection }) };
    },
  });

export const spotStreams = {
  tickers: tickersOf(spot, pairs, { most: 100 }),
  trades: tradesOf(spot),
  books: booksOf(spot),
};

/**
 * Documents name the mark, the index, the rate and the open interest of tickers nowhere: they are read where they are. All contracts are
 * followed, some hundreds: once the old API has ended, nothing else says which are traded most.
 */
export const unifiedStreams = {
  tickers: tickersOf(derivatives, unifiedTickers, {
    topicsOf: (rows) => [
      'prices',
      ...(rows.some(({ mark_price: mark }) => mark !== undefined)
        ? (['derivatives'] as const)
        : []),
      ...(rows.some((row) => row.open_interest !== undefined) ? (['openInterest'] as const) : []),
    ],
  }),
  trades: tradesOf(derivatives),
  books: booksOf(derivatives),
};
