/** What a contract cost above its index over time, as its exchange keeps it. */
import type { BasisPoint } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { basisPercent } from '../../../indicators/derivatives/basis.ts';
import type { Route } from '../../endpoints/route.ts';
import { isApiError } from '../../wire/errors.ts';
import { nineIntervals, seriesParams } from '../analytics/history-params.ts';
import { columns } from '../factory/columns.ts';
import { history, points, type Subject, timestamp } from '../factory/history.ts';
import {
  type MarketAsked,
  type MarketContext,
  ofMarket,
  type StepValues,
  stepsOf,
} from '../factory/market-subject.ts';

const point = columns<BasisPoint>()({
  timestamp,
  basis_percent: [
    s.numberOrNull('Mark over index, less 1, percent; null without an index.'),
    ({ mark, index }) => basisPercent(mark, index),
  ],
  mark_price: [
    s.numberOrNull('At the end of the interval, or now where it still runs, in quote.'),
    'mark',
  ],
  index_price: [
    s.numberOrNull('The same of the index, in quote; null where the exchange has no such candle.'),
    'index',
  ],
});

/** A perpetual by any name, or a dated future by one of its own. */
function ofContract(context: MarketContext): Subject<'basisHistory', StepValues, MarketAsked> {
  const { markets, exchanges } = context;
  const able = exchanges.basisHistory ?? [];
  const [first = ''] = able;
  const perpetual = ofMarket<'basisHistory', StepValues>(context, {
    names: ['basisHistory'],
    on: able,
    what: 'the basis',
    id: 'contract',
    params: stepsOf,
  });
  return {
    ...perpetual,
    ask(values) {
      const { exchange = first, symbol } = values;
      const named = markets.find(exchange, symbol);
      if (named?.kind !== 'future') return perpetual.ask(values);
      const found = perpetual.ask({ ...values, symbol: named.symbol });
      if (isApiError(found)) return found;
      const { market } = named;
      return {
        ...found,
        params: { ...found.params, market, kind: undefined },
        about: { ...found.about, market },
      };
    },
  };
}

export const basisHistoryRoute = (context: MarketContext): Route[] =>
  history({
    path: '/v1/futures/basis/history',
    group: 'Futures markets',
    summary: 'Mark, index and basis of a perpetual or a dated future over time',
    params: seriesParams(nineIntervals, 100, 500),
    of: ofContract(context),
    fold: (reply) => reply.points,
    points: points(point),
  });
