/** Margin positions on Bitfinex over time. */
import * as s from '../../../actors/topics/schema.ts';
import { type MarginPoint, marginRatio } from '../../../indicators/market/margin.ts';
import type { Route } from '../../endpoints/route.ts';
import { columns } from '../factory/columns.ts';
import { history, points } from '../factory/history.ts';
import { type MarketContext, ofMarket, stepsOf } from '../factory/market-subject.ts';
import * as params from '../params.ts';
import { group } from './common.ts';

const exchange = 'bitfinex';

const point = columns<MarginPoint>()({
  timestamp: s.unixMs('When this was held.'),
  long_size: s.number('Held long on margin, base units.'),
  short_size: s.number('Held short on margin, base units.'),
  long_short_ratio: [
    s.numberOrNull('Long over short; null where nothing is held short.'),
    marginRatio,
  ],
});

export const marginHistoryRoute = (context: MarketContext): Route[] =>
  history({
    path: '/v1/analytics/bitfinex/margin-history',
    group,
    summary: 'Margin positions on Bitfinex over time',
    params: params.seriesParams(['1h', '2h', '4h', '6h', '12h', '1d'], 100, 400),
    of: ofMarket(context, {
      names: ['marginHistory'],
      kind: 'spot',
      on: exchange,
      what: 'the margin positions',
      // Most is held on margin in the pair with US dollars.
      nameOf: (symbol) => context.markets.find(exchange, `${symbol}/USD`, 'spot')?.market ?? symbol,
      params: stepsOf,
    }),
    fold: (reply) => reply.points,
    points: points(point),
  });
