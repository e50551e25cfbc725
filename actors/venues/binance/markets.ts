/** The APIs of Binance, one for each part, and its tables. https://developers.binance.com/docs */
import {
  isRecord,
  list,
  optional,
  positive,
  required,
  text,
  time,
  type WireRow,
} from '../../read.ts';
import type { Apis, ParseContext, RequestOf } from '../../sources/define.ts';
import type { Instrument } from '../../topics/index.ts';
import type { Api, Query } from '../../upstream/request.ts';
import { aboutEach, mayFail } from '../apis.ts';
import { bySort } from '../cells.ts';
import { listing } from '../listings.ts';
import { byId, joined, markets } from '../markets.ts';
import { sizeIn } from '../tables.ts';
import { budgets, faultsOf, interests, premium, premiumRows, ticker } from './form.ts';
import { rulesOf, tickIn } from './rules.ts';

/** USD-M and COIN-M. */
export type Contracts = 'linear' | 'inverse';
export type PartName = 'spot' | Contracts;

/** Lists of instruments are several MB. */
const api = (weight: number, ...hosts: [string, ...string[]]) =>
  ({
    hosts,
    budgets: budgets(weight),
    faults: faultsOf('Binance'),
    maxBody: 32 * 2 ** 20,
  }) satisfies Api;

/** `/futures/data` and the funding lists have limits of their own. */
const contracts = (host: string) => {
  const { budgets, ...others } = api(2400, host);
  const own = {
    statistics: { weight: 1000, per: 300_000 },
    funding: { weight: 500, per: 300_000 },
  };
  return { ...others, budgets: { ...budgets, ...own } };
};

const prefixes: Readonly<Record<PartName, string>> = {
  spot: '/api/v3',
  linear: '/fapi/v1',
  inverse: '/dapi/v1',
};

