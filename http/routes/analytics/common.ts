/** What the rows of exchange analytics share. */
import { namePattern } from '../../../indicators/market/market-names.ts';
import type { Param } from '../../endpoints/route.ts';
import { type ApiError, apiError } from '../../wire/errors.ts';
import type { RoutesContext } from '../context.ts';

/** Where the documentation has these rows. */
export const group = 'Exchange analytics';

/** A base asset; all of them when absent. */
export const symbolOrAll = {
  type: 'string',
  maxLength: 32,
  pattern: namePattern,
  description: 'Base asset or a market of it, in any spelling. All symbols when absent.',
  example: 'BTC',
} as const satisfies Param;

/** A base asset; Bitcoin when absent. */
export const symbolOrBitcoin = {
  ...symbolOrAll,
  default: 'BTC',
  description: 'Base asset or a market of it, in any spelling.',
} as const satisfies Param;

/** The asset that a client names, in the usual spelling; undefined for all. */
export const assetOf = (symbol: string | undefined): string | undefined => symbol?.toUpperCase();

/** The error while nothing of an exchange has been received. `what` names it. */
export const notYet = (what: string): ApiError =>
  apiError('upstream_failed', `no answer with ${what} has been received yet`);

/** A base asset that must be named. */
export const symbolRequired = {
  ...symbolOrAll,
  required: true,
  description: 'Base asset or a market of it, in any spelling.',
} as const satisfies Param;

/** What finding a perpetual takes. */
export type PerpetualContext = Pick<RoutesContext, 'perpetuals' | 'markets'>;
