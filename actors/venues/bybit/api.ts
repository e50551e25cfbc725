import type { Apis, RequestOf } from '../../sources/define.ts';
import type { FaultPattern, Faults } from '../../upstream/faults.ts';
import type { Query } from '../../upstream/request.ts';

const form = { name: 'Bybit', at: 'retCode', type: 'number', message: 'retMsg' } as const;
/** "symbol params err", "Not supported symbols": of all parameters only the symbol is a client's. */
const aboutSymbol: FaultPattern = { code: /^10001$/, text: /symbol/i, means: 'unknown_instrument' };
/** After "access too frequent" the documentation asks for 10 minutes of silence. */
const retryAfter = { banned: 600_000 };

/** Refusals come with any status, 200 included. */
const faults: Faults = [
  {
    ...form,
    when: ({ retCode }, status) => status === 403 && typeof retCode === 'number',
    ok: [0],
    patterns: [aboutSymbol, { text: /frequent/i, means: 'banned' }],
    means: 'blocked',
    retryAfter,
  },
  {
    ...form,
    ok: [0],
    codes: {
      10000: 'unavailable',
      10006: 'rate_limited',
      10009: 'banned',
      10016: 'unavailable',
      10018: 'rate_limited',
      10024: 'blocked',
      10429: 'rate_limited',
      170121: 'unknown_instrument',
    },
    patterns: [aboutSymbol],
    retryAfter,
  },
];

export const apis = {
  rest: {
    hosts: ['https://api.bybit.com', 'https://api.bytick.com'],
    budgets: { default: { weight: 600, per: 5000 } },
    faults,
  },
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;

export const get = (path: string, query: Query): Ask => ({
  api: 'rest',
  path: `/v5/market/${path}`,
  query,
});
