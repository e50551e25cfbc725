/** The tables of OKX: spot, and perpetual swaps, linear and inverse in one list. https://www.okx.com/docs-v5/en */
import { hour } from '../../../config/time.ts';
import { isInterval } from '../../../indicators/derivatives/funding.ts';
import { asRow, at, bulk, list, positive, required, text, time, type WireRow } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Budget, Query } from '../../upstream/request.ts';
import { codesOf, mayFail } from '../apis.ts';
import { listing } from '../listings.ts';
import { byId, joined, markets } from '../markets.ts';
import type { Facts } from '../rows.ts';
import type { Cell, InterestTable, PriceTable } from '../tables.ts';

/** Refusals come with any status, 200 included. */
const faults: Faults = {
  name: 'OKX',
  at: 'code',
  type: 'string',
  ok: [0],
  codes: codesOf(
    ['unavailable', 50001, 50004, 50005, 50013, 50026],
    ['rate_limited', 50011],
    ['unknown_instrument', 51001],
  ),
  message: 'msg',
  // "Parameter instId error": a market of a form that no OKX id has; the same of a currency.
  patterns: [{ code: /^51000$/, text: /instId|ccy/, means: 'unknown_instrument' }],
};

/** Requests per 2 s and address, each path by itself. */
const per2s = (weight: number): Budget => ({ weight, per: 2000 });

const hosts = ['https://www.okx.com', 'https://openapi.okx.com'] as const;

