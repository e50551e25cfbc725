/**
 * What a venue is asked stays within what it documents: requests or weight in a time, levels of a book, rows of a page of
 * candles, the life of a connection. Our own numbers may be smaller; they stand in the venue's folder alone.
 */
import type { Test } from 'tap';
import { asRow } from '../../../../actors/read.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { VenueId } from '../../../../actors/venues/registry.ts';

interface Documented {
  /** Where the numbers stand. */
  source: string;
  /**
   * Requests or weight, and in how many seconds, by budget (`rest.tickers`), else by API (`rest`); null where the document
   * has no number.
   */
  budgets: Readonly<Record<string, readonly [count: number, seconds: number] | null>>;
  /** Most levels of a book, by part; `all` of every other one. */
  levels: Readonly<Record<string, number>>;
  /** Most rows of a page of candles. */
  rows: Readonly<Record<string, number>>;
  /** Hours after which a connection is closed. */
  life?: number;
}

const documented: Readonly<Record<VenueId, Documented>> = {
  aster: {
    source: 'https://github.com/asterdex/api-docs (IP limits, order book, kline data)',
    budgets: { spot: [1_200, 60], linear: [2_400, 60] },
    levels: { all: 1_000 },
    rows: { all: 1_500 },
    life: 24,
  },
  backpack: {
    // The number of ordinary requests is that of https://support.backpack.exchange; that of candles is not documented.
    source: 'https://docs.backpack.exchange/#tag/Markets',
    budgets: { rest: [2_000, 60], 'rest.history': null },
    levels: { all: 1_000 },
    rows: { all: 1_000 },
  },
  binance: {
    source: 'https://developers.binance.com/docs/binance-spot-api-docs/rest-api/limits',
    budgets: {
      spot: [6_000, 60],
      linear: [2_400, 60],
      inverse: [2_400, 60],
      'linear.statistics': [1_000, 300],
      'inverse.statistics': [1_000, 300],
      'linear.funding': [500, 300],
      'inverse.funding': [500, 300],
    },
    levels: { spot: 5_000, all: 1_000 },
    rows: { spot: 1_000, all: 1_500 },
    life: 24,
  },
  bingx: {
    source: 'https://bingx-api.github.io/docs-v3',
    budgets: { rest: [1, 1] },
    levels: { all: 1_000 },
    rows: { all: 1_440 },
  },
  bitfinex: {
    // Older pages say 30 for tickers, status, conf and candles, and 15 for trades.
    source: 'https://docs.bitfinex.com/docs/requirements-and-limitations',
    budgets: { rest: [90, 60], 'rest.trades': [15, 60], 'rest.book': [240, 60] },
    levels: { all: 100 },
    rows: { all: 10_000 },
  },
  bitget: {
    source: 'https://www.bitget.com/api-doc/common/intro',
    budgets: { rest: [20, 1], 'rest.mix-ratios': [1, 1] },
    levels: { spot: 150, all: 1_000 },
    rows: { all: 1_000 },
  },
  bitstamp: {
    // The levels of a book are not limited.
    source: 'https://www.bitstamp.net/api/#section/What-is-API',
    budgets: { rest: [10_000, 600] },
    levels: { all: Number.POSITIVE_INFINITY },
    rows: { all: 1_000 },
  },
  bybit: {
    source: 'https://bybit-exchange.github.io/docs/v5/rate-limit',
    budgets: { rest: [600, 5] },
    levels: { all: 1_000 },
    rows: { all: 1_000 },
  },
  coinbase: {
    source: 'https://docs.cdp.coinbase.com/coinbase-app/advanced-trade-apis/rest-api',
    budgets: { advanced: [10, 1], exchange: [10, 1], international: [10, 1] },
    levels: { all: Number.POSITIVE_INFINITY },
    rows: { all: 300 },
  },
  cryptocom: {
    source: 'https://exchange-docs.crypto.com/exchange/v1/rest-ws/index.html#rate-limits',
    budgets: { rest: [100, 1] },
    levels: { all: 150 },
    rows: { all: 300 },
  },
  deribit: {
    // 500 credits a call, of which there are 10,000 a second.
    source: 'https://docs.deribit.com/articles/rate-limits',
    budgets: { rest: [20, 1], options: [20, 1], 'rest.instruments': [1, 10] },
    levels: { all: 10_000 },
    rows: { all: 5_000 },
  },
  dydx: {
    source: 'https://docs.dydx.xyz/interaction/data/rate-limits',
    budgets: { indexer: [100, 10] },
    levels: { all: 100 },
    rows: { all: 1_000 },
  },
  gate: {
    source: 'https://www.gate.com/docs/developers/apiv4/en/#frequency-limit-rule',
    budgets: { spot: [200, 10], futures: [200, 10] },
    levels: { spot: 1_000, all: 300 },
    rows: { spot: 1_000, all: 2_000 },
  },
  htx: {
    source: 'https://www.htx.com/en-us/opend/newApiPages/',
    budgets: { spot: [10, 1], contracts: [80, 1] },
    levels: { all: 150 },
    rows: { all: 2_000 },
  },
  hyperliquid: {
    source:
      'https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits',
    budgets: { info: [1_200, 60] },
    levels: { all: 20 },
    rows: { all: 5_000 },
  },
  kraken: {
    // There is none for public requests about futures.
    source: 'https://docs.kraken.com/api/docs/guides/spot-rest-ratelimits',
    budgets: { spot: [1, 1], 'futures.default': null },
    levels: { spot: 500, futures: Number.POSITIVE_INFINITY },
    rows: { spot: 720, futures: 2_000 },
  },
  kucoin: {
    source: 'https://www.kucoin.com/docs-new/rate-limit',
    budgets: { spot: [2_000, 30], futures: [2_000, 30] },
    levels: { all: 100 },
    rows: { all: 1_500 },
  },
  lighter: {
    source: 'https://apidocs.lighter.xyz/docs/rate-limits',
    budgets: { rest: [60, 60] },
    levels: { all: 250 },
    rows: { all: 500 },
  },
  mexc: {
    source: 'https://www.mexc.com/api-docs/spot-v3/general-info#limits',
    budgets: { spot: [500, 10], contracts: [20, 2], 'contracts.detail': [1, 5] },
    levels: { spot: 5_000, contracts: Number.POSITIVE_INFINITY },
    rows: { spot: 1_000, contracts: 2_000 },
    life: 24,
  },
  okx: {
    source: 'https://www.okx.com/docs-v5/en/#overview-rate-limits',
    budgets: {
      // That of the slowest requests of its kind, where a budget serves several.
      rest: [20, 2],
      'rest.default': [10, 2],
      options: [20, 2],
      futures: [10, 2],
      'rest.books': [40, 2],
      'rest.candles': [40, 2],
      'rest.trades': [100, 2],
      'rest.marks': [10, 2],
      'rest.funding': [10, 2],
      'rest.loans': [2, 2],
      'rest.interestHistory': [10, 2],
      'rest.fundingHistory': [10, 2],
      'rest.statistics': [5, 2],
    },
    levels: { all: 400 },
    rows: { all: 300 },
  },
  phemex: {
    source: 'https://phemex-docs.github.io/#rest-api-list',
    budgets: { rest: [5_000, 300], 'rest.candles': [100, 60] },
    levels: { all: 30 },
    rows: { all: 1_000 },
  },
  whitebit: {
    source: 'https://docs.whitebit.com/public/http-v4/',
    budgets: { rest: [2_000, 10], 'rest.books': [600, 10] },
    levels: { all: 100 },
    rows: { all: 1_440 },
  },
  woo: {
    source: 'https://docs.woox.io/#rate-limits',
    budgets: { rest: [10, 1] },
    levels: { all: 100 },
    rows: { all: 1_000 },
    life: 24,
  },
};

