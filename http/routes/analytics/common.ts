/** What the rows of exchange analytics share. */
import type { Perpetual } from '../../../indicators/derivatives/perpetuals.ts';
import { type ApiError, apiError, isApiError } from '../../errors.ts';
import type { PerpetualsView } from '../../views/perpetuals.ts';
import type { Param } from '../route.ts';

/** A base asset; all of them when absent. */
export const symbolOrAll = {
  type: 'string',
  maxLength: 32,
  pattern: '^[A-Za-z0-9][A-Za-z0-9/:_-]*$',
  description: 'Base asset, in any case. All symbols when absent.',
  example: 'BTC',
} as const satisfies Param;

/** A base asset; Bitcoin when absent. */
export const symbolOrBitcoin = {
  ...symbolOrAll,
  default: 'BTC',
  description: 'Base asset, in any case.',
} as const satisfies Param;

/** The range of a history. */
export const range = {
  from: {
    type: 'integer',
    minimum: 0,
    description: 'First time, Unix ms, included. Open when absent.',
  },
  to: {
    type: 'integer',
    minimum: 0,
    description: 'Last time, Unix ms, included. Now when absent.',
  },
} as const satisfies Record<string, Param>;

/** The asset that a client names, in the usual spelling; undefined for all. */
export const assetOf = (symbol: string | undefined): string | undefined => symbol?.toUpperCase();

/** The error while nothing of an exchange has been received. `what` names it. */
export const notYet = (what: string): ApiError =>
  apiError('upstream_failed', `no answer with ${what} has been received yet`);

/** A base asset that must be named. */
export const symbolRequired = {
  ...symbolOrAll,
  required: true,
  description: 'Base asset, in any case, or a market of it such as `BTC-USDT`.',
} as const satisfies Param;

const contractEnding = /([-_]SWAP|[-_]PERP|-PERPETUAL)$/;
const quoteEnding = /[-/_]?(FDUSD|USDT|USDC|USD)(:[A-Z]+)?$/;

/** The perpetual of what a client names, a base asset or a market of it, on one exchange. */
export function perpetualOf(
  view: PerpetualsView,
  exchange: string,
  given: string,
): Perpetual | ApiError {
  const symbol = given.toUpperCase();
  const found = view.find(exchange, symbol);
  const base = symbol.replace(contractEnding, '').replace(quoteEnding, '');
  if (!isApiError(found) || found.error !== 'unknown_symbol' || base === '') return found;
  return view.find(exchange, base);
}

/** The asset of what a client names, on the first of several exchanges that has a perpetual of it. */
export function assetOn(
  view: PerpetualsView,
  exchanges: readonly string[],
  given: string,
): string | ApiError {
  let failure = apiError('unknown_symbol', `unknown symbol '${given}'`);
  for (const exchange of exchanges) {
    const found = perpetualOf(view, exchange, given);
    if (!isApiError(found)) return found.symbol;
    if (found.error !== 'unknown_symbol') failure = found;
  }
  return failure;
}
