import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Query } from '../../upstream/request.ts';
import { codesOf, equalBudgets } from '../apis.ts';

/** `{code, msg}`, mostly with a 400. */
const faults: Faults = {
  name: 'Bitget',
  at: 'code',
  when: ({ code, msg }) => typeof code === 'string' && typeof msg === 'string',
  ok: ['00000'],
  codes: codesOf(
    ['rate_limited', 429, 30001],
    ['unavailable', 40010, 40015, 40200, 40308, 40604, 40725, 45001],
    // "Parameter does not exist", about a symbol; "cannot be empty", likewise; a contract that was removed.
    ['unknown_instrument', 40034, 40019, 40309],
  ),
};

/** Their product types, which the documentation writes in capitals. */
export const futures = ['usdt-futures', 'usdc-futures', 'coin-futures'] as const;
export type Futures = (typeof futures)[number];
export type PartName = 'spot' | Futures;

const topics = [
  ...(['instruments', 'tickers', 'books', 'candles', 'history', 'funding', 'trades'] as const),
] as const;
type Topic = (typeof topics)[number];
/** Of futures only. */
type FuturesTopic = Topic | 'fundings' | 'ratios';

/** 20 a second and address, each path by itself; ratios one. */
const budgets = {
  ...equalBudgets(
    { weight: 20, per: 1000 },
    ...topics.map((topic) => `spot-${topic}` as const),
    ...topics.map((topic) => `mix-${topic}` as const),
    'mix-fundings',
  ),
  'mix-ratios': { weight: 1, per: 1000 },
};

export const apis = {
  rest: { hosts: ['https://api.bitget.com'], budgets, faults },
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;

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
