/** The API of Backpack, and how it refuses. https://docs.backpack.exchange */
import { text } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Query } from '../../upstream/request.ts';

/** `{code, message}`; parameters of a wrong form and unknown paths are answered in plain text. */
const faults: Faults = {
  name: 'Backpack',
  at: 'code',
  when: ({ code, message }) => text(code) !== '' && typeof message === 'string',
  codes: {
    TOO_MANY_REQUESTS: 'rate_limited',
    FORBIDDEN: 'blocked',
    MAINTENANCE: 'unavailable',
    SERVER_ERROR: 'unavailable',
    TIMEOUT: 'unavailable',
    TRADING_PAUSED: 'unavailable',
    INVALID_MARKET: 'unknown_instrument',
    INVALID_SYMBOL: 'unknown_instrument',
    // The order book of a closed market.
    RESOURCE_NOT_FOUND: 'unknown_instrument',
  },
  message: 'message',
  patterns: [
    // "Invalid market symbol", "Symbol not found"
    { code: /^INVALID_CLIENT_REQUEST$/, text: /symbol/i, means: 'unknown_instrument' },
  ],
};

export const apis = {
  rest: {
    hosts: ['https://api.backpack.exchange'],
    budgets: {
      default: { weight: 2000, per: 60_000 },
      // Requests about a range of time.
      history: { weight: 30, per: 60_000 },
    },
    faults,
  },
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;

export const get = (path: string, query: Query = {}, budget: Ask['budget'] = 'default'): Ask => ({
  api: 'rest',
  path: `/api/v1${path}`,
  query,
  budget,
});
