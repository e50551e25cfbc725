/** Instruments, prices, funding and open interest of BingX: spot, linear (in base) and inverse (in contracts) perpetuals. */
import {
  bulk,
  field,
  isRecord,
  optional,
  positive,
  required,
  text,
  time,
  type WireRow,
} from '../../read.ts';
import type { Plan } from '../../sources/define.ts';
import type { MarketPoll } from '../../sources/venue.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import {
  by,
  changeOf,
  derivativeOf,
  instrument,
  instrumentRows,
  marketRows,
  type Named,
  openInterestOf,
  priceOf,
  type Reader,
  type Ticker,
} from '../rows.ts';
import { canonical, pairOf } from '../symbols.ts';
import { neverTradedBy } from '../wire.ts';
import { type Ask, get, type PartName, type Perpetuals, paths } from './api.ts';

const unknown = required(null);

/** Commodities, shares, currencies and indices, by the prefix of their base. */
const isTraditional = (base: string): boolean => /^NC(CO|SK|FX|SI)/.test(base);

/** The id states base and quote: `1000PEPE-USDT`. */
const fromId =
  (kind: 'spot' | 'perpetual') =>
  (market: string): Named | null => {
    const pair = pairOf(market, '-');
    if (pair === null) return null;
    const { base, quote } = pair;
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

export const instruments = (part: PartName): MarketPoll<Instrument, Ask> => ({
  requests: ({ now }: Plan) => [get(paths[part].instruments, {}, now)],
  parse([body]) {
    const data = field(body, 'data');
    const rows = bulk(part === 'spot' ? field(data, 'symbols') : data, 'instruments');
    return instrumentRows(rows, 'symbol', (row, market) => readInstrument(part, row, market));
  },
});

const data = (body: unknown) => bulk(field(body, 'data'), 'data');

/** The change is computed: `priceChangePercent` is rounded, and has a percent sign or not. */
const ticker = (
  row: WireRow,
  market: Named,
  { volume, base }: Pick<Ticker, 'volume' | 'base'>,
): PriceRow | null => {
  const last = positive(row.lastPrice);
  const change = changeOf(last, positive(row.openPrice));
  const [bid, ask] = [positive(row.bidPrice), positive(row.askPrice)];
  return priceOf(market, {
    last,
    volume,
    change,
    stated: time(row.closeTime),
    bid,
    ask,
    high: positive(row.highPrice),
    low: positive(row.lowPrice),
    base: required(base),
  });
};

const isUntraded = neverTradedBy('lastPrice', 'volume');

const tickers = (kind: 'spot' | 'perpetual'): Reader<Named, PriceRow> => ({
  id: by('symbol'),
  fromId: fromId(kind),
  isUntraded,
  read: (row, market) =>
    ticker(row, market, { volume: required(row.quoteVolume), base: required(row.volume) }),
});

/** `volume` is contracts; `quoteVolume` is base there. */
const inverseTickers: Reader<Instrument, PriceRow> = {
  id: by('symbol'),
  isUntraded,
  read: (row, market) =>
    ticker(row, market, {
      volume: required(row.volume) * market.contract,
      base: required(row.quoteVolume),
    }),
};

export const prices = (part: PartName): MarketPoll<PriceRow, Ask> => ({
  requests: ({ now }: Plan) => [get(paths[part].prices, {}, now)],
  parse: ([body], { instruments: markets }) =>
    part === 'inverse'
      ? marketRows(data(body), markets, inverseTickers)
      : marketRows(data(body), markets, tickers(part === 'spot' ? 'spot' : 'perpetual')),
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
      next: time(row.nextFundingTime),
      stated: time(row.updateTime),
    }),
};

export const derivatives = (part: Perpetuals): MarketPoll<DerivativeRow, Ask> => ({
  requests: ({ now }: Plan) => [get(paths[part].premium, {}, now)],
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
 * Linear markets state a value in quote (base by the documentation, quote by the size of the numbers), inverse
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
const singleRow = (body: unknown): unknown => {
  const row = field(body, 'data');
  return Array.isArray(row) ? row[0] : row;
};

/** Market by market; the marks, in bulk, go first. */
export const openInterest = (part: Perpetuals): MarketPoll<OpenInterestRow, Ask> => ({
  requests: ({ markets, now }: Plan) => [
    get(paths[part].premium, {}, now),
    ...markets.map((market) => ({
      ...get(paths[part].interest, { symbol: market }, now),
      market,
    })),
  ],
  parse: ([premium, ...bodies], { instruments: markets }) => {
    const rows = bodies.filter((body) => body !== undefined).map(singleRow);
    return marketRows(rows, markets, interest(part, marksOf(premium)));
  },
  rotates: true,
  most,
});