export const apis = {
  rest: {
    hosts,
    budgets: {
      default: per2s(10),
      instruments: per2s(20),
      tickers: per2s(18),
      books: per2s(40),
      candles: per2s(40),
      trades: per2s(40),
      history: per2s(20),
      marks: per2s(8),
      funding: per2s(10),
      indices: per2s(20),
      interest: per2s(18),
      interestHistory: per2s(10),
      loans: per2s(2),
      statistics: per2s(5),
      fundingHistory: per2s(10),
    },
    faults,
  },
  // By itself, so that failing lists of options open no breaker of the prices. Each of four paths is asked twice a
  // minute: what the budgets of `rest` leave of the limits of the same paths.
  options: { hosts, budgets: { default: per2s(8) }, faults },
  // Likewise: three paths once a minute.
  futures: { hosts, budgets: { default: per2s(2) }, faults },
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;

export const get = (path: string, budget: Ask['budget'], query: Query): Ask => ({
  api: 'rest',
  path: `/api/v5${path}`,
  budget,
  query,
});

/** Lists of one kind of contract, apart from those of the others. */
const getOf =
  (api: 'options' | 'futures') =>
  (path: string, query: Query): Ask => ({ api, path: `/api/v5${path}`, query });

export const getOptions = getOf('options');
const getFutures = getOf('futures');

const unknown = required(undefined);

/** The parts of the id: `BTC-USDT` is spot, `BTC-USD-SWAP` a perpetual, `BTC-USD-260327` dated. */
function named(market: string): Pick<Facts, 'kind' | 'base' | 'quote'> | null {
  const [base, quote, type, ...more] = market.split('-');
  if (!base || !quote) return null;
  const kind = type === undefined ? 'spot' : 'perpetual';
  const isDated = type !== undefined && /^\d{6}$/.test(type);
  const isOther = more.length > 0 || (type !== undefined && type !== 'SWAP');
  return { kind: isDated ? 'future' : isOther ? 'other' : kind, base, quote };
}

/** States of a market that is open. In `post_only` nothing is matched for a while, but its mark, its rate and its last price stand. */
const open: ReadonlySet<unknown> = new Set(['live', 'post_only']);

/** `USD_UM` is a quote of the US venue and `xperp` a dated contract. */
const isTraded = (row: WireRow, quote: string): boolean =>
  open.has(row.state) && row.ruleType !== 'xperp' && quote !== 'USD_UM';

/** NaN when a contract that trades does not state its size; before its opening none does, and none is needed. */
function contractOf(row: WireRow): number {
  if (row.instType === 'SPOT') return 1;
  const known = row.ctType === 'linear' || row.ctType === 'inverse';
  const size = known ? positive(positive(row.ctVal) * positive(row.ctMult)) : unknown;
  return open.has(row.state) || size > 0 ? size : 1;
}

/** What a row of `instruments` says. */
function facts(row: WireRow, market: string): Omit<Facts, 'market'> | null {
  const found = named(market);
  return (
    found && {
      ...found,
      kind: isTraded(row, found.quote) ? found.kind : 'other',
      contract: contractOf(row),
      inverse: row.ctType === 'inverse',
      expiry: time(row.expTime),
    }
  );
}

const tick = 'tickSz';
const listOf = (instType: string) => get('/public/instruments', 'instruments', { instType });

export const instruments = {
  spot: listing({
    venue: 'okx',
    requests: listOf('SPOT'),
    rows: 'data',
    id: 'instId',
    read: facts,
    tick,
  }),
  // Swaps are served without dated contracts where these fail.
  swap: listing({
    venue: 'okx',
    requests: () => [listOf('SWAP'), mayFail(listOf('FUTURES'))],
    rows([swaps, dated]) {
      const more = dated === undefined ? [] : list(at(dated, 'data'), 'data');
      return [...bulk(at(swaps, 'data'), 'data'), ...more];
    },
    id: 'instId',
    read: facts,
    tick,
  }),
};

/** `volCcy24h` is quote on spot and base on swaps, both linear and inverse. */
const price: PriceTable = {
  last: 'last',
  open: 'open24h',
  bid: 'bidPx',
  ask: 'askPx',
  high: 'high24h',
  low: 'low24h',
  base: ({ vol24h, volCcy24h }, { kind }) => (kind === 'spot' ? vol24h : volCcy24h),
  quote: ({ volCcy24h, last }, { kind }) =>
    required(volCcy24h) * (kind === 'spot' ? 1 : positive(last)),
  untraded: 'vol24h',
};

/** Of spot pairs and of swaps. */
export const tickers = markets({ rows: 'data', id: 'instId', time: 'ts', price });

/** The fields of the lists beside the marks. An index has the id of its spot pair. */
export const indexOf = (market: string): string => market.replace(/-(SWAP|\d{6})$/, '');
const rateFields = ['fundingRate', 'prevFundingTime', 'fundingTime', 'nextFundingTime'];

/**
 * The hours of the running rate are those since the funding before it, where that is stated: `nextFundingTime` has the interval
 * that comes, which is another one before a change. A first interval that was cut short has the hours of the next one.
 */
function hoursOf({ prevFundingTime, fundingTime, nextFundingTime }: WireRow): number {
  const at = positive(time(fundingTime));
  const since = (at - positive(time(prevFundingTime))) / hour;
  return isInterval(since) ? since : (positive(nextFundingTime) - at) / hour;
}

/** `fundingRate` is charged at `fundingTime`. */
const derivative = {
  mark: 'markPx',
  index: 'idxPx',
  rate: 'fundingRate',
  hours: hoursOf,
  next: 'fundingTime',
} as const;

/** Base units of contracts, each worth `contract` base units, or US dollars where the market is inverse. */
const counted: Cell = ({ oi, markPx }, { contract, inverse }) =>
  (required(oi) * contract) / (inverse ? positive(markPx) : 1);

/** One side: `oiCcy` in base, `oi` in contracts. `oiUsd` is in dollars, not in the quote: used where no mark is known. */
const interest = {
  base: 'oiCcy',
  value: ({ oiUsd, markPx }) => (positive(markPx) > 0 ? unknown : oiUsd),
  mark: 'markPx',
  again: counted,
} satisfies InterestTable;

const swaps = { instType: 'SWAP' };
const markPrices = get('/public/mark-price', 'marks', swaps);
/** An index is asked by its quote. */
const indexRequests = ['USDT', 'USD', 'USDC'].map((quoteCcy) =>
  mayFail(get('/market/index-tickers', 'indices', { quoteCcy })),
);

/** The rows of all answers that are there, which may be empty but for one, by their id. */
function indicesIn(bodies: readonly unknown[]): ReadonlyMap<string, WireRow> {
  const rows = bodies.flatMap((body) =>
    body === undefined ? [] : list(at(body, 'data'), 'indices'),
  );
  if (bodies.some((body) => body !== undefined)) bulk(rows, 'indices');
  return new Map(rows.map(asRow).map((row) => [text(row.instId), row]));
}

/** Rates of every swap; marks are served without. */
export const derivatives = markets({
  rows: ([marks, funding, ...indices]) =>
    joined(
      bulk(at(marks, 'data'), 'marks'),
      'instId',
      { rows: byId(funding, 'data', 'instId'), take: rateFields },
      { rows: indicesIn(indices), take: ['idxPx'], idOf: indexOf },
    ),
  id: 'instId',
  time: 'ts',
  derivative,
}).poll(() => [
  markPrices,
  mayFail(get('/public/funding-rate', 'funding', { instId: 'ANY' })),
  ...indexRequests,
]);

const futuresType = { instType: 'FUTURES' };

/** Dated contracts, with the index of their pair. Marks are required, all others may be missing. */
export const futures = markets({
  rows: ([marks, interests, tickers, ...indices]) =>
    joined(
      bulk(at(marks, 'data'), 'marks'),
      'instId',
      { rows: byId(interests, 'data', 'instId'), take: ['oi', 'oiCcy', 'oiUsd'] },
      { rows: byId(tickers, 'data', 'instId'), take: ['last', 'volCcy24h'] },
      { rows: indicesIn(indices), take: ['idxPx'], idOf: indexOf },
    ),
  id: 'instId',
  time: 'ts',
  dated: true,
  price: { last: 'last', quote: price.quote },
  derivative: { mark: 'markPx', index: 'idxPx' },
  interest,
}).poll(() => [
  getFutures('/public/mark-price', futuresType),
  mayFail(getFutures('/public/open-interest', futuresType)),
  mayFail(getFutures('/market/tickers', futuresType)),
  ...indexRequests,
]);

export const openInterest = markets({
  rows: ([body, marks]) =>
    joined(bulk(at(body, 'data'), 'open interest'), 'instId', {
      rows: byId(marks, 'data', 'instId'),
      take: ['markPx'],
    }),
  id: 'instId',
  time: 'ts',
  interest,
}).poll(() => [get('/public/open-interest', 'interest', swaps), mayFail(markPrices)]);

/** Swaps by stream, where every channel has some of the columns. The time of a mark is its own, under `marked`: that of a rate may be a minute ago. */
export const swap = markets({
  id: 'instId',
  time: 'ts',
  price,
  derivative: { ...derivative, stated: 'marked' },
  interest,
});

/** A level of an order book: `[price, quantity, "0", orders]`. */
export const bookLevel = { price: 0, quantity: 1, columns: 4 };
