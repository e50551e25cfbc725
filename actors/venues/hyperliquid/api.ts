/** The one API of Hyperliquid, and how it refuses. */
import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Faults } from '../../upstream/faults.ts';

/**
 * Refusals are plain text, and their status decides; an unknown coin is the JSON value null with 200 (order book) or
 * 500 (candles).
 */
const faults: Faults = {
  name: 'Hyperliquid',
  when: (_, status, body) => body === null && (status === 200 || status === 500),
  means: 'unknown_instrument',
};

export const apis = {
  info: {
    hosts: ['https://api.hyperliquid.xyz'],
    budgets: { default: { weight: 1200, per: 60_000 } },
    faults,
  },
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;

/** One question; all of them are posted to one path. */
export const info = (body: Readonly<Record<string, unknown>>, weight: number): Ask => ({
  api: 'info',
  path: '/info',
  method: 'POST',
  body,
  weight,
});
