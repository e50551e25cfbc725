/**
 * The tables of KuCoin: instruments, tickers and candles of spot, and of linear and inverse futures in one list.
 * https://www.kucoin.com/docs-new
 */
import { ownAsset } from '../../../config/assets/resolve.ts';
import { hour, minute } from '../../../config/time.ts';
import { optional, positive, required, text, type WireRow } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Api, Query } from '../../upstream/request.ts';
import { codesOf } from '../apis.ts';
import { bySort } from '../cells.ts';
import { candles, inOrder } from '../levels-and-bars.ts';
import { listing } from '../listings.ts';
import { markets } from '../markets.ts';

/** Refusals come with any status. */
const faults: Faults = {
  name: 'KuCoin',
  at: 'code',
  type: 'string',
  ok: [200000],
  codes: codesOf(
    ['unknown_instrument', 400600, 900001],
    ['rate_limited', 429000],
    ['blocked', 400302, 400500],
    ['unavailable', 408000, 500000],
  ),
  message: 'msg',
  patterns: [
    // "Unsupported trading pair.", "symbol not exists", "contract does not exist": of all parameters only the symbol is a client's.
    { code: /^40(01|40)00$/, text: /trading pair|symbol|contract/i, means: 'unknown_instrument' },
  ],
};

/** 2000 a 30 s and address in all, half of it for each host. */
const api = (host: string): Api => ({
  hosts: [host],
  budgets: { default: { weight: 1000, per: 30_000 } },
  faults,
});

export const apis = {
  spot: api('https://api.kucoin.com'),
  futures: api('https://api-futures.kucoin.com'),
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;
export type PartName = Ask['api'];

export const get = (part: PartName, path: string, weight: number, query: Query = {}): Ask => ({
  api: part,
  path,
  query,
  weight,
});

/**
 * Hours from `currentFundingRateGranularity` (ms), which is null on contracts that never changed; else from `fundingRateGranularity`, on
 * older rows from the name of the rate: `.XBTUSDTMFPI8H`.
 */
function hoursOf(row: WireRow): number {
  const stated = positive(row.currentFundingRateGranularity ?? row.fundingRateGranularity) / hour;
  if (stated > 0) return stated;
  const [, named] = /FPI(\d+)H$/.exec(text(row.fundingRateSymbol)) ?? [];
  return positive(named);
}

/** The ticker of a contract: 牛来, which is shown for the NIULAI of the ids, and otherwise that of the ids. */
function contractBase({ baseCurrency, displayBaseCurrency }: WireRow): string {
  const shown = text(displayBaseCurrency);
  return /[^\0-\x7f]/.test(shown) ? shown : text(baseCurrency);
}

/**
 * The ticker of a pair: that of its name, which follows when a coin is renamed, while ids stay: BCHSV-USDT is named BSV-USDT. One that
 * `config/assets` reads in a way of its own is that of the ids. https://www.kucoin.com/docs-new/rest/spot-trading/market-data/get-all-symbols
 */
function pairBase({ baseCurrency, name }: WireRow): string {
  const base = text(baseCurrency);
  const [shown = ''] = text(name).split('-');
  const isOwn = [base, shown].some((one) => ownAsset('kucoin', one) !== undefined);
  return isOwn ? base : shown || base;
}

const contracts = get('futures', '/api/v1/contracts/active', 3);

export const instruments = {
  spot: listing({
    venue: 'kucoin',
    requests: get('spot', '/api/v2/symbols', 4),
    rows: 'data',
    id: 'symbol',
    read: (row) => ({
      kind: row.enableTrading === true ? 'spot' : 'other',
      base: pairBase(row),
      quote: text(row.quoteCurrency),
    }),
    tick: 'priceIncrement',
  }),
  // `FFWCSX` is a perpetual, the rest is dated. `multiplier` is base per contract; inverse contracts have -1, one USD each.
  futures: listing({
    venue: 'kucoin',
    requests: contracts,
    rows: 'data',
    id: 'symbol',
    read(row) {
      const inverse = row.isInverse === true;
      return {
        kind: row.type === 'FFWCSX' && row.status === 'Open' ? 'perpetual' : 'other',
        base: contractBase(row),
        quote: text(row.quoteCurrency),
        contract: inverse ? Math.abs(required(row.multiplier)) : positive(row.multiplier),
        inverse,
        fundingHours: optional(hoursOf(row)),
      };
    },
    tick: 'tickSize',
  }),
};

/** `changePrice` is the change in quote, `changeRate` a rounded fraction; a pair that never traded has nulls. */
export const spot = markets({
  rows: 'data.ticker',
  id: 'symbol',
  stated: 'data.time',
  price: {
    last: 'last',
    open: ({ last, changePrice }) => positive(last) - required(changePrice),
    fraction: 'changeRate',
    bid: 'buy',
    ask: 'sell',
    high: 'high',
    low: 'low',
    base: 'vol',
    quote: 'volValue',
    untraded: 'vol',
  },
}).poll(get('spot', '/api/v1/market/allTickers', 15));

export const futures = markets({
  rows: 'data',
  id: 'symbol',
  // `turnoverOf24h` is quote on linear contracts and base on inverse ones, whose `volumeOf24h` is in USD. `priceChg` is the change
  // in quote, `priceChgPct` a rounded fraction.
  price: {
    last: 'lastTradePrice',
    open: ({ lastTradePrice, priceChg }) => positive(lastTradePrice) - required(priceChg),
    fraction: 'priceChgPct',
    high: 'highPrice',
    low: 'lowPrice',
    base: bySort('volumeOf24h', 'turnoverOf24h'),
    quote: bySort('turnoverOf24h', 'volumeOf24h'),
    untraded: 'volumeOf24h',
  },
  derivative: {
    mark: 'markPrice',
    index: 'indexPrice',
    rate: 'fundingFeeRate',
    predicted: 'predictedFundingFeeRate',
    hours: hoursOf,
    // A countdown, ms. Fundings are on whole hours, so that rounding to the minute takes away the time that the answer travelled.
    next: ({ nextFundingRateTime }, _market, { received }) =>
      Math.round((received + positive(nextFundingRateTime)) / minute) * minute,
  },
  // One side.
  interest: { contracts: 'openInterest', mark: 'markPrice' },
}).poll(contracts);

/** `[time in s, open, close, high, low, base, quote]`. */
export const spotCandles = candles({
  rows: 'data',
  time: 0,
  unit: 1000,
  columns: { open: 1, high: 3, low: 4, close: 2, base: 5, quote: 6 },
  width: 7,
});

/**
 * `[time in ms, open, high, low, close, contracts]`, and in newer answers the turnover, which is not read. Base of inverse contracts is
 * not stated.
 */
export const contractCandles = candles({
  rows: 'data',
  time: 0,
  columns: { ...inOrder, contracts: 5 },
  width: 6,
});
