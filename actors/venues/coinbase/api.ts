/** The three APIs of Coinbase, and how they refuse. */
import { text } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Api } from '../../upstream/request.ts';

/** A refusal has a status of 400 or more and its reason at `key`, in a word or in words. */
const api = (name: string, host: string, key: string) =>
  ({
    hosts: [host],
    budgets: { default: { weight: 10, per: 1000 } },
    faults: {
      name,
      when: ({ [key]: words }, status) => status >= 400 && text(words) !== '',
      message: key,
      patterns: [
        { text: /rate.?limit|resource.exhausted/i, means: 'rate_limited' },
        { text: /permission.denied/i, means: 'blocked' },
        { text: /not.found/i, means: 'unknown_instrument' },
        // Of all arguments only the product is a client's.
        { text: /invalid.argument/i, means: 'unknown_instrument' },
        { text: /internal|unavailable/i, means: 'unavailable' },
        { status: 404, means: 'unknown_instrument' },
      ],
    },
  }) satisfies Api;

export const apis = {
  advanced: api('Coinbase', 'https://api.coinbase.com', 'error'),
  exchange: api('Coinbase Exchange', 'https://api.exchange.coinbase.com', 'message'),
  international: api('Coinbase International', 'https://api.international.coinbase.com', 'title'),
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;
