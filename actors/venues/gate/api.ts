import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Query } from '../../upstream/request.ts';
import { codesOf, equalBudgets } from '../apis.ts';
import type { Settle } from './rows.ts';

/** Refusals are `{label, message}`, or `detail` in the place of the message. */
const faults: Faults = {
  name: 'Gate',
  at: 'label',
  type: 'string',
  codes: codesOf(
    ['unknown_instrument', 'CONTRACT_NOT_FOUND', 'INVALID_CURRENCY', 'INVALID_CURRENCY_PAIR'],
    ['rate_limited', 'TOO_MANY_REQUESTS', 'TOO_FAST'],
    ['blocked', 'FORBIDDEN', 'IP_FORBIDDEN'],
    ['unavailable', 'TOO_BUSY', 'SERVER_ERROR', 'INTERNAL'],
  ),
  message: ['message', 'detail'],
  patterns: [
    // Of all parameters only these two are a client's.
    { code: /^INVALID_PARAM_VALUE$/, text: /currency_pair|contract/, means: 'unknown_instrument' },
  ],
};

const paths = [
  ...(['list', 'tickers', 'books', 'candles', 'statistics', 'fundings', 'trades'] as const),
] as const;
/** 200 in 10 s and address, each path by itself. */
const budgets = equalBudgets({ weight: 200, per: 10_000 }, ...paths);

/** Sizes of contracts are fractions, as texts; without it they are cut to whole numbers. By requests and at the handshake of streams. */
export const decimalSizes = { 'x-gate-size-decimal': '1' };

export const apis = {
  spot: { hosts: ['https://api.gateio.ws'], budgets, faults },
  futures: {
    hosts: ['https://api.gateio.ws', 'https://fx-api.gateio.ws'],
    headers: decimalSizes,
    budgets,
    faults,
  },
} as const satisfies Apis;

export type PartName = 'spot' | Settle;
export type Ask = RequestOf<typeof apis>;

/**
 * Candles back from now: an older start is refused as "Candlestick too long ago. Maximum 10000 points ago are allowed". Less a few
 * that open while a request is on its way.
 */
export const kept = 9_990;

/** Dated contracts, which all settle in USDT, have a folder of their own. */
const folderOf = (part: PartName | 'delivery'): string => {
  if (part === 'spot') return part;
  return part === 'delivery' ? 'delivery/usdt' : `futures/${part}`;
};

export const get = (
  part: PartName | 'delivery',
  path: string,
  budget: Ask['budget'],
  query: Query = {},
): Ask => ({
  api: part === 'spot' ? 'spot' : 'futures',
  path: `/api/v4/${folderOf(part)}/${path}`,
  budget,
  query,
});
