/** Positions opened and closed by takers (specification 4.4). */

import type {
  History,
  InterestPoint,
  LongShortPoint,
  TakerPoint,
} from '../../../actors/topics/index.ts';
import { intervals } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { buyShare, netPositions } from '../../../indicators/derivatives/order-flow.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { apiError, isApiError } from '../../wire/errors.ts';
import {
  askOf,
  type Context,
  common,
  exchangeOf,
  seriesOf,
  seriesParams,
  sevenIntervals,
} from './series.ts';

const answer = seriesOf(
  {
    open_interest_base: s.number('Base units.'),
    net_long_change_base: s.numberOrNull(
      'Longs that takers opened less those that they closed since the row before; null where that or their volume is missing.',
    ),
    net_short_change_base: s.numberOrNull('The same of shorts.'),
    net_long_base: s.number('Sum of the changes from the first point on.'),
    net_short_base: s.number('The same of shorts.'),
    net_position_base: s.number('Longs less shorts.'),
    net_position_usd: s.numberOrNull('The same at the price of the open interest.'),
    top_trader_net_ratio: s.numberOrNull(
      'Share of long less share of short positions of the largest accounts, -1 to 1.',
    ),
  },
  {},
);

const byTime = <P extends { timestamp: number }>(history: History<P>): ReadonlyMap<number, P> =>
  new Map(history.points.map((point) => [point.timestamp, point]));

/** Rows with a number of base units, and what is read from the takers of the same intervals. */
function pointsOf(
  interest: History<InterestPoint>,
  flows: History<TakerPoint>,
  tops: History<LongShortPoint> | null,
) {
  const [takers, shares] = [byTime(flows), tops && byTime(tops)];
  const known = interest.points.flatMap(({ timestamp, base, usd }) =>
    base === null ? [] : [{ timestamp, base, price: usd === null ? null : usd / base }],
  );
  const rows = known.map(({ timestamp, base }) => {
    const flow = takers.get(timestamp);
    return { interest: base, buyShare: flow ? buyShare(flow.buy_base, flow.sell_base) : null };
  });
  return netPositions(rows).flatMap(({ longChange, shortChange, long, short }, i) => {
    const row = known[i];
    if (row === undefined) return [];
    const share = shares?.get(row.timestamp);
    return [
      {
        timestamp: row.timestamp,
        open_interest_base: row.base,
        net_long_change_base: longChange,
        net_short_change_base: shortChange,
        net_long_base: long,
        net_short_base: short,
        net_position_base: long - short,
        net_position_usd: row.price === null ? null : (long - short) * row.price,
        top_trader_net_ratio: share ? share.long - share.short : null,
      },
    ];
  });
}

/** Without an exchange that has all three histories there is no row. */
export function netPositionRoutes({ markets, exchanges }: Context): Route[] {
  const { longShort = [], takerVolume = [], openInterestHistory = [] } = exchanges;
  const having = longShort.filter(
    (id) => takerVolume.includes(id) && openInterestHistory.includes(id),
  );
  const exchange = exchangeOf(['binance'], having);
  if (exchange.enum.length === 0) return [];
  const row = route({
    ...common,
    path: '/v1/long-short-ratio/net-position',
    fails: ['not_enough_data', 'upstream_failed'],
    summary: 'Positions that takers opened and closed, from open interest and their volume',
    params: { ...seriesParams(sevenIntervals, 100, 500), exchange },
    answer,
    from: {
      query(asked) {
        const { symbol, exchange: source, interval, limit } = asked;
        const found = markets.resolve(symbol, { kind: 'perpetual', exchanges: [source] });
        if (isApiError(found)) return found;
        // The first change is that since the row before the first point.
        const { from } = asked;
        const before = from === undefined ? {} : { from: from - intervals[interval] };
        const params = askOf(found.market, 'perpetual', { ...asked, ...before, limit: limit + 1 });
        return {
          source,
          name: 'openInterestHistory',
          params,
          beside: {
            takerVolume: [{ source, params }],
            longShort: [{ source, params: { ...params, of: 'top_positions' } }],
          },
          what: `the open interest of ${symbol} on ${source}`,
          form: `net ${found.symbol}`,
          data(interest, _, { takerVolume: [flows] = [], longShort: [tops] = [] }) {
            if (!flows) return apiError('upstream_failed');
            if (interest.points.length < 2) {
              const message = `${source} has fewer than two rows of open interest for this`;
              return apiError('not_enough_data', message);
            }
            const points = pointsOf(interest, flows, tops ?? null).slice(-limit);
            const head = { symbol: found.symbol, exchange: source, pair: interest.market };
            return { ...head, interval, count: points.length, points };
          },
        };
      },
    },
  });
  return [row];
}
