/** Parameters that several rows share; a row picks them. */
import { aggregated } from '../../actors/topics/index.ts';
import { chainIds } from '../../config/chains.ts';
import type { RowStep } from '../answers/ranges.ts';
import type { Param } from '../endpoints/route.ts';
import { type ApiError, apiError } from '../wire/errors.ts';

export const kind = {
  type: 'string',
  enum: ['spot', 'perpetual'],
  description:
    'Which market is meant where an exchange uses one symbol for both; spot when the exchange lists it there.',
} as const satisfies Param;

/** A base asset; all symbols when absent. */
export const symbol = {
  type: 'string',
  maxLength: 32,
  description:
    'Base asset, in any case, or a pair of it (`BTCUSDT`, `BTC-USDT`, `BTC/USDT:USDT`). All symbols when absent.',
  example: 'BTC',
} as const satisfies Param;

/** The inputs of the answer about one symbol. */
export const explain = {
  type: 'string',
  enum: ['0', '1'],
  description:
    '1 adds `explanation`: the inputs of the main number with their markets, ages, conversions, weights and exclusions, from which it can be computed again.',
} as const satisfies Param;

/** One market of an exchange. */
export const market = {
  type: 'string',
  required: true,
  maxLength: 64,
  description: "The exchange's own symbol.",
  example: 'BTCUSDT',
} as const satisfies Param;

/** One market of an exchange, by any of its names. */
const anyName = {
  type: 'string',
  maxLength: 64,
  description:
    "The exchange's own symbol, a pair in a usual spelling (`BTC/USDT`, `BTC/USDT:USDT`, `BTC-USDT`, `btcusdt`), or a base asset, which stands for its most traded dollar market (spot first).",
  example: 'BTC/USDT',
} as const satisfies Param;
export const marketName = { ...anyName, required: true } as const satisfies Param;
export const marketNameOrBitcoin = { ...anyName, default: 'BTC' } as const satisfies Param;

/** An exchange of a list. */
export const exchange = <const E extends string>(ids: readonly E[]) =>
  ({ type: 'string', enum: ids, description: 'Exchange id.' }) as const satisfies Param;

/** An exchange of a list, or all of them together as when absent. */
export const exchangeOrAggregated = (ids: readonly string[]) =>
  ({ ...exchange([aggregated, ...ids]), default: aggregated }) as const satisfies Param;

/** Several exchanges. `absent` says which ones they are when it is absent. */
export const severalExchanges = (absent: string) =>
  ({
    type: 'string',
    maxLength: 400,
    pattern: '^[A-Za-z0-9-]+(,[A-Za-z0-9-]+)*$',
    description: `Exchange ids, separated by commas. ${absent}`,
    example: 'binance,okx',
  }) as const satisfies Param;

/** The exchanges that a client names, each once; all of `ids` when absent, an error where one is not among them. */
export function exchangesIn(ids: readonly string[], given?: string): readonly string[] | ApiError {
  if (given === undefined) return ids;
  const asked = [...new Set(given.toLowerCase().split(','))];
  const unknown = asked.find((id) => !ids.includes(id));
  if (unknown === undefined) return asked;
  return apiError('bad_parameter', `exchange '${unknown}' is none of ${ids.join(', ')}`);
}

/** A candle length of a list. */
export const interval = <const I extends string, const D extends I>(
  names: readonly I[],
  fallback: D,
) =>
  ({
    type: 'string',
    default: fallback,
    enum: names,
    description: 'Candle length.',
  }) as const satisfies Param;

/**
 * The range of a history whose rows are at least `step` apart, ms (`interval`: as the parameter says), from which follows how far
 * a page reaches. The check of the row refuses a `from` later than `to`.
 */
export const range = (step: RowStep) =>
  ({
    from: {
      type: 'integer',
      time: 'ms',
      step,
      minimum: 0,
      description:
        'First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.',
    },
    to: {
      type: 'integer',
      time: 'ms',
      minimum: 0,
      description: 'Last time, Unix ms or ISO 8601, included. Now when absent.',
    },
  }) as const satisfies Record<string, Param>;

/** Most rows of an answer. */
export const limit = (fallback: number, maximum: number, description: string) =>
  ({
    type: 'integer',
    default: fallback,
    minimum: 1,
    maximum,
    description,
  }) as const satisfies Param;

export const chain = {
  type: 'string',
  default: 'ethereum',
  enum: chainIds,
  description: 'Chain to look at.',
} as const satisfies Param;
