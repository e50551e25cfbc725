/** What the rows of exchange analytics share. */
import type { QueryName } from '../../../actors/topics/index.ts';
import type { Perpetual } from '../../../indicators/derivatives/perpetuals.ts';
import type { QuestionOf } from '../../answers/queries.ts';
import type { Param } from '../../endpoints/route.ts';
import { type ApiError, apiError, isApiError } from '../../wire/errors.ts';
import type { RoutesContext } from '../context.ts';

/** Where the documentation has these rows. */
export const group = 'Exchange analytics';

/** A base asset; all of them when absent. */
export const symbolOrAll = {
  type: 'string',
  maxLength: 32,
  pattern: '^[A-Za-z0-9][A-Za-z0-9/:_-]*$',
  description: 'Base asset or a market of it, in any spelling. All symbols when absent.',
  example: 'BTC',
} as const satisfies Param;

/** A base asset; Bitcoin when absent. */
export const symbolOrBitcoin = {
  ...symbolOrAll,
  default: 'BTC',
  description: 'Base asset or a market of it, in any spelling.',
} as const satisfies Param;

export { range } from '../params.ts';

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

/**
 * The perpetual of what a client names on one exchange: a base asset, or a market in any of its spellings. Unlike `resolve` it
 * gives the row with its rates, and the error where that is too old or not here yet; an asset means its leading perpetual.
 */
export function perpetualOf(
  { perpetuals, markets }: PerpetualContext,
  exchange: string,
  given: string,
): Perpetual | ApiError {
  const found = perpetuals.find(exchange, given.toUpperCase());
  if (!isApiError(found) || found.error !== 'unknown_symbol') return found;
  const named = markets.resolve(given, { kind: 'perpetual', exchanges: [exchange] });
  if (isApiError(named)) return named;
  const own = perpetuals.of(exchange)?.rows.find(({ contract }) => contract === named.market);
  return own ?? perpetuals.find(exchange, named.symbol);
}

/** The query about one perpetual of an exchange, by what a client names; the error where there is none. */
export function aboutPerpetual<N extends QueryName, D>(
  context: PerpetualContext,
  name: N,
  { exchange, symbol: given }: { exchange: string; symbol: string },
  ask: (found: Perpetual) => Omit<QuestionOf<N, D>, 'source' | 'name' | 'form'>,
): QuestionOf<N, D> | ApiError {
  const found = perpetualOf(context, exchange, given);
  if (isApiError(found)) return found;
  return { source: exchange, name, form: found.symbol, ...ask(found) };
}

/** The asset of what a client names, on the first of several exchanges on which `perpetualOf` finds a perpetual of it. */
export function assetOn(
  context: PerpetualContext,
  exchanges: readonly string[],
  given: string,
): string | ApiError {
  let failure = apiError('unknown_symbol', `unknown symbol '${given}'`);
  for (const exchange of exchanges) {
    const found = perpetualOf(context, exchange, given);
    if (!isApiError(found)) return found.symbol;
    if (found.error !== 'unknown_symbol') failure = found;
  }
  return failure;
}
