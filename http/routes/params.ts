/** Parameters that several rows share; a row picks them. */
import { aggregated, type Interval } from '../../actors/topics/index.ts';
import { marketClasses } from '../../config/assets/symbols.ts';
import { chainIds } from '../../config/chains.ts';
import { type FollowedKind, namePattern } from '../../indicators/market/market-names.ts';
import type { RowStep } from '../answers/ranges.ts';
import type { CheckedValues, Param } from '../endpoints/route.ts';
import { assetAmong, type Markets } from '../views/markets.ts';
import { type ApiError, apiError, isApiError } from '../wire/errors.ts';
import type { Registry } from './context.ts';

/** One of some words. */
export const word = <const W extends string>(words: readonly W[], description: string) =>
  ({ type: 'string', enum: words, description }) as const satisfies Param;
/** The same, `fallback` when absent. */
export const wordOr = <const W extends string, const D extends W>(
  words: readonly W[],
  fallback: D,
  description: string,
) => ({ ...word(words, description), default: fallback }) as const satisfies Param;

export const kind = word(
  ['spot', 'perpetual'],
  'Which market is meant where an exchange uses one symbol for both; spot when the exchange lists it there.',
);

/** What the markets are about. */
export const assetClass = word(
  marketClasses,
  'What the markets are about: coins, shares and funds, indices, commodities, currencies, what is not listed yet, or what no list states. All classes when absent.',
);
/** The same where there are sums and ranks, which are never made across classes. */
export const assetClassOrCoins = {
  ...assetClass,
  default: 'crypto',
  description: 'What the markets are about: sums and ranks are those of one class.',
} as const satisfies Param;

/** A base asset; all symbols when absent. */
export const symbol = {
  type: 'string',
  maxLength: 32,
  description:
    'Base asset, in any case, or a pair of it (`BTCUSDT`, `BTC-USDT`, `BTC/USDT:USDT`). All symbols when absent.',
  example: 'BTC',
} as const satisfies Param;

/** The same in any spelling that a market may have. */
export const symbolOrAll = {
  type: 'string',
  maxLength: 32,
  pattern: namePattern,
  description: 'Base asset or a market of it, in any spelling. All symbols when absent.',
  example: 'BTC',
} as const satisfies Param;
const oneSymbol = {
  ...symbolOrAll,
  description: 'Base asset or a market of it, in any spelling.',
} as const satisfies Param;
export const symbolOrBitcoin = { ...oneSymbol, default: 'BTC' } as const satisfies Param;
export const symbolRequired = { ...oneSymbol, required: true } as const satisfies Param;

/**
 * The asset that a client names, with its market of a kind on the first of some exchanges that lists it: `symbol`, `market` and
 * `exchange`; `listed` gives those of all.
 */
export const asset = (
  markets: Markets,
  kind: FollowedKind,
  among: readonly string[] | ((values: CheckedValues) => readonly string[] | ApiError),
) => ({
  ...symbolOrBitcoin,
  resolve(values: CheckedValues) {
    const exchanges = typeof among === 'function' ? among(values) : among;
    if (isApiError(exchanges)) return exchanges;
    const found = markets.resolve(String(values.symbol), { kind, exchanges });
    if (isApiError(found)) return found;
    const { symbol, market, exchange } = found;
    const listed = () =>
      exchanges.flatMap((id) => {
        const own = markets.find(id, symbol, kind);
        return own === null ? [] : [{ exchange: id, market: own.market }];
      });
    return { symbol, market, exchange, listed };
  },
});

/** One market by any of its names, or by one that a newer list may hold: what to ask its exchange for, and how to explain its error. */
export const namedMarket = <const P extends Param>(param: P, markets: Markets) => ({
  ...param,
  resolve({ symbol, exchange, kind: of }: CheckedValues) {
    const [id, name] = [String(exchange), String(symbol)];
    const wanted = kind.enum.find((one) => one === of);
    const asked = markets.asked(id, name, wanted);
    return { asked, market: asked.market, failure: markets.explained(id, name) };
  },
});

/** The asset that a client names, among those of an answer: itself, or the base of a pair. The handler says what there is of it. */
export const assetIn = <const P extends Param>(param: P, has: (symbol: string) => boolean) => ({
  ...param,
  resolve: ({ symbol }: CheckedValues) => ({ symbol: assetAmong(has, String(symbol)) }),
});
/** The same of a parameter that may be absent. */
export const assetInOrAll = (param: Param, has: (symbol: string) => boolean) => ({
  ...symbolOrAll,
  ...param,
  resolve: ({ symbol }: CheckedValues) => ({
    symbol: symbol === undefined ? symbol : assetAmong(has, String(symbol)),
  }),
});

/** The inputs of the answer about one symbol. */
export const explain = word(
  ['0', '1'],
  '1 adds `explanation`: the inputs of the main number with their markets, ages, conversions, weights and exclusions, from which it can be computed again.',
);

