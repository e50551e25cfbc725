/** The two APIs of Kraken, and how they refuse. */
import { isRecord } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Faults } from '../../upstream/faults.ts';

/** Spot refuses inside a 200, with a list of errors in place of a result. */
const spotFaults: Faults = {
  name: 'Kraken',
  at: 'error.0',
  codes: {
    'EQuery:Unknown asset': 'unknown_instrument',
    'EQuery:Unknown asset pair': 'unknown_instrument',
    'EQuery:Invalid asset': 'unknown_instrument',
    'EQuery:Invalid asset pair': 'unknown_instrument',
    'EGeneral:Too many requests': 'rate_limited',
    'EGeneral:Temporary lockout': 'rate_limited',
    'EAPI:Rate limit exceeded': 'rate_limited',
    'EGeneral:Permission denied': 'blocked',
    'EGeneral:Internal error': 'unavailable',
    EDatabase: 'unavailable',
    EService: 'unavailable',
  },
};

/** Futures refuse with `result: "error"` and one word, or a list of `{code, message}`. */
const futuresFaults: Faults = [
  {
    name: 'Kraken Futures',
    // The charts answer 404 for a market they do not have; every other part of their path is ours.
    when: (_, status, body) => status === 404 && isRecord(body),
    means: 'unknown_instrument',
  },
  {
    name: 'Kraken Futures',
    at: 'error',
    when: ({ result }) => result === 'error',
    codes: {
      apiLimitExceeded: 'rate_limited',
      unavailable: 'unavailable',
      Unavailable: 'unavailable',
      'Server Error': 'unavailable',
      unknownError: 'unavailable',
      marketUnavailable: 'unknown_instrument',
      contractNotFound: 'unknown_instrument',
      notFound: 'unknown_instrument',
      // Of all arguments only the symbol is a client's.
      invalidArgument: 'unknown_instrument',
    },
  },
];

export const apis = {
  spot: {
    hosts: ['https://api.kraken.com'],
    // One request a second and address; OHLC counts by itself, for each pair.
    budgets: { default: { weight: 5, per: 5000 }, ohlc: { weight: 5, per: 5000 } },
    faults: spotFaults,
  },
  futures: {
    hosts: ['https://futures.kraken.com'],
    // No limit is documented for what needs no key.
    budgets: { default: { weight: 5, per: 1000 } },
    faults: futuresFaults,
  },
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;
