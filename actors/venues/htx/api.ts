import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Budget, Query } from '../../upstream/request.ts';
import { codesOf, equalBudgets, getter } from '../apis.ts';

/**
 * Refusals come inside a 200: `status` is "error" with `err-code` (spot) or `err_code` (contracts), or, on v5, `code`
 * is not 200. One code stands for many reasons, which only the message distinguishes.
 */
const codes = codesOf(
  ['unknown_instrument', 1013, 'base-symbol-error', 'base-symbol-trade-disabled'],
  ['rate_limited', 1032, 'base-request-exceed-frequency-limit', 'rate-too-many-requests'],
  ['unavailable', 1000, 1001, 1030, 'timeout', 'gateway-internal-error', 'system-maintenance'],
);
const faults: Faults = [
  {
    name: 'HTX',
    at: ['err-code', 'err_code'],
    when: ({ status }) => status === 'error',
    codes,
    message: ['err-msg', 'err_msg'],
    patterns: [
      { text: /^(invalid symbol|symbol trade not open now)$/, means: 'unknown_instrument' },
      { text: /^request limit$/, means: 'rate_limited' },
    ],
  },
  { name: 'HTX', at: 'code', ok: [200], codes },
];

const perSecond = (weight: number): Budget => ({ weight, per: 1000 });

export const apis = {
  spot: {
    hosts: ['https://api.huobi.pro', 'https://api-aws.huobi.pro'],
    budgets: equalBudgets(perSecond(10), 'depth', 'candles', 'trades'),
    faults,
  },
  contracts: {
    hosts: ['https://api.hbdm.com', 'https://api.hbdm.vn'],
    // 40 a second in all, which is below every limit that HTX states for these paths: 80 a second (v5), 240 in three seconds (others).
    budgets: { default: perSecond(8), v5: perSecond(17), marks: perSecond(15) },
    faults,
  },
} as const satisfies Apis;

export type Contracts = 'linear' | 'inverse';
export type PartName = 'spot' | Contracts;
export type Ask = RequestOf<typeof apis>;
type ContractsAsk = RequestOf<typeof apis, 'contracts'>;

export const spot = getter<RequestOf<typeof apis, 'spot'>>('spot');

export const contracts = (path: string, query: Query = {}): ContractsAsk => ({
  api: 'contracts',
  path,
  budget: path.startsWith('/v5/') ? 'v5' : 'default',
  query,
});
