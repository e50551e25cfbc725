/** The tables of Bybit: instruments and tickers. https://bybit-exchange.github.io/docs/v5/market/tickers */
import { asRow, at, positive, required, text, time, type WireRow } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Instrument } from '../../topics/index.ts';
import type { FaultPattern, Faults } from '../../upstream/faults.ts';
import { codesOf, getter } from '../apis.ts';
import { bySort, numberOr } from '../cells.ts';
import { listing } from '../listings.ts';
import { type MarketForm, markets } from '../markets.ts';

const form = { name: 'Bybit', at: 'retCode', type: 'number', message: 'retMsg' } as const;
/** "symbol params err", "Not supported symbols": of all parameters only the symbol is a client's. */
const aboutSymbol: FaultPattern = { code: /^10001$/, text: /symbol/i, means: 'unknown_instrument' };
/** After "access too frequent" the documentation asks for 10 minutes of silence. */
const retryAfter = { banned: 600_000 };

/** Refusals come with any status, 200 included. */
const faults: Faults = [
  {
    ...form,
    when: ({ retCode }, status) => status === 403 && typeof retCode === 'number',
    ok: [0],
    patterns: [aboutSymbol, { text: /frequent/i, means: 'banned' }],
    means: 'blocked',
    retryAfter,
  },
  {
    ...form,
    ok: [0],
    codes: codesOf(
      ['unavailable', 10000, 10016],
      ['rate_limited', 10006, 10018, 10429],
      ['banned', 10009],
      ['blocked', 10024],
      ['unknown_instrument', 170121],
    ),
    patterns: [aboutSymbol],
    retryAfter,
  },
];

export const apis = {
  rest: {
    hosts: ['https://api.bybit.com', 'https://api.bytick.com'],
    budgets: { default: { weight: 600, per: 5000 } },
    faults,
  },
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;

export const get = getter<Ask>('rest', '/v5/market/');

export type Category = 'spot' | Contracts;
export type Contracts = 'linear' | 'inverse';

function kindOf(row: WireRow, category: Category): Instrument['kind'] {
  if (row.status !== 'Trading') return 'other';
  if (category === 'spot') return 'spot';
  const type = text(row.contractType);
  if (type.endsWith('Futures')) return 'future';
  return type.endsWith('Perpetual') ? 'perpetual' : 'other';
}

/** `fundingInterval` is in minutes; values of less than an hour are ignored. */
function fundingHours(row: WireRow): number | null {
  const minutes = positive(row.fundingInterval);
  return minutes >= 60 ? minutes / 60 : null;
}

/**
 * Quantities are in base on spot and linear; an inverse contract is 1 USD. Spot is not paged. One page of 1000 is everything else
 * that trades, today; the cursor of a further one is named.
 */
export const instruments = (category: Category) =>
  listing({
    venue: 'bybit',
    requests: get(
      'instruments-info',
      category === 'spot' ? { category } : { category, limit: 1000 },
    ),
    rows: 'result.list',
    id: 'symbol',
    read: (row) => ({
      kind: kindOf(row, category),
      base: text(row.baseCoin),
      quote: text(row.quoteCoin),
      contract: 1,
      inverse: category === 'inverse',
      fundingHours: fundingHours(row),
      // Perpetuals that were delisted have one too.
      expiry: time(row.deliveryTime),
    }),
    tick: ({ priceFilter }) => asRow(priceFilter).tickSize,
    isCut: ([body]) => text(at(body, 'result.nextPageCursor')) !== '',
  });

/** Spot and linear state quote in `turnover24h`, inverse in `volume24h`. `price24hPcnt` is rounded. No row has a time. */
const tickers = {
  rows: 'result.list',
  id: 'symbol',
  stated: 'time',
  // Before its listing a market has auction prices.
  keep: ({ curPreListingPhase }) => !curPreListingPhase,
  price: {
    last: 'lastPrice',
    open: 'prevPrice24h',
    fraction: 'price24hPcnt',
    bid: 'bid1Price',
    ask: 'ask1Price',
    high: 'highPrice24h',
    low: 'lowPrice24h',
    quote: bySort('turnover24h', 'volume24h'),
    base: bySort('volume24h', 'turnover24h'),
    untraded: 'volume24h',
  },
} as const satisfies MarketForm;

export const spot = markets(tickers);

/** The one-sided number, or half of the other, which counts both sides. */
export const oneSide = (single: unknown, both: unknown): number =>
  numberOr(single, required(both) / 2);
const count = (row: WireRow) => oneSide(row.singleOpenInterest, row.openInterest);
const worth = (row: WireRow) => oneSide(row.singleOpenInterestValue, row.openInterestValue);

export const contracts = markets({
  ...tickers,
  dated: true,
  derivative: {
    mark: 'markPrice',
    index: 'indexPrice',
    rate: 'fundingRate',
    hours: ({ fundingIntervalHour }, { funding_hours }) =>
      positive(fundingIntervalHour) || funding_hours,
    next: 'nextFundingTime',
  },
  // The count is base and its value quote; on inverse contracts it is USD and its value base.
  interest: {
    base: (row, { inverse }) => (inverse ? worth(row) : count(row)),
    value: (row, { inverse }) => (inverse ? count(row) : worth(row)),
    mark: 'markPrice',
  },
});