/** One market of an exchange. */
export const market = {
  type: 'string',
  required: true,
  maxLength: 64,
  description: "The exchange's own symbol.",
  example: 'BTCUSDT',
} as const satisfies Param;

/** An exchange of a list that must be named. */
export const exchangeRequired = (ids: readonly string[]) =>
  ({ ...exchange(ids), required: true, unlisted: 'unknown_exchange' }) as const satisfies Param;

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

/** Ids of the exchanges with a kind of market. */
export const exchangesWith = (registry: Registry, kind: string): string[] =>
  registry.filter(({ kinds }) => kinds.includes(kind)).map(({ id }) => id);

/** An exchange of a list. `absent` says which ones are meant without it. */
export const exchange = <const E extends string>(ids: readonly E[], absent?: string) =>
  word(ids, absent === undefined ? 'Exchange id.' : `Exchange id. ${absent}`);
export const exchangeOrAll = (ids: readonly string[]) =>
  exchange(ids, 'All exchanges when absent.');
/** The same, one of them when absent: `usual` where the list has it, else the first. */
export const exchangeOrUsual = (ids: readonly string[], usual?: string) =>
  ({
    ...exchange(ids),
    default: ids.find((id) => id === usual) ?? ids[0] ?? '',
  }) as const satisfies Param;

/** The exchange that a client names, as a list. */
export const chosen = ({ exchange }: CheckedValues): readonly string[] => [String(exchange)];

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

/** The exchanges that a client names, each once; `usual` when absent, an error where one is not among `ids`. */
export function exchangesIn(
  ids: readonly string[],
  given?: string | number,
  usual: readonly string[] = ids,
): readonly string[] | ApiError {
  if (given === undefined) return usual;
  const asked = [...new Set(String(given).toLowerCase().split(','))];
  const unknown = asked.find((id) => !ids.includes(id));
  if (unknown === undefined) return asked;
  return apiError('bad_parameter', `exchange '${unknown}' is none of ${ids.join(', ')}`);
}

/** A candle length of a list. */
export const interval = <const I extends string, const D extends I>(
  names: readonly I[],
  fallback: D,
) => wordOr(names, fallback, 'Candle length.');

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

/** A number from `minimum` on. */
export const atLeast = (minimum: number, description: string) =>
  ({ type: 'number', minimum, description }) as const satisfies Param;
/** The same, `fallback` when absent. */
export const atLeastOr = (minimum: number, fallback: number, description: string) =>
  ({ ...atLeast(minimum, description), default: fallback }) as const satisfies Param;

/** Rows that are left out at the start of an answer. */
export const offset = (description: string) =>
  ({ type: 'integer', default: 0, minimum: 0, description }) as const satisfies Param;

/** A number of a list, which the description names. */
export const numberOf = <const D extends number>(
  name: string,
  numbers: readonly number[],
  { fallback, description }: { fallback: D; description: string },
) =>
  ({
    type: 'number',
    default: fallback,
    description,
    resolve: ({ [name]: given }: CheckedValues) =>
      numbers.some((one) => one === given)
        ? {}
        : apiError('bad_parameter', `${name} must be one of ${numbers.join(', ')}`),
  }) as const satisfies Param;

/** Most rows of an answer. */
export const limit = (fallback: number, maximum: number, description: string) =>
  ({
    type: 'integer',
    default: fallback,
    minimum: 1,
    maximum,
    description,
  }) as const satisfies Param;

export const chain = wordOr(chainIds, 'ethereum', 'Chain to look at.');

/** Of the newest rows, or of those of a range. */
export const mostRows = 'Most rows: the oldest of a range with `from`, else the newest.';

/** At most `rows`, of `maximum` that may be asked for, which are at least `step` apart. */
export const rangeParams = (rows: number, maximum: number, step: RowStep) => ({
  symbol: symbolOrBitcoin,
  limit: limit(rows, maximum, mostRows),
  ...range(step),
});

/** The same of rows in intervals. */
export const seriesParams = <const I extends Interval>(
  intervals: readonly (I | '1h')[],
  rows: number,
  maximum: number,
) => ({
  symbol: symbolOrBitcoin,
  interval: interval(intervals, '1h'),
  limit: limit(rows, maximum, mostRows),
  ...range('interval'),
});

export const sixIntervals = ['5m', '15m', '30m', '1h', '4h', '1d'] as const;
/** Of recorded series that have minutes of tracked assets. */
export const minuteIntervals = ['1m', '5m', '15m', '30m', '1h', '2h', '4h', '1d'] as const;
export const sevenIntervals = ['5m', '15m', '30m', '1h', '2h', '4h', '1d'] as const;
export const nineIntervals = ['5m', '15m', '30m', '1h', '2h', '4h', '6h', '12h', '1d'] as const;
/** Of what OKX keeps of a currency as a whole, its spot markets among them. */
export const currencyIntervals = ['5m', '1h', '1d'] as const;
