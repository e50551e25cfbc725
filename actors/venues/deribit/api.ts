import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Query } from '../../upstream/request.ts';

/** JSON-RPC errors, with HTTP 400 as a rule; the code decides. https://docs.deribit.com/#rpc-error-codes */
const faults: Faults = {
  name: 'Deribit',
  at: 'error.code',
  type: 'number',
  codes: {
    10020: 'unknown_instrument',
    13020: 'unknown_instrument',
    10028: 'rate_limited',
    10040: 'unavailable',
    10041: 'unavailable',
    10047: 'rate_limited',
    11051: 'unavailable',
    11094: 'unavailable',
  },
  message: 'error.data.param',
  patterns: [
    // "Invalid params": of all parameters only the instrument is a client's.
    { code: /^-32602$/, text: /^instrument_name$/, means: 'unknown_instrument' },
  ],
};

const hosts = ['https://www.deribit.com'] as const;

export const apis = {
  rest: {
    hosts,
    budgets: {
      // 500 credits a call, 10,000 of them a second, three of the twenty calls for `options`; instruments: a burst of 5,
      // then one in 10 s.
      default: { weight: 17, per: 1000 },
      instruments: { weight: 5, per: 50_000 },
    },
    faults,
    maxBody: 16 * 2 ** 20,
  },
  // By itself, so that failing lists of options open no breaker of the prices.
  options: {
    hosts,
    budgets: { default: { weight: 3, per: 1000 } },
    faults,
    maxBody: 16 * 2 ** 20,
  },
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;

export const get = (
  path: string,
  query: Query,
  budget: 'default' | 'instruments' = 'default',
): Ask => ({
  api: 'rest',
  path: `/api/v2/public/${path}`,
  budget,
  query,
});
