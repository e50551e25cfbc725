/** Settled funding of one perpetual, as exchanges keep it (specification 4.3). */
import type { FundingPoint } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { hour } from '../../../config/time.ts';
import { annualRate, rateOf8Hours } from '../../../indicators/derivatives/funding.ts';
import type { Route } from '../../endpoints/route.ts';
import { columns, constant } from '../factory/columns.ts';
import { history, points } from '../factory/history.ts';
import { type MarketContext, ofMarket, pointsOf } from '../factory/market-subject.ts';
import * as params from '../params.ts';
import { group } from './common.ts';

const timestamp = s.unixMs('When it was charged.');

const fundingPoint = columns<FundingPoint>()({
  timestamp,
  funding_rate: [s.number('Fraction of `interval_hours`.'), 'rate'],
  predicted_rate: [
    s.numberOrNull('Expected before, a fraction of `interval_hours`; null where none is kept.'),
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
  funding_rate_8h: [s.number('Hourly rate x 8, a fraction.'), ({ rate }) => rateOf8Hours(rate, 1)],
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

/** The rows of exchanges that state a rate with its hours. No exchange charges more often than by the hour. */
const rows = [
  { on: 'okx', name: 'OKX', symbol: params.symbolOrBitcoin, limits: [100, 400] },
  { on: 'bybit', name: 'Bybit', symbol: params.symbolRequired, limits: [50, 200] },
  { on: 'htx', name: 'HTX', symbol: params.symbolOrBitcoin, limits: [100, 100] },
] as const;

export const settledFundingRoutes = (context: MarketContext): Route[] => [
  ...rows.flatMap(({ on, name, symbol, limits: [usual, most] }) =>
    history({
      path: `/v1/analytics/${on}/funding-history`,
      group,
      summary: `Settled funding of a perpetual of ${name}`,
      params: { ...params.rangeParams(usual, most, hour), symbol },
      of: fundingOn(context, on),
      fold: (reply) => reply.points,
      points: points(fundingPoint),
    }),
  ),
  ...history({
    path: '/v1/analytics/hyperliquid/funding-history',
    group,
    summary: 'Settled hourly funding of a perpetual of Hyperliquid',
    params: params.rangeParams(100, 500, hour),
    of: fundingOn(context, 'hyperliquid'),
    head: columns<object>()({
      interval: constant('1h', 'Between two points.'),
    }),
    fold: (reply) => reply.points,
    points: points(hourlyPoint),
  }),
];