export const apis = {
  spot: api(
    6000,
    // Market data only, served where api.binance.com answers 451.
    'https://data-api.binance.vision',
    'https://api.binance.com',
    'https://api-gcp.binance.com',
    'https://api1.binance.com',
    'https://api2.binance.com',
    'https://api3.binance.com',
    'https://api4.binance.com',
  ),
  linear: contracts('https://fapi.binance.com'),
  // Since June 2026 both have one limit.
  inverse: { ...contracts('https://dapi.binance.com'), countedBy: 'linear' },
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;

/** Each part is an API of its own. */
export const get = (part: PartName, path: string, weight: number, query: Query = {}): Ask => ({
  api: part,
  path: `${prefixes[part]}${path}`,
  query,
  weight,
});

/** Quarterly contracts, of this quarter and of the next one; settled ones are not in trading. */
const dated: ReadonlySet<unknown> = new Set(['CURRENT_QUARTER', 'NEXT_QUARTER']);

/** COIN-M has `contractStatus` where the others have `status`. */
function kindOf(row: WireRow, part: PartName): Instrument['kind'] {
  if ((row.status ?? row.contractStatus) !== 'TRADING') return 'other';
  if (part === 'spot') return row.isSpotTradingAllowed === false ? 'other' : 'spot';
  if (dated.has(row.contractType)) return 'future';
  return row.contractType === 'PERPETUAL' || row.contractType === 'TRADIFI_PERPETUAL'
    ? 'perpetual'
    : 'other';
}

const usualHours = 8;

/** `fundingInfo` has a limit of its own, 500 in 5 minutes, which the polls do not come near. */
const fundingInfo = (part: Contracts): Ask => ({
  api: part,
  path: `${prefixes[part]}/fundingInfo`,
  budget: 'funding',
});

/**
 * Hours between fundings by market; null where they are unknown. `fundingInfo` lists the symbols whose hours were ever adjusted, all
 * others have the usual ones. Without its body, what was known before; undefined where nothing was.
 */
function fundingHours(
  body: unknown,
  instruments?: ParseContext['instruments'],
): (market: string) => number | null | undefined {
  if (body === undefined) return (market) => instruments?.get(market)?.funding_hours;
  const adjusted = new Map(
    list(body, 'funding info')
      .filter(isRecord)
      .map((row) => [text(row.symbol), optional(positive(row.fundingIntervalHours))]),
  );
  return (market) => {
    const hours = adjusted.get(market);
    return hours === undefined ? usualHours : hours;
  };
}

/** The rules and the written form of orders of a market that is followed. */
function ordersOf(row: WireRow, kind: Instrument['kind']): Pick<Instrument, 'rules' | 'decimals'> {
  const rules = kind === 'other' ? undefined : rulesOf(row);
  if (rules === undefined) return {};
  const [price, quantity] = [required(row.pricePrecision), required(row.quantityPrecision)];
  return price >= 0 && quantity >= 0 ? { rules, decimals: { price, quantity } } : { rules };
}

export const spotInstruments = listing({
  venue: 'binance',
  requests: get('spot', '/exchangeInfo', 20, { showPermissionSets: 'false' }),
  rows: 'symbols',
  id: 'symbol',
  read: (row) => ({
    kind: kindOf(row, 'spot'),
    base: text(row.baseAsset),
    quote: text(row.quoteAsset),
    ...ordersOf(row, kindOf(row, 'spot')),
  }),
  tick: tickIn,
});

export const contractInstruments = (part: Contracts) =>
  listing({
    venue: 'binance',
    requests: () => [get(part, '/exchangeInfo', 20), mayFail(fundingInfo(part))],
    rows: 'symbols',
    id: 'symbol',
    extra: ([, funding], { instruments }) => fundingHours(funding, instruments),
    read(row, market, hoursOf) {
      const kind = kindOf(row, part);
      return {
        kind,
        base: text(row.baseAsset),
        quote: text(row.quoteAsset),
        contract: part === 'inverse' ? positive(row.contractSize) : 1,
        inverse: part === 'inverse',
        fundingHours: kind === 'perpetual' ? (hoursOf(market) ?? null) : null,
        expiry: time(row.deliveryDate),
        ...ordersOf(row, kind),
      };
    },
    tick: tickIn,
  });

export const tickers = markets(ticker);

/** COIN-M states contracts, each worth `contract` USD, and their base. */
export const inverseTickers = markets({
  ...ticker,
  price: { ...ticker.price, base: 'baseVolume', quote: sizeIn('volume') },
});

/** Hours change at any hour, the next funding with them: they are asked for with the rates, not with the list. */
export const derivatives = (part: Contracts) =>
  markets({
    ...premium,
    rows([index, funding]) {
      const hoursOf = fundingHours(funding);
      return premiumRows(index)
        .map((row) => (isRecord(row) ? row : {}))
        .map((row) => ({ ...row, hours: hoursOf(text(row.symbol)) }));
    },
    derivative: {
      ...premium.derivative,
      hours: ({ hours }, { kind, funding_hours }) =>
        hours === undefined || kind !== 'perpetual' ? funding_hours : hours,
    },
  }).poll(() => [get(part, '/premiumIndex', 10), mayFail(fundingInfo(part))]);

/** Open interest market by market; the marks, in bulk, go first. */
export const openInterest = (part: Contracts) =>
  interests(get(part, '/premiumIndex', 10), (symbol) => get(part, '/openInterest', 1, { symbol }));

const isQuarterly = (row: unknown): boolean => isRecord(row) && /_\d{6}$/.test(text(row.symbol));

/** The rows of bodies about one market each, by its id. */
const bySymbol = (bodies: readonly unknown[]) =>
  new Map(bodies.filter(isRecord).map((row) => [text(row.symbol), row]));

/**
 * Quarterly contracts: marks, indices and turnovers in bulk, open interest one by one. Bodies: `premiumIndex` and
 * `ticker/24hr` of all, then `openInterest` of each.
 */
export const quarterlies = (part: Contracts) =>
  markets({
    rows: ([marks, days, ...interests]) =>
      joined(
        premiumRows(marks).filter(isQuarterly),
        'symbol',
        { rows: byId(days, '', 'symbol'), take: ['lastPrice', 'quoteVolume', 'volume'] },
        { rows: bySymbol(interests), take: ['openInterest'] },
      ),
    id: 'symbol',
    time: 'time',
    listedOnly: true,
    dated: true,
    price: { last: 'lastPrice', quote: part === 'inverse' ? sizeIn('volume') : 'quoteVolume' },
    derivative: { mark: 'markPrice', index: 'indexPrice' },
    interest: { contracts: 'openInterest', mark: 'markPrice' },
  }).poll(
    ({ markets: asked }) => [
      get(part, '/premiumIndex', 10),
      get(part, '/ticker/24hr', 40),
      ...aboutEach(asked, (symbol) => get(part, '/openInterest', 1, { symbol })),
    ],
    { rotates: true },
  );

/** What changed in a second, of all markets. COIN-M counts `v` in contracts, each worth `contract` USD, and `q` in base. */
export const miniTickers = markets({
  id: 's',
  time: 'E',
  price: {
    last: 'c',
    open: 'o',
    high: 'h',
    low: 'l',
    base: bySort('v', 'q'),
    quote: ({ v, q }, { inverse, contract }) => (inverse ? positive(v) * contract : q),
    untraded: 'v',
  },
});

/** The running rate `r` is charged at `T`; the hours between two fundings are not stated. */
export const markPrices = markets({
  id: 's',
  time: 'E',
  derivative: { mark: 'p', index: 'i', rate: 'r', hours: () => null, next: 'T' },
});
