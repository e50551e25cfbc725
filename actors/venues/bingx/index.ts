/** BingX: spot, linear and inverse perpetuals. https://bingx-api.github.io/docs-v3 */

import { at, field, list } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import type { CandleAsk, OrderBookAsk } from '../../sources/queries/forms.ts';
import { byPart, defineVenue, everyHalfMinute, everyTenMinutes } from '../../sources/venue.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Budget, Query } from '../../upstream/request.ts';
import { aboutEach, codesOf } from '../apis.ts';
import { isWhole } from '../cells.ts';
import { book, byPartOf, candles, inOrder, spelled } from '../levels-and-bars.ts';
import { digitsIn, listing } from '../listings.ts';
import { buyerIsMaker, recentTrades } from '../trades.ts';
import { lengthsOf, ownWords } from '../words.ts';
import { factsOf, interest, type PartName, type Perpetuals, premiums, tickers } from './markets.ts';
import { books, live } from './streams.ts';

const perpetualPaths = (prefix: string) => ({
  instruments: `${prefix}/contracts`,
  prices: `${prefix}/ticker`,
  premium: `${prefix}/premiumIndex`,
  interest: `${prefix}/openInterest`,
  book: `${prefix}/depth`,
});

/** Every endpoint that we ask; each has a limit of its own. */
const paths = {
  spot: {
    instruments: '/openApi/spot/v1/common/symbols',
    prices: '/openApi/spot/v1/ticker/24hr',
    book: '/openApi/spot/v1/market/depth',
    candles: '/openApi/spot/v1/market/kline',
    trades: '/openApi/spot/v1/market/trades',
  },
  linear: {
    ...perpetualPaths('/openApi/swap/v2/quote'),
    candles: '/openApi/swap/v3/quote/klines',
    trades: '/openApi/swap/v2/quote/trades',
  },
  inverse: {
    ...perpetualPaths('/openApi/cswap/v1/market'),
    candles: '/openApi/cswap/v1/market/klines',
  },
} as const;

/** Refusals come with any status, 200 included. */
const faults: Faults = {
  name: 'BingX',
  at: 'code',
  ok: [0],
  codes: codesOf(
    ['rate_limited', 100410],
    ['blocked', 100403, 100419],
    ['unavailable', 100500, 100503],
    ['unknown_instrument', 109415, 109425],
  ),
  message: 'msg',
  // Invalid parameters: the message names the one.
  patterns: [{ code: /^(80014|100400|109400)$/, text: /symbol/i, means: 'unknown_instrument' }],
};

const endpoints = Object.values(paths).flatMap((part) => Object.values(part));
type Path = (typeof endpoints)[number];
/** One request a second for each endpoint: more is answered with 100410, and with bans that grow. */
const slow: Budget = { weight: 1, per: 1000 };
const budgets: Apis[string]['budgets'] = { default: slow, ...byPart(() => slow, ...endpoints) };

const apis = {
  rest: {
    // The second is for failures of the network only.
    hosts: ['https://open-api.bingx.com', 'https://open-api.bingx.pro'],
    budgets,
    faults,
  },
} as const satisfies Apis;

type Ask = RequestOf<typeof apis>;

/**
 * The inverse API refuses (104414) requests without a timestamp; none of ours is signed. The value is in
 * where the time of the request is not given.
 */
const stamp = (path: string, now = 1_750_000_000_000): Query =>
  path.startsWith('/openApi/cswap/') ? { timestamp: now } : {};

const get = (path: Path, query: Query, now?: number): Ask => ({
  api: 'rest',
  path,
  budget: path,
  query: { ...query, ...stamp(path, now) },
});

const instruments = (part: PartName) =>
  listing({
    venue: 'bingx',
    requests: ({ now }) => [get(paths[part].instruments, {}, now)],
    rows: part === 'spot' ? 'data.symbols' : 'data',
    id: 'symbol',
    read: factsOf(part),
    tick: part === 'spot' ? 'tickSize' : digitsIn('pricePrecision'),
  });

const prices = (part: PartName) =>
  tickers[part].poll(({ now }) => [get(paths[part].prices, {}, now)]);

const derivatives = (part: Perpetuals) =>
  premiums.poll(({ now }) => [get(paths[part].premium, {}, now)]);

/**
 * Market by market: with an answer in 200 ms, and the next request 1.25 s after it, twelve are asked within the 18 s that a poll has for
 * its turns. A round over 600 markets takes 19 to 21 minutes.
 */
const openInterest = (part: Perpetuals) =>
  interest[part].poll(
    ({ markets, now }) => [
      get(paths[part].premium, {}, now),
      ...aboutEach(markets, (symbol) => get(paths[part].interest, { symbol }, now)),
    ],
    { rotates: true, most: 12 },
  );

