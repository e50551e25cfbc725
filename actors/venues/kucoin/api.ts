import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Api, Query } from '../../upstream/request.ts';

/** Refusals come with any status. */
const faults: Faults = {
  name: 'KuCoin',
  at: 'code',
  type: 'string',
  ok: [200000],
  codes: {
    400600: 'unknown_instrument',
    900001: 'unknown_instrument',
    429000: 'rate_limited',
    400302: 'blocked',
    400500: 'blocked',
    408000: 'unavailable',
    500000: 'unavailable',
  },
  message: 'msg',
  patterns: [
    // "Unsupported trading pair.", "symbol not exists": of all parameters only the symbol is a client's.
    { code: /^400100$/, text: /trading pair|symbol|contract/i, means: 'unknown_instrument' },
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
