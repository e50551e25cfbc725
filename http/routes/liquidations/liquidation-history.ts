/** Liquidations over time, out of the recorded series. */
import { type Recorded, type RecordedRows, recordedKey } from '../../../actors/topics/index.ts';
import { minute } from '../../../config/time.ts';
import * as liquidationHistory from '../../../indicators/derivatives/liquidation-history.ts';
import { covered } from '../../../indicators/market/recorded.ts';
import { kit, params, s } from '../kit.ts';
import * as shared from './common.ts';

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
  const backfilled = rows.some(({ coverage }) => coverage.backfilled);
  return covered({ from, to, expected, present }, backfilled);
}

const sums = {
  long_usd: s.number('Liquidated long positions.'),
  short_usd: s.number('Liquidated short positions.'),
};
const point = kit.columns<liquidationHistory.LiquidationPoint>()({
  timestamp: kit.timestamp,
  ...sums,
  total_usd: s.number('Liquidated positions of both sides.'),
  order_count: s.integerOrNull('Null where sums of an exchange come without it.'),
  exchanges: s.mapOf(s.object(sums), 'exchange'),
});

/** The sums of an asset, with the times at which the feeds of the exchanges were heard. */
export const liquidationHistoryRoutes = (context: shared.LiquidationContext) => {
  const { liquidations, clock } = context;
  return kit.recorded({
    path: '/v1/liquidations/aggregated-history',
    summary: 'Liquidations of an asset over time, of all exchanges and each',
    params: {
      ...params.seriesParams(params.sixIntervals, 100, 1000),
      symbol: shared.listedAsset(params.symbolOrBitcoin, context),
      exchange: params.exchangeOrAll(liquidations.exchanges),
    },
    series: 'liquidations',
    what: 'the liquidations',
    keys({ symbol, exchange }) {
      const among = exchange === undefined ? liquidations.exchanges : [exchange];
      return among.map((id) => recordedKey(id, symbol));
    },
    otherSeries: ({ exchange }) => [
      { series: 'liquidation-feeds', keys: liquidations.streamsOf(exchange) },
    ],
    range: kit.recordedSteps,
    head: kit.columns<{
      values: { exchange?: string | undefined };
      replies: readonly (Recorded | null)[];
    }>()({
      sampled_exchanges: [
        shared.sampledExchanges,
        ({ values }) => shared.sampledAmong(values.exchange),
      ],
      coverage: [
        kit.coverage,
        ({ replies: [own, feeds] }) => coverageOf(feeds?.rows ?? [], own, clock.now()),
      ],
    }),
    fold: ({ rows }, { values }) =>
      liquidationHistory
        .liquidationPoints(
          rows.map((row) => ({
            exchange: exchangeIn(row),
            times: row.times,
            long: row.columns.long_usd ?? [],
            short: row.columns.short_usd ?? [],
            count: row.columns.count ?? [],
          })),
        )
        .slice(-values.limit),
    points: kit.points(point, 'Ascending by time; none where no feed was heard.'),
  });
};
