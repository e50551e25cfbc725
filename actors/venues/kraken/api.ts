/** The two APIs of Kraken, and how they refuse. */
import { asRow, isRecord, text } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Faults } from '../../upstream/faults.ts';
import { codesOf, getter } from '../apis.ts';

/**
 * Spot refuses inside a 200, with a list of errors in place of a result. A warning, which begins with W, stands beside one.
 * https://docs.kraken.com/api/docs/guides/spot-errors
 */
const spotFaults: Faults = {
  name: 'Kraken',
  at: 'error.0',
  when: ({ error }) => text(asRow(error)[0]).startsWith('E'),
  codes: codesOf(
    ['unknown_instrument', 'EQuery:Unknown asset', 'EQuery:Unknown asset pair'],
    ['unknown_instrument', 'EQuery:Invalid asset', 'EQuery:Invalid asset pair'],
    ['rate_limited', 'EGeneral:Too many requests', 'EGeneral:Temporary lockout'],
    ['rate_limited', 'EAPI:Rate limit exceeded'],
    ['blocked', 'EGeneral:Permission denied'],
    ['unavailable', 'EGeneral:Internal error', 'EDatabase', 'EService'],
  ),
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
    codes: codesOf(
      ['rate_limited', 'apiLimitExceeded'],
      ['unavailable', 'unavailable', 'Unavailable', 'Server Error', 'unknownError'],
      ['unknown_instrument', 'marketUnavailable', 'contractNotFound', 'notFound'],
      // Of all arguments only the symbol is a client's.
      ['unknown_instrument', 'invalidArgument'],
    ),
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
  unified: {
    hosts: ['https://uws.kraken.com'],
    // Connections of one address; no number is documented.
    budgets: { default: { weight: 5, per: 10_000 } },
    faults: {
      name: 'Kraken',
      at: 'error',
      when: ({ success }) => success === false,
    },
  },
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;
type FuturesAsk = RequestOf<typeof apis, 'futures'>;
export const getSpot = getter<RequestOf<typeof apis, 'spot'>>('spot', '/0/public/');
export const getFutures = getter<FuturesAsk>('futures', '/derivatives/api/');

/** The list of contracts by the unified stream, for when the derivatives API has ended. */
export const unifiedList: RequestOf<typeof apis, 'unified'> = {
  api: 'unified',
  path: '/v2/public',
  socket: {
    say: '{"method":"subscribe","params":{"channel":"instrument","asset_class":"derivatives","snapshot":true}}',
    isAnswer(message) {
      const { channel, type, success } = asRow(message);
      return success === false || (channel === 'instrument' && type === 'snapshot');
    },
  },
};
export const getChart = getter<FuturesAsk>('futures', '/api/charts/v1/');
