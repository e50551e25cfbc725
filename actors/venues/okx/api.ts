import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Budget, Query } from '../../upstream/request.ts';

/** Refusals come with any status, 200 included. */
const faults: Faults = {
  name: 'OKX',
  at: 'code',
  type: 'string',
  ok: [0],
  codes: {
    50001: 'unavailable',
    50011: 'rate_limited',
    50013: 'unavailable',
    50026: 'unavailable',
    51001: 'unknown_instrument',
  },
  message: 'msg',
  // "Parameter instId error": a market of a form that no OKX id has; the same of a currency.
  patterns: [{ code: /^51000$/, text: /instId|ccy/, means: 'unknown_instrument' }],
};

/** Requests per 2 s and address, each path by itself. */
const per2s = (weight: number): Budget => ({ weight, per: 2000 });

const hosts = ['https://www.okx.com', 'https://aws.okx.com'] as const;

export const apis = {
  rest: {
    hosts,
    budgets: {
      default: per2s(10),
      instruments: per2s(20),
      tickers: per2s(18),
      books: per2s(40),
      candles: per2s(40),
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
  options: {
    hosts,
    budgets: { default: per2s(8) },
    faults,
  },
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;

export const get = (path: string, budget: Ask['budget'], query: Query): Ask => ({
  api: 'rest',
  path: `/api/v5${path}`,
  budget,
  query,
});

/** A list of options. */
export const getOptions = (path: string, query: Query): Ask => ({
  ...get(path, 'default', query),
  ...{ api: 'options', budget: 'default' },
});
