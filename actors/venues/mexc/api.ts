/** The two APIs of MEXC, and how they refuse. https://www.mexc.com/api-docs */
import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Budget, Query } from '../../upstream/request.ts';

/** Spot answers `{code, msg}` with a 4xx, contracts `{success: false, code, message}` inside a 200. */
const faults: Faults = {
  name: 'MEXC',
  at: 'code',
  when: ({ success, code, msg = '' }) =>
    code !== undefined && (success === false || (success !== true && msg !== '')),
  ok: [0, 200],
  codes: {
    [-1121]: 'unknown_instrument',
    10007: 'unknown_instrument',
    1001: 'unknown_instrument',
    30014: 'unknown_instrument',
    30021: 'unknown_instrument',
    // Illegal characters: of all parameters only the symbol is a client's.
    700008: 'unknown_instrument',
    429: 'rate_limited',
    510: 'rate_limited',
    403: 'blocked',
    406: 'blocked',
    500: 'unavailable',
    501: 'unavailable',
    503: 'unavailable',
    504: 'unavailable',
    604: 'unavailable',
    801: 'unavailable',
  },
};

const per = (weight: number, ms: number): Budget => ({ weight, per: ms });

export const apis = {
  spot: {
    hosts: ['https://api.mexc.com'],
    budgets: { default: per(500, 10_000), depth: per(200, 10_000), candles: per(200, 10_000) },
    faults,
    maxBody: 32 * 2 ** 20,
  },
  contracts: {
    hosts: ['https://api.mexc.com', 'https://contract.mexc.com'],
    budgets: {
      default: per(20, 2000),
      detail: per(1, 5000),
      tickers: per(20, 2000),
      depth: per(20, 2000),
      candles: per(20, 2000),
    },
    faults,
  },
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;
type SpotAsk = RequestOf<typeof apis, 'spot'>;
type ContractsAsk = RequestOf<typeof apis, 'contracts'>;

export const getSpot = (
  path: string,
  budget: SpotAsk['budget'],
  weight: number,
  query: Query = {},
): SpotAsk => ({
  api: 'spot',
  path: `/api/v3${path}`,
  budget,
  weight,
  query,
});

export const getContracts = (
  path: string,
  budget: ContractsAsk['budget'],
  query: Query = {},
): ContractsAsk => ({
  api: 'contracts',
  path: `/api/v1/contract${path}`,
  budget,
  query,
});
