import { type IndicatorName, indicatorNames } from '../../actors/topics/index.ts';
import { indicatorAnswer, indicatorTable } from '../../actors/topics/indicators/table.ts';
import { type Route, route } from '../endpoints/route.ts';
import { type ApiError, apiError } from '../wire/errors.ts';
import type { RoutesContext } from './context.ts';
import * as params from './params.ts';
import { symbol } from './params.ts';

type Context = Pick<RoutesContext, 'marketIndicators' | 'exchanges'>;

const limit = params.limit(365, 5_000, 'Most rows of `history`, the newest.');

/** Assets whose margin is published; that of others is queried. */
const followed: ReadonlySet<string> = new Set(['BTC', 'ETH']);

/** The common part of all rows. */
const rowOf = <N extends IndicatorName>(name: N) =>
  ({
    method: 'GET',
    path: `/v1/indicators/${name}`,
    group: 'Market indicators',
    summary: indicatorTable[name].summary,
    answer: indicatorAnswer(name),
    access: 'open',
    fails: ['not_enough_data', 'upstream_failed'],
  }) as const;

const plainRoute = (name: IndicatorName, { marketIndicators }: Context): Route =>
  route({
    ...rowOf(name),
    params: { limit },
    from: { answers: marketIndicators.answers(name), absent: neverAnswered(name) },
  });

function borrowRatesRoute({ marketIndicators, exchanges: { loans: lenders } }: Context): Route {
  return route({
    ...rowOf('borrow-rates'),
    params: {
      exchange: {
        type: 'string',
        maxLength: 32,
        description: `One of ${lenders.join(', ')}, in any case. All of them when absent.`,
        example: 'okx',
      },
      symbol: {
        ...symbol,
        description: 'Asset that is lent, in any case. All assets when absent.',
        example: 'USDT',
      },
      limit,
    },
    from: {
      query({ exchange: given, symbol: asset, limit: rows }) {
        const exchange = lenders.find((id) => id === given?.toLowerCase());
        if (given !== undefined && exchange === undefined) {
          return apiError('bad_parameter', `exchange must be one of ${lenders.join(', ')}`);
        }
        return { exchange, symbol: asset?.toUpperCase(), limit: rows };
      },
      answers: marketIndicators.answers('borrow-rates'),
      absent: neverAnswered('borrow-rates'),
    },
  });
}

/** The error of a key of which there never was a reading. */
const neverAnswered = (key: string): ApiError =>
  apiError('upstream_failed', `no source of ${key} has answered yet`);

/** The base asset of `BTC`, `BTCUSD` or Bitfinex's own `tBTCUSD`, whose short pairs have six letters. */
function baseOf(symbol: string): string {
  const pair = /^(?:T(?=.{6}$))?(.{3,})USD$/.exec(symbol.toUpperCase());
  return pair?.[1] ?? symbol.toUpperCase();
}

const marginRoute = ({ marketIndicators }: Context): Route =>
  route({
    ...rowOf('bitfinex-margin'),
    params: {
      symbol: {
        type: 'string',
        default: 'BTC',
        pattern: '^[A-Za-z0-9]{1,20}$',
        maxLength: 20,
        description: 'Base asset, or its pair with USD (`BTCUSD`, `tBTCUSD`), in any case.',
        example: 'BTC',
      },
      limit,
    },
    from: {
      query({ symbol: given, limit: rows }) {
        const base = baseOf(given);
        if (followed.has(base)) {
          const key = `bitfinex-margin/${base}`;
          const read = marketIndicators.answers('bitfinex-margin', key);
          return read({ limit: rows }) ?? neverAnswered(key);
        }
        return {
          source: 'margin',
          name: 'margin',
          params: { symbol: base },
          what: `the margin of ${base} on bitfinex`,
          form: `${rows}`,
          data: (reply) => marketIndicators.data(reply, rows),
        };
      },
    },
  });

/** The indicators that take no parameter but `limit`. */
const plain = indicatorNames.filter(
  (name) => name !== 'borrow-rates' && name !== 'bitfinex-margin',
);

/** Indicators of the market as a whole and of Bitcoin, open to all (specification 4.9). */
export const marketIndicatorRoutes = (context: Context): Route[] => [
  ...plain.map((name) => plainRoute(name, context)),
  borrowRatesRoute(context),
  marginRoute(context),
];
