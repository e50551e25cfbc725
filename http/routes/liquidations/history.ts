/** Liquidations over time, out of the recorded series. */
import { type Recorded, type RecordedRows, recordedKey } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { minute } from '../../../config/time.ts';
import { liquidationPoints } from '../../../indicators/derivatives/liquidation-history.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { isApiError } from '../../wire/errors.ts';
import { recordedQuestion, recordFields, recordOf } from '../analytics/recorded.ts';
import { seriesParams } from '../analytics/series.ts';
import {
  assetFor,
  common,
  exchangeOrAll,
  type LiquidationContext,
  sampledAmong,
} from './common.ts';

const sums = {
  long_usd: s.number('Of long positions, US dollars.'),
  short_usd: s.number('Of short positions, US dollars.'),
};
const answer = s.object({
  symbol: s.string('Base asset.'),
  interval: s.interval,
  count: s.integer('Intervals.'),
  points: s.list(
    s.object({
      timestamp: s.unixMs('Start of the interval, Unix ms.'),
      ...sums,
      total_usd: s.number('Of both, US dollars.'),
      order_count: s.integerOrNull('Null where sums of an exchange come without it.'),
      exchanges: s.mapOf(s.object(sums), 'exchange'),
    }),
    'Ascending by time; none where no feed was heard.',
  ),
  sampled_exchanges: s.list(
    s.string(),
    'Exchanges that tell of one liquidation a contract and second only: their sums are lower bounds.',
  ),
  ...recordFields,
  stale: s.stale,
});

const exchangeIn = ({ key }: RecordedRows): string => key.split('/')[0] ?? '';

/** The requested minutes times the streams, and how many of them were received. */
function coverageOf(feeds: readonly RecordedRows[], { rows, step }: Recorded, now: number) {
  const froms = feeds.map(({ coverage }) => coverage.from);
  const tos = feeds.map(({ coverage }) => coverage.to);
  const [from, to] = [Math.min(now, ...froms), Math.min(now, Math.max(0, ...tos) + step)];
  const heard = feeds.flatMap(({ columns }) => columns.heard_ms ?? []);
  const expected = Math.max(0, Math.round((to - from) / minute)) * feeds.length;
  const present = Math.round(heard.reduce<number>((sum, ms) => sum + (ms ?? 0), 0) / minute);
  return {
    ...{ from, to, expected, present },
    complete: present >= 0.95 * expected,
    backfilled: rows.some(({ coverage }) => coverage.backfilled),
  };
}

export const historyRoute = (context: LiquidationContext): Route =>
  route({
    ...common,
    path: '/v1/liquidations/aggregated-history',
    summary: 'Liquidations of an asset over time, of all exchanges and each',
    params: {
      ...seriesParams(['5m', '15m', '30m', '1h', '4h', '1d'], 100, 1000),
      exchange: exchangeOrAll(context.liquidations.exchanges),
    },
    answer,
    from: {
      query({ symbol: given, interval, limit, from, to, exchange }) {
        const symbol = assetFor(context, exchange, given) ?? given;
        if (typeof symbol === 'object' && isApiError(symbol)) return symbol;
        const { liquidations, clock } = context;
        const among = exchange === undefined ? liquidations.exchanges : [exchange];
        const range = { step: interval, limit, from, to };
        return recordedQuestion<s.Static<typeof answer>>({
          params: {
            series: 'liquidations',
            keys: among.map((id) => recordedKey(id, symbol)),
            ...range,
          },
          also: [{ series: 'liquidation-feeds', keys: liquidations.streamsOf(exchange), ...range }],
          what: `the liquidations of ${symbol}`,
          form: `liquidations ${symbol}`,
          data(reply, [feeds]) {
            const heard = feeds?.rows ?? [];
            const points = liquidationPoints(
              reply.rows.map((row) => ({
                exchange: exchangeIn(row),
                times: row.times,
                long: row.columns.long_usd ?? [],
                short: row.columns.short_usd ?? [],
                count: row.columns.count ?? [],
              })),
              heard.map((row) => ({ exchange: exchangeIn(row), times: row.times })),
            ).slice(-limit);
            return {
              ...{ symbol, interval, count: points.length, points },
              sampled_exchanges: sampledAmong(exchange),
              ...recordOf(reply, points.length),
              coverage: coverageOf(heard, reply, clock.now()),
            };
          },
        });
      },
    },
  });
