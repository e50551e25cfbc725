/** Liquidations over time, out of the recorded series. */
import { type Recorded, type RecordedRows, recordedKey } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { minute } from '../../../config/time.ts';
import {
  type LiquidationPoint,
  liquidationPoints,
} from '../../../indicators/derivatives/liquidation-history.ts';
import type { Route } from '../../endpoints/route.ts';
import { seriesParams, sixIntervals } from '../analytics/history-params.ts';
import { columns } from '../factory/columns.ts';
import { type Given, history, points, timestamp } from '../factory/history.ts';
import type { StepValues } from '../factory/market-subject.ts';
import { coverage, ofRecord, recordedSteps } from '../factory/recorded-subject.ts';
import {
  assetFor,
  exchangeOrAll,
  group,
  type LiquidationContext,
  sampledAmong,
  sampledExchanges,
} from './common.ts';

const exchangeIn = ({ key }: RecordedRows): string => key.split('/')[0] ?? '';

/** The requested minutes times the streams, and how many of them were received. */
function coverageOf(feeds: readonly RecordedRows[], own: Recorded | null | undefined, now: number) {
  const { rows = [], step = 0 } = own ?? {};
  const froms = feeds.map(({ coverage }) => coverage.from);
  const tos = feeds.map(({ coverage }) => coverage.to);
  const [from, to] = [Math.min(now, ...froms), Math.min(now, Math.max(0, ...tos) + step)];
  const heard = feeds.flatMap(({ columns }) => columns.heard_ms ?? []);
  const expected = Math.max(0, Math.round((to - from) / minute)) * feeds.length;
  const present = Math.round(heard.reduce<number>((sum, ms) => sum + (ms ?? 0), 0) / minute);
  return {
    from,
    to,
    expected,
    present,
    complete: present >= 0.95 * expected,
    backfilled: rows.some(({ coverage }) => coverage.backfilled),
  };
}

/** The sums of an asset, with the times at which the feeds of the exchanges were heard. */
const ofLiquidations = (context: LiquidationContext) =>
  ofRecord<StepValues, { symbol: string }>({
    series: 'liquidations',
    what: 'the liquidations',
    find({ symbol: given, exchange }) {
      const symbol = assetFor(context, exchange, given) ?? given;
      if (typeof symbol !== 'string') return symbol;
      const { liquidations } = context;
      const among = exchange === undefined ? liquidations.exchanges : [exchange];
      return {
        symbol,
        keys: among.map((id) => recordedKey(id, symbol)),
        also: [{ series: 'liquidation-feeds', keys: liquidations.streamsOf(exchange) }],
      };
    },
    range: recordedSteps,
  });

const sums = {
  long_usd: s.number('Of long positions, US dollars.'),
  short_usd: s.number('Of short positions, US dollars.'),
};
const point = columns<LiquidationPoint>()({
  timestamp,
  ...sums,
  total_usd: s.number('Of both, US dollars.'),
  order_count: s.integerOrNull('Null where sums of an exchange come without it.'),
  exchanges: s.mapOf(s.object(sums), 'exchange'),
});

export const liquidationHistoryRoutes = (context: LiquidationContext): Route[] =>
  history({
    path: '/v1/liquidations/aggregated-history',
    group,
    summary: 'Liquidations of an asset over time, of all exchanges and each',
    params: {
      ...seriesParams(sixIntervals, 100, 1000),
      exchange: exchangeOrAll(context.liquidations.exchanges),
    },
    of: ofLiquidations(context),
    head: columns<Given<'series', unknown, { exchange?: string | undefined }>>()({
      sampled_exchanges: [sampledExchanges, ({ values }) => sampledAmong(values.exchange)],
      coverage: [
        coverage,
        ({ replies: [own, feeds] }) => coverageOf(feeds?.rows ?? [], own, context.clock.now()),
      ],
    }),
    fold: ({ rows }, { values, replies: [, feeds] }) =>
      liquidationPoints(
        rows.map((row) => ({
          exchange: exchangeIn(row),
          times: row.times,
          long: row.columns.long_usd ?? [],
          short: row.columns.short_usd ?? [],
          count: row.columns.count ?? [],
        })),
        (feeds?.rows ?? []).map((row) => ({ exchange: exchangeIn(row), times: row.times })),
      ).slice(-values.limit),
    points: points(point, 'Ascending by time; none where no feed was heard.'),
  });
