/** Open interest of a perpetual over time, and the positions that takers opened and closed (specification 4.3 and 4.4). */
import { type InterestPoint, intervals } from '../../../actors/topics/index.ts';
import { positionsOf } from '../../../indicators/derivatives/position-history.ts';
import { apiError, kit, params, s } from '../kit.ts';

const point = kit.columns<ReturnType<typeof positionsOf>[number]>()({
  timestamp: kit.timestamp,
  open_interest_base: [s.number(), 'base'],
  net_long_change_base: [
    s.numberOrNull('Longs that takers opened less closed since the row before; null if unknown.'),
    'longChange',
  ],
  net_short_change_base: [s.numberOrNull('The same of shorts; null if unknown.'), 'shortChange'],
  net_long_base: [s.number('Sum of the changes of longs from the first point on.'), 'long'],
  net_short_base: [s.number('Sum of the changes of shorts from the first point on.'), 'short'],
  net_position_base: [s.number('Longs less shorts.'), ({ long, short }) => long - short],
  net_position_usd: [
    s.numberOrNull('Longs less shorts at the price of the open interest.'),
    ({ long, short, price }) => (price === null ? null : (long - short) * price),
  ],
  top_trader_net_ratio: [
    s.numberOrNull('Share of long less share of short positions of the largest accounts, -1 to 1.'),
    ({ top }) => (top ? top.long - top.short : null),
  ],
});

/** The first change is that since the row before the first point, which is asked for as well. */
function withOneBefore(asked: kit.MarketAsked, values: kit.StepValues) {
  const { interval, limit, from } = values;
  const first = from === undefined ? from : from - intervals[interval];
  return kit.stepsOf(asked, { ...values, from: first, limit: limit + 1 });
}

function netPositionRow(context: kit.MarketContext) {
  const { takerVolume = [], longShort = [] } = context.exchanges;
  const having = ['binance'].filter((id) => takerVolume.includes(id) && longShort.includes(id));
  return kit.history({
    path: '/v1/long-short-ratio/net-position',
    summary: 'Positions that takers opened and closed, from open interest and their volume',
    fails: ['not_enough_data'],
    params: params.seriesParams(params.sevenIntervals, 100, 500),
    of: kit.ofMarket(context, {
      names: ['openInterestHistory'],
      on: having,
      what: 'the open interest',
      params: withOneBefore,
      further(asked, values: kit.StepValues) {
        const { exchange: source } = asked;
        const steps = withOneBefore(asked, values);
        return {
          otherQueries: {
            takerVolume: [{ source, params: steps }],
            longShort: [{ source, params: { ...steps, of: 'top_positions' } }],
          },
        };
      },
    }),
    fold(interest, { values, otherReplies }) {
      const { takerVolume: [flows] = [], longShort: [tops] = [] } = otherReplies;
      if (!flows) return apiError('upstream_failed');
      if (interest.points.length < 2) {
        const message = `${values.exchange} has fewer than two rows of open interest for this`;
        return apiError('not_enough_data', message);
      }
      const { from = 0, limit } = values;
      return positionsOf(interest.points, flows.points, tops?.points)
        .filter(({ timestamp }) => timestamp >= from)
        .slice(-limit);
    },
    points: kit.points(point),
  });
}

const interestPoint = kit.columns<InterestPoint>()({
  timestamp: kit.timestamp,
  open_interest_base: [s.numberOrNull('One side.'), 'base'],
  open_interest_usd: [s.numberOrNull('One side, at the mark price; null without one.'), 'usd'],
});

const bybitRow = (context: kit.MarketContext) =>
  kit.history({
    path: '/v1/analytics/bybit/oi-history',
    summary: 'Open interest of a perpetual of Bybit over time',
    params: {
      ...params.seriesParams(params.sixIntervals, 50, 200),
      symbol: params.symbolRequired,
      interval: {
        type: 'string',
        required: true,
        enum: params.sixIntervals,
        description: 'Time between two points.',
        example: '1h',
      },
    },
    of: kit.ofMarket(context, {
      names: ['openInterestHistory'],
      on: 'bybit',
      what: 'the open interest',
      id: 'contract',
      params: kit.stepsOf,
    }),
    fold: ({ points }) => points,
    points: kit.points(interestPoint),
  });

export const netPositionRoutes = (context: kit.MarketContext) => [
  ...netPositionRow(context),
  ...bybitRow(context),
];