/** 6h, 12h and longer open at 16:00 UTC where no time zone can be asked for: they are built from these. */
const words = ownWords('1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '8h');
const lengthOf = lengthsOf(words);

const candleRequest = ({ market, part, interval, limit, before, now }: CandleAsk<PartName>) => {
  const path = paths[part].candles;
  const start = (before ?? 0) - limit * lengthOf(interval);
  const range: Query = before === undefined ? {} : { startTime: start, endTime: before - 1 };
  return get(path, { symbol: market, interval, limit, ...range }, now);
};

/** Rows of perpetuals are objects, or lists as on spot whose later columns are not known for sure. */
const perpetualRows = (body: unknown): readonly unknown[] =>
  list(field(body, 'data'), 'candles').map((row) => {
    if (!Array.isArray(row) || !isWhole(row, 7)) return row;
    const [time, open, high, low, close, volume] = row;
    return { time, open, high, low, close, volume };
  });

/** Base units, or contracts. */
const perpetuals = (counted: 'base' | 'contracts') =>
  candles({ rows: perpetualRows, time: 'time', columns: { ...spelled, [counted]: 'volume' } });

/** True for a quantity with decimals, `7.0861` or `7.0000`. */
const hasDecimals = (level: unknown): boolean => Array.isArray(level) && /[.e]/.test(`${level[1]}`);

/**
 * True where `bids` and `asks` of a linear book count lots, which are whole numbers; `bidsCoin` and `asksCoin` then
 * count coins. Where one quantity has decimals all of them are coins, and the other two lists are those times the lot
 * once more, rounded (recorded: 7.0861 BTC beside 0.0007). Not documented.
 */
function isInLots(book: unknown): boolean {
  const [bids, asks, ...coins] = ['bids', 'asks', 'bidsCoin', 'asksCoin'].map((name) =>
    field(book, name),
  );
  if (!coins.some(Array.isArray)) return false;
  return ![bids, asks].some((side) => Array.isArray(side) && side.some(hasDecimals));
}

const bookForm = {
  at: 'data',
  stated: (body: unknown) => at(body, 'data.T') ?? at(body, 'data.ts') ?? field(body, 'timestamp'),
};
const readBook = {
  base: book(bookForm),
  lots: book({ ...bookForm, bids: 'bidsCoin', asks: 'asksCoin' }),
};

/** In base. Inverse contracts have no such endpoint. */
const tradesOf = (part: 'spot' | 'linear', most: number, maker: string, id: string) => ({
  most,
  request: ({ market, limit, now }: { market: string; limit: number; now: number }) =>
    get(paths[part].trades, { symbol: market, limit }, now),
  rows: 'data',
  columns: { id, at: 'time', price: 'price', quantity: 'qty', bought: buyerIsMaker(maker) },
});

export const bingx = defineVenue({
  id: 'bingx',
  name: 'BingX',
  kinds: ['spot', 'perpetual'],
  example: 'BTC-USDT',
  apis,
  // One id, such as BTC-USDT, can be spot and linear.
  parts: ['spot', 'linear', 'inverse'],
  feeds: {
    instruments: everyTenMinutes(byPart(instruments, 'spot', 'linear', 'inverse')),
    prices: everyHalfMinute(byPart(prices, 'spot', 'linear', 'inverse')),
    derivatives: everyHalfMinute(byPart(derivatives, 'linear', 'inverse')),
    // Nearly without a pause: there are 600 markets, and all are asked in turn.
    openInterest: { every: 1_000, parts: byPart(openInterest, 'linear', 'inverse') },
  },
  live,
  books,
  queries: {
    recentTrades: recentTrades<Ask>({
      spot: tradesOf('spot', 500, 'buyerMaker', 'id'),
      linear: tradesOf('linear', 1000, 'isBuyerMaker', 'fillId'),
    }),
    orderBook: {
      cap: 50,
      most: 1000,
      request({ market, part, depth, now }: OrderBookAsk<PartName>) {
        const limit = [5, 10, 20, 50, 100, 500].find((legal) => legal >= depth) ?? 1000;
        return get(paths[part].book, { symbol: market, limit }, now);
      },
      parse(body, ask) {
        const lots = ask.part === 'linear' && isInLots(field(body, 'data'));
        return readBook[lots ? 'lots' : 'base'](body, ask);
      },
    },
    candles: {
      intervals: words,
      page: 1000,
      ranged: ['spot', 'linear', 'inverse'],
      request: candleRequest,
      parse: byPartOf({
        // `[ms, open, high, low, close, base, ms, quote]`.
        spot: candles({
          rows: 'data',
          time: 0,
          columns: { ...inOrder, base: 5, quote: 7 },
          width: 8,
        }),
        linear: perpetuals('base'),
        inverse: perpetuals('contracts'),
      }),
    },
  },
});
