/** Histories that OKX, Bybit and HTX keep of their markets (specification 4.3). */
import type { FundingPoint, Interval, LongShortOf } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { rateOf8Hours } from '../../../indicators/derivatives/funding.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { apiError, isApiError } from '../../wire/errors.ts';
import * as params from '../params.ts';
import {
  aboutPerpetual,
  type PerpetualContext as Context,
  perpetualOf,
  range,
  symbolOrBitcoin,
  symbolRequired,
} from './common.ts';
import { ratioFields, ratioPoints } from './long-short.ts';
import { common, currencyInterval, currencyIntervals } from './series.ts';
import { takerFields, takerPoint } from './taker-rows.ts';

const timestamp = s.unixMs('Start of the interval, Unix ms.');

const historyOf = <P extends s.TProperties>(exchange: string, point: s.TObject<P>) =>
  s.object({
    symbol: s.string('Base asset.'),
    exchange: s.literal(exchange, 'Exchange id.'),
    contract: s.string("The exchange's own id."),
    count: s.count,
    points: s.list(point, 'Ascending by time.'),
    stale: s.stale,
  });
const seriesOf = <P extends s.TProperties>(exchange: string, point: s.TObject<P>) => {
  const { properties } = historyOf(exchange, point);
  return s.object({ ...properties, interval: s.interval });
};

const newest = 'Most points: the oldest of a range with `from`, else the newest.';

/** What a row differs in from the others of its sort. */
interface Form {
  exchange: 'okx' | 'bybit' | 'htx';
  name: string;
  /** The default symbol is Bitcoin where false. */
  needsSymbol?: boolean;
  limit: readonly [fallback: number, most: number];
}

const symbolFor = ({ needsSymbol }: Form) => (needsSymbol ? symbolRequired : symbolOrBitcoin);

const fundingPoint = s.object({
  timestamp: s.unixMs('When it was charged, Unix ms.'),
  funding_rate: s.number('Fraction of `interval_hours`.'),
  predicted_rate: s.numberOrNull(
    'The rate expected before, a fraction of `interval_hours`; null where the exchange keeps none.',
  ),
  funding_rate_8h: s.numberOrNull('Fraction: the rate x 8 / `interval_hours`.'),
  interval_hours: s.numberOrNull('Hours since the funding before.'),
});

const fundingOf = ({ timestamp, rate, hours, predicted }: FundingPoint) => ({
  ...{ timestamp, funding_rate: rate, predicted_rate: predicted ?? null },
  funding_rate_8h: hours === null ? null : rateOf8Hours(rate, hours),
  interval_hours: hours,
});

function fundingRoute(context: Context, form: Form): Route {
  const { exchange } = form;
  const answer = historyOf(exchange, fundingPoint);
  return route({
    ...common,
    path: `/v1/analytics/${exchange}/funding-history`,
    summary: `Settled funding of a perpetual of ${form.name}`,
    params: { symbol: symbolFor(form), limit: params.limit(...form.limit, newest), ...range },
    answer,
    from: {
      query: ({ symbol: given = 'BTC', limit, from, to }) =>
        aboutPerpetual(
          context,
          'fundingHistory',
          { exchange, symbol: given },
          ({ symbol, contract }) => ({
            params: { market: contract, kind: 'perpetual', limit, from, to },
            what: `the funding history of ${symbol} on ${exchange}`,
            data: ({ points }): s.Static<typeof answer> => ({
              ...{ symbol, exchange, contract, count: points.length },
              points: points.map(fundingOf),
            }),
          }),
        ),
    },
  });
}

const ratioPoint = s.object({
  timestamp,
  ...ratioFields,
  locked_ratio: s.numberOrNull('Share of locked positions; null where the exchange states none.'),
});

interface RatioForm extends Form {
  path: string;
  summary: string;
  of: LongShortOf;
  intervals: readonly Interval[];
}

function ratioRoute(context: Context, form: RatioForm): Route {
  const { exchange, of } = form;
  const answer = seriesOf(exchange, ratioPoint);
  return route({
    ...common,
    path: `/v1/analytics/${exchange}/${form.path}`,
    summary: form.summary,
    params: {
      symbol: symbolFor(form),
      interval: params.interval(form.intervals, '1h'),
      limit: params.limit(...form.limit, newest),
      ...range,
    },
    answer,
    from: {
      query: ({ symbol: given = 'BTC', interval, limit, from, to }) =>
        aboutPerpetual(
          context,
          'longShort',
          { exchange, symbol: given },
          ({ symbol, contract }) => ({
            params: { market: contract, kind: 'perpetual', of, interval, limit, from, to },
            what: `the long/short ratio of ${symbol} on ${exchange}`,
            data({ points: rows }): s.Static<typeof answer> {
              const points = rows.flatMap((row) =>
                ratioPoints([row]).map((point) => ({ ...point, locked_ratio: row.locked ?? null })),
              );
              return { symbol, exchange, contract, interval, count: points.length, points };
            },
          }),
        ),
    },
  });
}

