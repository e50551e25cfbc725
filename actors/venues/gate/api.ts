import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Api, Budget, Query } from '../../upstream/request.ts';
import type { Settle } from './rows.ts';

/** Refusals are `{label, message}`, or `detail` in the place of the message. */
const faults: Faults = {
  name: 'Gate',
  at: 'label',
  type: 'string',
  codes: {
    CONTRACT_NOT_FOUND: 'unknown_instrument',
    INVALID_CURRENCY: 'unknown_instrument',
    INVALID_CURRENCY_PAIR: 'unknown_instrument',
    TOO_MANY_REQUESTS: 'rate_limited',
    TOO_FAST: 'rate_limited',
    FORBIDDEN: 'blocked',
    IP_FORBIDDEN: 'blocked',
    TOO_BUSY: 'unavailable',
    SERVER_ERROR: 'unavailable',
    INTERNAL: 'unavailable',
  },
  message: ['message', 'detail'],
  patterns: [
    // Of all parameters only these two are a client's.
    { code: /^INVALID_PARAM_VALUE$/, text: /currency_pair|contract/, means: 'unknown_instrument' },
  ],
};

/** 200 in 10 s and address, each path by itself. */
const budget: Budget = { weight: 200, per: 10_000 };
const api = (...hosts: [string, ...string[]]) =>
  ({
    hosts,
    budgets: {
      ...{ default: budget, list: budget, tickers: budget, books: budget, candles: budget },
      ...{ statistics: budget, fundings: budget },
    },
    faults,
  }) satisfies Api;

export const apis = {
  spot: api('https://api.gateio.ws'),
  futures: api('https://api.gateio.ws', 'https://fx-api.gateio.ws'),
} as const satisfies Apis;

export type PartName = 'spot' | Settle;
export type Ask = RequestOf<typeof apis>;

export const get = (
  part: PartName,
  path: string,
  budget: Ask['budget'],
  query: Query = {},
): Ask => ({
  api: part === 'spot' ? 'spot' : 'futures',
  path: `/api/v4/${part === 'spot' ? part : `futures/${part}`}/${path}`,
  budget,
  query,
});
