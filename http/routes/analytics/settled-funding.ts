/** Settled funding of one perpetual, as exchanges keep it (specification 4.3). */
import type { FundingPoint } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { hour } from '../../../config/time.ts';
import { annualRate, rateOf8Hours } from '../../../indicators/derivatives/funding.ts';
import type { Route } from '../../endpoints/route.ts';
import { columns } from '../factory/columns.ts';
import { history, points } from '../factory/history.ts';
import { type MarketContext, ofMarket, pointsOf } from '../factory/market-subject.ts';
import * as params from '../params.ts';
import { group } from './common.ts';

const timestamp = s.unixMs('When it was charged, Unix ms.');

const fundingPoint = columns<FundingPoint>()({
  timestamp,
  funding_rate: [s.number('Fraction of `interval_hours`.'), 'rate'],
  predicted_rate: [
    s.numberOrNull(
      'The rate expected before, a fraction of `interval_hours`; null where the exchange keeps none.',
    ),
    ({ predicted = null }) => predicted,
  ],
  funding_rate_8h: [
    s.numberOrNull('Fraction: the rate x 8 / `interval_hours`.'),
    ({ rate, hours }) => (hours === null ? null : rateOf8Hours(rate, hours)),
  ],
  interval_hours: [s.numberOrNull('Hours since the funding before.'), 'hours'],
});

const hourlyPoint = columns<FundingPoint>()({
  timestamp,
  funding_rate_1h: [s.number('Fraction of the hour.'), 'rate'],
  funding_rate_8h: [
    s.number('The same times eight, a fraction.'),
    ({ rate }) => rateOf8Hours(rate, 1),
  ],
  annualized: [s.number('Rate of 365 days, a fraction.'), ({ rate }) => annualRate(rate, 1)],
  premium: [s.numberOrNull('Fraction.'), ({ premium = null }) => premium],
});

const fundingOn = (context: MarketContext, on: string) =>
  ofMarket(context, {
    names: ['fundingHistory'],
    on,
    what: 'the funding history',
    id: 'contract',
    params: pointsOf,
  });

/** No exchange charges more often than by the hour. */
const fundingParams = (limit: number, maximum: number) => params.rangeParams(limit, maximum, hour);

const row = {
  group,
  fold: ({ points }: { points: readonly FundingPoint[] }) => points,
} as const;

export const settledFundingRoutes = (context: MarketContext): Route[] => [
  ...history({
    ...row,
    path: '/v1/analytics/okx/funding-history',
    summary: 'Settled funding of a perpetual of OKX',
    params: fundingParams(100, 400),
    of: fundingOn(context, 'okx'),
    points: points(fundingPoint),
  }),
  ...history({
    ...row,
    path: '/v1/analytics/bybit/funding-history',
    summary: 'Settled funding of a perpetual of Bybit',
    params: { ...fundingParams(50, 200), symbol: params.symbolRequired },
    of: fundingOn(context, 'bybit'),
    points: points(fundingPoint),
  }),
  ...history({
    ...row,
    path: '/v1/analytics/htx/funding-history',
    summary: 'Settled funding of a perpetual of HTX',
    params: fundingParams(100, 100),
    of: fundingOn(context, 'htx'),
    points: points(fundingPoint),
  }),
  ...history({
    ...row,
    path: '/v1/analytics/hyperliquid/funding-history',
    summary: 'Settled hourly funding of a perpetual of Hyperliquid',
    params: fundingParams(100, 500),
    of: fundingOn(context, 'hyperliquid'),
    head: columns<object>()({
      interval: [s.literal('1h', 'Between two points.'), () => '1h' as const],
    }),
    points: points(hourlyPoint),
  }),
];
