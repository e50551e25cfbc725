/** Settled funding of one perpetual, as exchanges keep it (specification 4.3). */
import type { FundingPoint } from '../../../actors/topics/index.ts';
import { hour } from '../../../config/time.ts';
import { annualRate, rateOf8Hours } from '../../../indicators/derivatives/funding.ts';
import { kit, params, s } from '../kit.ts';

const timestamp = s.unixMs('When it was charged.');

const fundingPoint = kit.columns<FundingPoint>()({
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

const hourlyPoint = kit.columns<FundingPoint>()({
  timestamp,
  funding_rate_1h: [s.number('Fraction of the hour.'), 'rate'],
  funding_rate_8h: [s.number('Hourly rate x 8, a fraction.'), ({ rate }) => rateOf8Hours(rate, 1)],
  annualized: [s.number('Rate of 365 days, a fraction.'), ({ rate }) => annualRate(rate, 1)],
  premium: [s.numberOrNull('Fraction.'), ({ premium = null }) => premium],
});

const fundingOn = (context: kit.MarketContext, on: string) =>
  kit.ofMarket(context, {
    names: ['fundingHistory'],
    on,
    what: 'the funding history',
    id: 'contract',
    params: kit.pointsOf,
  });

/** The rows of exchanges that state a rate with its hours. No exchange charges more often than by the hour. */
const rows = [
  { on: 'okx', name: 'OKX', symbol: params.symbolOrBitcoin, limits: [100, 400] },
  { on: 'bybit', name: 'Bybit', symbol: params.symbolRequired, limits: [50, 200] },
  { on: 'htx', name: 'HTX', symbol: params.symbolOrBitcoin, limits: [100, 100] },
] as const;

export const settledFundingRoutes = (context: kit.MarketContext) => [
  ...rows.flatMap(({ on, name, symbol, limits: [usual, most] }) =>
    kit.history({
      path: `/v1/analytics/${on}/funding-history`,
      summary: `Settled funding of a perpetual of ${name}`,
      params: { ...params.rangeParams(usual, most, hour), symbol },
      of: fundingOn(context, on),
      fold: (reply) => reply.points,
      points: kit.points(fundingPoint),
    }),
  ),
  ...kit.history({
    path: '/v1/analytics/hyperliquid/funding-history',
    summary: 'Settled hourly funding of a perpetual of Hyperliquid',
    params: params.rangeParams(100, 500, hour),
    of: fundingOn(context, 'hyperliquid'),
    head: kit.columns<object>()({
      interval: kit.constant('1h', 'Between two points.'),
    }),
    fold: (reply) => reply.points,
    points: kit.points(hourlyPoint),
  }),
];
