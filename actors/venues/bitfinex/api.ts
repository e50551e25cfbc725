import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Query } from '../../upstream/request.ts';
import { codesOf } from '../apis.ts';

/** An address that asks too much is shut out for a minute. */
const shutOut = { rate_limited: 60_000 };

/**
 * `["error", code, message]`, with HTTP 500 as a rule; or `{ error }` from what stands before the API.
 * https://docs.bitfinex.com/docs/abbreviations-glossary#section-errorinfo-codes
 */
const faults: Faults = [
  {
    name: 'Bitfinex',
    at: '1',
    when: ({ 0: word, 1: code }) => word === 'error' && typeof code === 'number',
    codes: codesOf(['unavailable', 10000, 11000, 20060], ['rate_limited', 11010]),
    message: '2',
    // Bad parameters; of all of them only the symbol, which is part of a candle's key, is a client's.
    patterns: [{ code: /^10020$/, text: /symbol|key/, means: 'unknown_instrument' }],
    means: 'refused',
    retryAfter: shutOut,
  },
  {
    name: 'Bitfinex',
    at: 'error',
    when: ({ error }) => error === 'ERR_RATE_LIMIT' || error === 'temporarily_unavailable',
    codes: { ERR_RATE_LIMIT: 'rate_limited', temporarily_unavailable: 'unavailable' },
    retryAfter: shutOut,
  },
];

const perMinute = (weight: number) => ({ weight, per: 60_000 });

export const apis = {
  rest: {
    hosts: ['https://api-pub.bitfinex.com', 'https://api.bitfinex.com'],
    budgets: {
      default: perMinute(30),
      // Documented as 90 now and as 30 before: polls stay within both.
      tickers: perMinute(30),
      status: perMinute(30),
      conf: perMinute(30),
      // 15 by the vendor's page, more by others.
      stats: perMinute(10),
      candles: perMinute(90),
      // 15 by the vendor's page, 90 by ccxt.
      trades: perMinute(15),
      book: perMinute(240),
    },
    faults,
  },
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;

export const get = (budget: Ask['budget'] & string, path: string, query: Query): Ask => ({
  api: 'rest',
  path: `/v2/${path}`,
  budget,
  query,
});

/** A client's symbol as a part of a path. */
export const segment = (market: string): string =>
  encodeURIComponent(market).replaceAll('%3A', ':');
