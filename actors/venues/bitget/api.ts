import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Budget, Query } from '../../upstream/request.ts';

/** `{code, msg}`, mostly with a 400. */
const faults: Faults = {
  name: 'Bitget',
  at: 'code',
  when: ({ code, msg }) => typeof code === 'string' && typeof msg === 'string',
  ok: ['00000'],
  codes: {
    429: 'rate_limited',
    30001: 'rate_limited',
    40010: 'unavailable',
    40015: 'unavailable',
    40725: 'unavailable',
    45001: 'unavailable',
    // "Parameter does not exist", about a symbol; "cannot be empty", likewise; a contract that was removed.
    40034: 'unknown_instrument',
    40019: 'unknown_instrument',
    40309: 'unknown_instrument',
  },
};

/** Their product types, which the documentation writes in capitals. */
export const futures = ['usdt-futures', 'usdc-futures', 'coin-futures'] as const;
export type Futures = (typeof futures)[number];
export type PartName = 'spot' | Futures;

/** 20 a second and address, each path by itself. */
const budget: Budget = { weight: 20, per: 1000 };
const budgets = {
  default: budget,
  'spot-instruments': budget,
  'spot-tickers': budget,
  'spot-books': budget,
  'spot-candles': budget,
  'spot-history': budget,
  'spot-funding': budget,
  'mix-instruments': budget,
  'mix-tickers': budget,
  'mix-funding': budget,
  'mix-books': budget,
  'mix-candles': budget,
  'mix-history': budget,
  'mix-fundings': budget,
  // One a second.
  'mix-ratios': { weight: 1, per: 1000 },
};

export const apis = {
  rest: { hosts: ['https://api.bitget.com'], budgets, faults },
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;
type Topic = 'instruments' | 'tickers' | 'funding' | 'books' | 'candles' | 'history';
/** Of futures only. */
type FuturesTopic = Topic | 'fundings' | 'ratios';

export const getFutures = (
  part: Futures,
  path: string,
  budget: FuturesTopic,
  query: Query = {},
): Ask => ({
  api: 'rest',
  path: `/api/v2/mix${path}`,
  budget: `mix-${budget}`,
  query: { productType: part.toUpperCase(), ...query },
});

export const get = (part: PartName, path: string, budget: Topic, query: Query = {}): Ask =>
  part === 'spot'
    ? { api: 'rest', path: `/api/v2/spot${path}`, budget: `spot-${budget}`, query }
    : getFutures(part, path, budget, query);
