/** What takers bought and sold at each price level of a bar: questions and rows. */
import {
  footprintKey,
  historySource,
  intervals,
  type SeriesParams,
} from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { minute } from '../../../config/time.ts';
import { stepAt } from '../../../indicators/market/buckets.ts';
import type { Route } from '../../endpoints/route.ts';
import { apiError, isApiError } from '../../wire/errors.ts';
import type { RoutesContext } from '../context.ts';
import { columns } from '../factory/columns.ts';
import { exchangeField, history, joined, symbolField, toAll } from '../factory/history.ts';
import * as params from '../params.ts';
import { group } from './common.ts';
import { type FootprintOf, footprintFields, footprintOf, type Kind } from './footprint-bars.ts';

/** Minutes of an answer, and of one question. */
const most = { minutes: 6_000, page: 900 };

type Context = Pick<RoutesContext, 'markets' | 'exchanges' | 'clock'>;
interface Market {
  market: string;
  kind: Kind;
}

/** The questions about the minutes of the bars: pages, the newest first. */
function pagesOf(of: Market, from: number, now: number): SeriesParams[] {
  const count = Math.ceil((now - from + 1) / (most.page * minute));
  return Array.from({ length: count }, (_, page) => {
    const start = from + (count - 1 - page) * most.page * minute;
    const limit = Math.min(most.page, Math.floor((now - start) / minute) + 1);
    const to = start + (limit - 1) * minute;
    return { ...of, interval: '1m', limit, from: start, to };
  });
}

/** The exchanges with footprints of a kind of market; of those with candles there are some of any asset and time. */
const exchangesOf = ({ exchanges }: Context, kind: Kind): string[] => {
  const { takerCandles = [], spotTrades = [], perpetualTrades = [] } = exchanges;
  return [...new Set([...takerCandles, ...(kind === 'spot' ? spotTrades : perpetualTrades)])];
};

/** The questions about the minutes of the bars: their trades, beside their candles where the exchange has them. */
function questionsOf(kind: Kind, { from, now, symbol, exchange, market, hasCandles }: FootprintOf) {
  const of = { market, kind };
  const to = stepAt(now, minute);
  const limit = (to - from) / minute + 1;
  const keys = [footprintKey(exchange, of)];
  const series = { series: 'footprint', keys, step: '1m', limit, from, to } as const;
  const trades = { source: historySource, params: series };
  if (!hasCandles) return { ...trades, name: 'series' as const };
  const pages = pagesOf(of, from, now).map((params) => ({ source: exchange, params }));
  const asked = toAll<'takerCandles'>(pages, symbol);
  if (isApiError(asked)) return asked;
  return { ...asked, name: 'takerCandles' as const, beside: { series: [trades] } };
}

const marketField = columns<{ values: { market: string } }>()({
  market: [s.string("The exchange's own id of the market."), ({ values }) => values.market],
});

const footprintRow = (
  context: Context,
  kind: Kind,
  { path, summary }: Pick<Route, 'path' | 'summary'>,
): Route[] => {
  const { markets, exchanges, clock } = context;
  const able = exchangesOf(context, kind);
  return history({
    path,
    group,
    summary,
    params: {
      symbol: params.asset(params.symbolOrBitcoin, markets, { kind, exchanges: params.chosen }),
      exchange: { ...params.exchange(able), default: able[0] ?? '' },
      interval: params.interval(['5m', '15m', '30m', '1h', '4h'], '1h'),
      limit: params.limit(10, 50, 'Newest bars.'),
      step: {
        type: 'number',
        minimum: 1e-12,
        description: 'Width of a level; about 0.05 % of the price when absent.',
      },
    },
    of: {
      names: ['series', 'takerCandles'],
      isAnswered: able.length > 0,
      fails: ['not_enough_data', 'upstream_failed'],
      resolve({ exchange, interval, limit }) {
        const length = intervals[interval];
        if ((limit * length) / minute > most.minutes) {
          const largest = Math.floor((most.minutes * minute) / length);
          return apiError('bad_parameter', `limit must be at most ${largest} bars of ${interval}`);
        }
        const now = clock.now();
        const hasCandles = exchanges.takerCandles?.includes(exchange) === true;
        return { hasCandles, now, from: stepAt(now, length) - (limit - 1) * length };
      },
      head: joined<{ values: FootprintOf }>(symbolField, exchangeField, marketField),
      what: ({ symbol, exchange }) => `the trades of ${symbol} on ${exchange}`,
      ask: (values) => questionsOf(kind, values),
    },
    fields: footprintFields,
    foldAll: (given) => footprintOf(given),
  });
};

/** Without an exchange that has trades or candles with what takers bought there is no row. */
export const footprintRoutes = (context: Context): Route[] => [
  ...footprintRow(context, 'perpetual', {
    path: '/v1/futures/footprint',
    summary: 'Bought and sold by takers at each price level of a bar, of a perpetual',
  }),
  ...footprintRow(context, 'spot', {
    path: '/v1/spot/footprint',
    summary: 'Bought and sold by takers at each price level of a bar, of a spot market',
  }),
];
