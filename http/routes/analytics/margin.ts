/** Margin positions on Bitfinex over time. */
import * as s from '../../../actors/topics/schema.ts';
import { type MarginPoint, marginRatio } from '../../../indicators/market/margin.ts';
import type { Route } from '../../endpoints/route.ts';
import { columns } from '../factory/columns.ts';
import { history, points } from '../factory/history.ts';
import {
  type MarketContext,
  ofMarket,
  type StepValues,
  stepsOf,
} from '../factory/market-subject.ts';
import { group } from './common.ts';
import { seriesParams } from './history-params.ts';

const exchange = 'bitfinex';
const steps = ['1h', '2h', '4h', '6h', '12h', '1d'] as const;

const point = columns<MarginPoint>()({
  timestamp: s.unixMs('When this was held, Unix ms.'),
  long_size: s.number('Held long on margin, base units.'),
  short_size: s.number('Held short on margin, base units.'),
  long_short_ratio: [
    s.numberOrNull('Long over short; null where nothing is held short.'),
    marginRatio,
  ],
});

/** An asset stands for its pair with US dollars, in which most is held on margin. */
function ofPair(context: MarketContext) {
  const subject = ofMarket<'marginHistory', StepValues>(context, {
    names: ['marginHistory'],
    kind: 'spot',
    on: exchange,
    what: 'the margin positions',
    params: stepsOf,
  });
  return {
    ...subject,
    ask(values: StepValues) {
      const dollars = context.markets.find(exchange, `${values.symbol}/USD`, 'spot');
      return subject.ask(dollars ? { ...values, symbol: dollars.market } : values);
    },
  };
}

export const marginHistoryRoute = (context: MarketContext): Route[] =>
  history({
    path: '/v1/analytics/bitfinex/margin-history',
    group,
    summary: 'Margin positions on Bitfinex over time',
    params: seriesParams(steps, 100, 400),
    of: ofPair(context),
    fold: (reply) => reply.points,
    points: points(point),
  });