const isVenue = (id: string): id is VenueId => Object.hasOwn(documented, id);

/** Budgets that may take more in their time than is documented, or for which no number stands above. */
function budgets({ apis }: Venue, about: Documented): string[] {
  return Object.entries(apis).flatMap(([api, { budgets: own }]) =>
    Object.entries(own).flatMap(([name, { weight, per }]) => {
      const limit = about.budgets[`${api}.${name}`] ?? about.budgets[api];
      if (about.budgets[`${api}.${name}`] === null) return [];
      if (!limit) return [`${api}.${name}: no documented number`];
      const [count, seconds] = limit;
      const isWithin = weight / per <= count / (seconds * 1_000);
      return isWithin
        ? []
        : [`${api}.${name}: ${weight} in ${per / 1_000} s of ${count} in ${seconds} s`];
    }),
  );
}

const limitOf = (numbers: Readonly<Record<string, number>>, part: string): number =>
  numbers[part] ?? numbers.all ?? 0;

/** Books and pages of candles that are asked for with more than is documented. */
function sizes({ parts, queries }: Venue, { levels, rows }: Documented): string[] {
  const { orderBook, candles } = queries;
  return parts.flatMap((part) => {
    const { cap = 0, most = 0 } = orderBook ?? {};
    const depth = Math.max(cap, typeof most === 'number' ? most : (most[part] ?? cap));
    const book = depth <= limitOf(levels, part);
    const page = (candles?.page ?? 0) <= limitOf(rows, part);
    return [
      ...(book ? [] : [`book of ${part}: ${depth} levels of ${limitOf(levels, part)}`]),
      ...(page ? [] : [`candles of ${part}: ${candles?.page} rows of ${limitOf(rows, part)}`]),
    ];
  });
}

/** Streams whose connections are kept for longer than the venue keeps them. */
function lives({ live, events, trades, books }: Venue, { life = 0 }: Documented): string[] {
  const all = Object.entries<object>({
    ...live,
    ...events,
    trades: trades ?? {},
    books: books ?? {},
  });
  return all.flatMap(([topic, parts]) =>
    Object.entries(parts).flatMap(([part, stream]) => {
      const { lifetime } = asRow(stream);
      const isKept = typeof lifetime === 'number' && life > 0 && lifetime > life * 3_600_000;
      return isKept ? [`${topic} of ${part}: ${lifetime / 3_600_000} h of ${life} h`] : [];
    }),
  );
}

export function limits(t: Test, venue: Venue): void {
  if (!isVenue(venue.id)) throw new Error(`no documented limits of ${venue.id}`);
  const about = documented[venue.id];
  const beyond = [...budgets(venue, about), ...sizes(venue, about), ...lives(venue, about)];
  t.strictSame(beyond, [], `within ${about.source}`);
}
