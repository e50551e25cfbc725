/**
 * How the connections of a venue are kept, against what upstreams/websockets.md states of them (sections 2 to 24: ping or
 * keep-alive, limits, framing, book), written by hand.
 */
import type { Test } from 'tap';
import { isRecord } from '../../../../actors/read.ts';
import type { BookStream, Wiring } from '../../../../actors/sources/streams/stream.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { VenueId } from '../../../../actors/venues/registry.ts';

interface Limits {
  /** The venue closes a connection that has sent nothing for so long, or wants a ping so often, seconds; absent where it pings. */
  ping?: number;
  /** The addresses for which that holds; all when absent. */
  pinged?: RegExp;
  /** Least time between two messages of ours, ms. */
  pace?: number;
  /** Most channels of a connection, where a message subscribes to one. */
  channels?: number;
  /** Least time before the first message, ms. */
  settle?: number;
  /**
   * Of the books, by part: how their messages follow each other, and whether they hold the best levels only: one that falls behind
   * the last of these is not deleted.
   */
  books?: Readonly<Record<string, readonly [BookStream['rule'], 'best' | 'all']>>;
}

const table: Readonly<Record<VenueId, Limits>> = {
  // Changes of all levels; `pu` = last `u`. Five messages a second on spot, ten on futures.
  aster: { pace: 100, books: { spot: ['chained', 'all'], linear: ['chained', 'all'] } },
  backpack: { books: { all: ['counted', 'all'] } },
  // The same, but on spot `U` = last `u` + 1.
  binance: { pace: 100, books: { spot: ['counted', 'all'], linear: ['chained', 'all'] } },
  // Less than ten a second. `depth100` is whole.
  bingx: {
    pace: 100,
    channels: 200,
    books: { spot: ['whole', 'best'], linear: ['whole', 'best'] },
  },
  // A checksum of the 25 best levels.
  bitfinex: { channels: 30, books: { all: ['none', 'best'] } },
  bitget: {
    ...{ ping: 30, pace: 100 },
    books: {
      spot: ['chained', 'best'],
      'usdt-futures': ['chained', 'best'],
      'usdc-futures': ['chained', 'best'],
    },
  },
  bitstamp: { ping: 60, channels: 1024, books: { markets: ['whole', 'best'] } },
  bybit: { ping: 20, books: { spot: ['counted', 'best'], linear: ['counted', 'best'] } },
  // All messages of the connection are counted.
  coinbase: { books: { spot: ['none', 'all'] } },
  cryptocom: { pace: 10, channels: 400, settle: 1000, books: { all: ['chained', 'best'] } },
  // Three subscriptions a second; `prev_change_id` is the last `change_id`.
  deribit: { pace: 300, books: { spot: ['chained', 'all'], linear: ['chained', 'all'] } },
  // All messages of the connection are counted.
  dydx: { books: { perp: ['none', 'all'] } },
  gate: { ping: 15, books: { spot: ['counted', 'best'], usdt: ['counted', 'best'] } },
  htx: { books: { spot: ['chained', 'best'], linear: ['counted', 'best'] } },
  hyperliquid: {
    ...{ ping: 30, pace: 30, channels: 1000 },
    books: { spot: ['whole', 'best'], perp: ['whole', 'best'] },
  },
  // Spot has a checksum, and `depth` levels at most; the book of futures is whole, and `seq` grows by one.
  kraken: {
    ping: 60,
    pinged: /futures/,
    books: { spot: ['none', 'best'], futures: ['counted', 'all'] },
  },
  // `pingInterval` is 18 s; first there is a welcome.
  kucoin: { ping: 18, books: { spot: ['counted', 'all'], futures: ['counted', 'all'] } },
  lighter: { pace: 300, channels: 500, books: { all: ['chained', 'all'] } },
  mexc: { ping: 20, books: { contracts: ['counted', 'all'] } },
  okx: { ping: 25, books: { spot: ['chained', 'best'], swap: ['chained', 'best'] } },
  phemex: { ping: 10 },
  whitebit: { ping: 50, books: { spot: ['chained', 'best'], futures: ['chained', 'best'] } },
  woo: { channels: 100 },
};

const second = 1_000;

/** Streams by topic and part. */
const streamsOf = ({ live, events, trades, books }: Venue): [string, Partial<Wiring>][] =>
  Object.entries<object>({ ...live, ...events, trades: trades ?? {}, books: books ?? {} }).flatMap(
    ([topic, parts]) =>
      Object.entries(parts).flatMap(([part, stream]): [string, Partial<Wiring>][] =>
        isRecord(stream) ? [[`${topic} of ${part}`, stream]] : [],
      ),
  );

const isWithin = (value: number, least: number, most: number) => value >= least && value <= most;

/** The rules of a connection: its words, and whether it keeps them. */
const rules: Readonly<Record<string, (stream: Partial<Wiring>, limits: Limits) => boolean>> = {
  pings({ keepAlive, url = '' }, { ping, pinged = /./ }) {
    if (ping === undefined || !pinged.test(url)) return true;
    return isWithin((keepAlive?.every ?? Number.POSITIVE_INFINITY) / second, 1, ping);
  },
  channels: ({ perConnection = 1 }, { channels = 1000 }) => isWithin(perConnection, 1, channels),
  settles: ({ settle = 0 }, limits) => isWithin(settle, limits.settle ?? 0, 5 * second),
  // Quiet markets are silent for some seconds; a dead connection is noticed within two minutes.
  silence: ({ silence = 0 }) => isWithin(silence, 20 * second, 120 * second),
};

/** Of all markets there is one message; of single ones there are many, which keep their distance. */
const isPaced = (name: string, { pace = 0 }: Partial<Wiring>, limits: Limits): boolean =>
  isWithin(pace, /^(books|trades)/.test(name) ? (limits.pace ?? 0) : 0, 2 * second);

/** What contradicts the limits. */
function flawsOf(name: string, stream: Partial<Wiring>, limits: Limits): string[] {
  const broken = Object.entries(rules).flatMap(([rule, keeps]) =>
    keeps(stream, limits) ? [] : [rule],
  );
  return isPaced(name, stream, limits) ? broken : [...broken, 'pace'];
}

const isVenue = (id: string): id is VenueId => Object.hasOwn(table, id);

export function streams(t: Test, venue: Venue): void {
  if (!isVenue(venue.id)) return;
  const limits = table[venue.id];
  const flaws = streamsOf(venue).flatMap(([name, stream]) =>
    flawsOf(name, stream, limits).map((flaw) => `${name}: ${flaw}`),
  );
  t.strictSame(flaws, [], 'connections within the limits');
  const books = Object.entries(venue.books ?? {}).flatMap(([part, stream]) =>
    stream ? [[part, [stream.rule, stream.window ? 'best' : 'all']] as const] : [],
  );
  t.strictSame(Object.fromEntries(books), limits.books ?? {}, 'how books follow');
}