const interestPoint = s.object({
  timestamp,
  open_interest_base: s.numberOrNull('Base units, one side.'),
  open_interest_usd: s.numberOrNull('The same x mark price; null while there is none.'),
});
const bybitIntervals = ['5m', '15m', '30m', '1h', '4h', '1d'] as const;
const interestAnswer = seriesOf('bybit', interestPoint);

const interestRoute = (context: Context): Route =>
  route({
    ...common,
    path: '/v1/analytics/bybit/oi-history',
    summary: 'Open interest of a perpetual of Bybit over time',
    params: {
      symbol: symbolRequired,
      interval: {
        type: 'string',
        required: true,
        enum: bybitIntervals,
        description: 'Time between two points.',
        example: '1h',
      },
      limit: params.limit(50, 200, newest),
      ...range,
    },
    answer: interestAnswer,
    from: {
      query: ({ symbol: given, interval, limit, from, to }) =>
        aboutPerpetual(
          context,
          'openInterestHistory',
          { exchange: 'bybit', symbol: given },
          ({ symbol, contract }) => ({
            params: { market: contract, kind: 'perpetual', interval, limit, from, to },
            what: `the open interest of ${symbol} on bybit`,
            data: ({ points }): s.Static<typeof interestAnswer> => ({
              ...{ symbol, exchange: 'bybit', contract, interval, count: points.length },
              points: points.map(({ timestamp, base, usd }) => ({
                ...{ timestamp, open_interest_base: base, open_interest_usd: usd },
              })),
            }),
          }),
        ),
    },
  });

const takerIntervals = ['5m', '15m', '30m', '1h', '2h', '4h', '1d'] as const;
const takerAnswer = seriesOf('okx', s.object({ timestamp, ...takerFields }));

/** The market whose volumes are asked for: the perpetual, or the spot market of the same asset. */
function takerMarket(context: Context, given: string, market: string) {
  const found = perpetualOf(context, 'okx', given);
  if (market === 'contracts' || isApiError(found)) return found;
  const { symbol } = found;
  const spot = context.markets.find('okx', symbol, 'spot');
  if (spot === null) return apiError('unknown_symbol', `unknown symbol '${symbol}' for okx spot`);
  return { symbol, contract: spot.market };
}

const takerRoute = (context: Context): Route =>
  route({
    ...common,
    path: '/v1/analytics/okx/taker-volume',
    summary: 'Volume bought and sold by takers on OKX',
    params: {
      symbol: symbolOrBitcoin,
      market: {
        type: 'string',
        default: 'contracts',
        enum: ['contracts', 'spot'],
        description: 'The perpetual in USDT, or all spot markets of the asset.',
      },
      interval: params.interval(takerIntervals, '1h'),
      limit: params.limit(100, 500, newest),
      ...range,
    },
    answer: takerAnswer,
    from: {
      query({ symbol: given, market, interval, limit, from, to }) {
        const refused = market === 'spot' ? currencyInterval(interval) : null;
        if (refused) return refused;
        const found = takerMarket(context, given, market);
        if (isApiError(found)) return found;
        const { symbol, contract } = found;
        const kind = market === 'spot' ? 'spot' : 'perpetual';
        return {
          source: 'okx',
          name: 'takerVolume',
          params: { market: contract, kind, interval, limit, from, to },
          what: `the taker volume of ${symbol} on okx`,
          form: symbol,
          data: ({ points }): s.Static<typeof takerAnswer> => ({
            ...{ symbol, exchange: 'okx', contract, interval, count: points.length },
            points: points.map(takerPoint),
          }),
        };
      },
    },
  });

const eliteIntervals = bybitIntervals;

/** The rows of OKX, Bybit and HTX. */
export const historyRoutes = (context: Context): Route[] => [
  ratioRoute(context, {
    ...{ exchange: 'okx', name: 'OKX', path: 'long-short', of: 'accounts', limit: [100, 500] },
    summary: 'Accounts of OKX that are long and short, over all futures and swaps of a currency',
    intervals: currencyIntervals,
  }),
  takerRoute(context),
  fundingRoute(context, { exchange: 'okx', name: 'OKX', limit: [100, 400] }),
  ratioRoute(context, {
    ...{ exchange: 'bybit', name: 'Bybit', path: 'long-short', of: 'accounts', limit: [50, 500] },
    summary: 'Accounts of Bybit that are long and short in a perpetual',
    needsSymbol: true,
    intervals: bybitIntervals,
  }),
  interestRoute(context),
  fundingRoute(context, { exchange: 'bybit', name: 'Bybit', needsSymbol: true, limit: [50, 200] }),
  ratioRoute(context, {
    ...{ exchange: 'htx', name: 'HTX', path: 'elite-account-ratio', of: 'top_accounts' },
    summary: 'The largest accounts of HTX that are long and short in a swap',
    ...{ limit: [30, 200], intervals: eliteIntervals },
  }),
  ratioRoute(context, {
    ...{ exchange: 'htx', name: 'HTX', path: 'elite-position-ratio', of: 'top_positions' },
    summary: 'Long and short positions of the largest accounts of HTX in a swap',
    ...{ limit: [30, 200], intervals: eliteIntervals },
  }),
  fundingRoute(context, { exchange: 'htx', name: 'HTX', limit: [100, 100] }),
];
