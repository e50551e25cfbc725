/** What BingX lists and says in bulk: spot, linear (in base) and inverse (in contracts) perpetuals. */
import { isRecord, optional, optionalNonZero, positive, required, text } from '../read.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../topics.ts';
import type { UpstreamRequest } from '../upstream/request.ts';
import {
  bulk,
  by,
  changeOf,
  derivativeOf,
  field,
  instrument,
  instrumentRows,
  marketRows,
  type Named,
  openInterestOf,
  priceOf,
  type Reader,
  type WireRow,
} from './rows.ts';
import { canonical } from './symbols.ts';
import type { Part, Plan } from './venue.ts';

const unknown = required(null);

export type Perpetuals = 'linear' | 'inverse';
export type PartName = 'spot' | Perpetuals;

const perpetualPaths = (prefix: string) => ({
  instruments: `${prefix}/contracts`,
  prices: `${prefix}/ticker`,
  premium: `${prefix}/premiumIndex`,
  interest: `${prefix}/openInterest`,
  book: `${prefix}/depth`,
});

/** Every endpoint that we ask; each has a limit of its own. */
export const paths = {
  spot: {
    instruments: '/openApi/spot/v1/common/symbols',
    prices: '/openApi/spot/v1/ticker/24hr',
    book: '/openApi/spot/v1/market/depth',
    candles: '/openApi/spot/v1/market/kline',
  },
  linear: {
    ...perpetualPaths('/openApi/swap/v2/quote'),
    candles: '/openApi/swap/v3/quote/klines',
  },
  inverse: {
    ...perpetualPaths('/openApi/cswap/v1/market'),
    candles: '/openApi/cswap/v1/market/klines',
  },
} as const;

/**
 * The inverse API refuses (104414) what has no timestamp; nothing of ours is signed with it. The value stands in
 * where the time of asking is not told.
 */
export const stamp = (path: string, now = 1_750_000_000_000): UpstreamRequest['query'] & object =>
  path.startsWith('/openApi/cswap/') ? { timestamp: now } : {};

type Timed = Plan & { now?: number };

export const get = (
  path: string,
  query: UpstreamRequest['query'],
  now?: number,
): UpstreamRequest => ({
  api: 'rest',
  path,
  budget: path,
  query: { ...query, ...stamp(path, now) },
});

/** Commodities, shares, currencies and indices, by the prefix of their base. */
const isTraditional = (base: string): boolean => /^NC(CO|SK|FX|SI)/.test(base);

/** The id states base and quote: `1000PEPE-USDT`. */
const fromId =
  (kind: 'spot' | 'perpetual') =>
  (market: string): Named | null => {
    const [base, quote] = market.split('-');
    if (!base || !quote) return null;
    return { market, kind: isTraditional(base) ? 'other' : kind, quote, ...canonical(base) };
  };

/** Linear contracts are counted in base; `minTickSize` is the size of an inverse one in USD. */
function readInstrument(part: PartName, row: WireRow, market: string): Instrument | null {
  const [base = '', quote = ''] = market.split('-');
  const traded = required(row.status) === 1 && !isTraditional(base);
  return instrument({
    market,
    kind: !traded ? 'other' : part === 'spot' ? 'spot' : 'perpetual',
    base,
    quote,
    contract: part === 'inverse' ? positive(row.minTickSize) : 1,
    inverse: part === 'inverse',
  });
}

export const instruments = (part: PartName): Part<Instrument> => ({
  requests: ({ now }: Timed) => [get(paths[part].instruments, {}, now)],
  parse([body]) {
    const data = field(body, 'data');
    const rows = bulk(part === 'spot' ? field(data, 'symbols') : data, 'instruments');
    return instrumentRows(rows, 'symbol', (row, market) => readInstrument(part, row, market));
  },
});

const data = (body: unknown) => bulk(field(body, 'data'), 'data');

/** The change is computed: `priceChangePercent` is rounded, and has a percent sign or not. */
const ticker = (row: WireRow, market: Named, volume: number): PriceRow | null => {
  const last = positive(row.lastPrice);
  const change = changeOf(last, positive(row.openPrice));
  return priceOf(market, { last, volume, change, stated: optionalNonZero(row.closeTime) });
};

const tickers = (kind: 'spot' | 'perpetual'): Reader<Named, PriceRow> => ({
  id: by('symbol'),
  fromId: fromId(kind),
  read: (row, market) => ticker(row, market, required(row.quoteVolume)),
});

/** `volume` is contracts; what is called `quoteVolume` there is base. */
const inverseTickers: Reader<Instrument, PriceRow> = {
  id: by('symbol'),
  read: (row, market) => ticker(row, market, required(row.volume) * market.contract),
};

export const prices = (part: PartName): Part<PriceRow> => ({
  requests: ({ now }: Timed) => [get(paths[part].prices, {}, now)],
  parse: ([body], { instruments: markets }) =>
    part === 'inverse'
      ? marketRows(data(body), markets, inverseTickers)
      : marketRows(data(body), markets, tickers(part === 'spot' ? 'spot' : 'perpetual')),
  needsInstruments: part === 'inverse',
});

/** The running rate, charged at `nextFundingTime`; only linear markets state their hours. */
const premiums: Reader<Named, DerivativeRow> = {
  id: by('symbol'),
  fromId: fromId('perpetual'),
  read: (row, market) =>
    derivativeOf(market, {
      mark: positive(row.markPrice),
      index: positive(row.indexPrice),
      rate: required(row.lastFundingRate),
      hours: positive(row.fundingIntervalHours),
      next: optionalNonZero(row.nextFundingTime),
      stated: optionalNonZero(row.updateTime),
    }),
};

export const derivatives = (part: Perpetuals): Part<DerivativeRow> => ({
  requests: ({ now }: Timed) => [get(paths[part].premium, {}, now)],
  parse: ([body], { instruments: markets }) => marketRows(data(body), markets, premiums),
});

/** One second each, and a poll has 20. */
const most = 18;

const marksOf = (body: unknown): ReadonlyMap<string, number> =>
  new Map(
    data(body)
      .filter(isRecord)
      .map((row) => [text(row.symbol), positive(row.markPrice)]),
  );

/**
 * Linear markets state a value in quote (the documentation says base, the size of the numbers does not), inverse
 * ones base. That it is one side is not stated.
 */
const interest = (
  part: Perpetuals,
  marks: ReadonlyMap<string, number>,
): Reader<Named, OpenInterestRow> => ({
  id: by('symbol'),
  fromId: fromId('perpetual'),
  read(row, market) {
    const open = required(row.openInterest);
    const sides =
      part === 'linear' ? { base: unknown, value: open } : { base: open, value: unknown };
    const mark = marks.get(market.market) ?? unknown;
    const stated = optional(positive(row.time ?? row.timestamp));
    return openInterestOf(market, { ...sides, mark, stated });
  },
});

/** One row, in a list or not. */
const only = (body: unknown): unknown => {
  const row = field(body, 'data');
  return Array.isArray(row) ? row[0] : row;
};

/** Market by market; the marks, in bulk, go first. */
export const openInterest = (part: Perpetuals): Part<OpenInterestRow> => ({
  requests: ({ markets, now }: Timed) => [
    get(paths[part].premium, {}, now),
    ...markets.map((market) => ({
      ...get(paths[part].interest, { symbol: market }, now),
      market,
    })),
  ],
  parse: ([premium, ...bodies], { instruments: markets }) => {
    const rows = bodies.filter((body) => body !== undefined).map(only);
    return marketRows(rows, markets, interest(part, marksOf(premium)));
  },
  rotates: true,
  most,
});
