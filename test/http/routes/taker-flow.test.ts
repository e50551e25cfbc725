/** What is made of the recorded taker flow: a sum counts only where it is of every minute of its step. */
import t from 'tap';
import { cvdAggregatedRoutes } from '../../../http/routes/analytics/cvd-aggregated.ts';
import { takerAggregatedRoutes } from '../../../http/routes/analytics/taker-aggregated.ts';
import { candlesOf } from '../../../http/routes/compute-series.ts';
import { FakeClock } from '../../support/clock.ts';
import { seriesReply } from '../../support/http-makers.ts';
import { now } from '../../support/makers.ts';
import { contextFor, views } from '../../support/route-stage.ts';
import { type Replies, rowReader } from '../../support/row-reader.ts';
import { sameRows } from '../../support/table.ts';

const hour = 3_600_000;
/** The start of the hour that runs. */
const last = now - (now % hour);
const times = [last - 3 * hour, last - 2 * hour, last - hour, last];

t.test('the delta of spot markets over exchanges, of whole hours that have ended', async (t) => {
  const clock = new FakeClock(now);
  const asked: object[] = [];
  const reply: Replies = ({ name, params }) => {
    asked.push({ name, ...params });
    return seriesReply('taker-flow', hour, Object(params).keys, {
      // Rows of earlier versions do not state their minutes.
      'binance/spot/BTC': {
        times,
        columns: {
          buy_usd: [70, 10, 90, 5],
          sell_usd: [30, 40, 20, 1],
          minutes: [null, 60, 60, 0],
        },
      },
      'okx/spot/BTC': {
        times,
        columns: { buy_usd: [8, 5, 6, 3], sell_usd: [1, 2, 8, 1], minutes: [55, 60, 60, 20] },
      },
    });
  };
  const context = { ...contextFor(views), clock };
  const rows = [...cvdAggregatedRoutes(context), ...takerAggregatedRoutes(context)];
  const read = rowReader(rows, { reply, clock });
  const data = await read('/v1/spot/cvd/aggregated?symbol=btc');
  t.match(asked, [
    {
      name: 'series',
      series: 'taker-flow',
      step: '1h',
      limit: 100,
      keys: ['binance/spot/BTC', 'okx/spot/BTC', 'bybit/spot/BTC'],
    },
  ]);
  t.match(data, { symbol: 'BTC', interval: '1h', count: 3 });
  sameRows(
    t,
    data.points.map(({ exchanges: _, ...point }: { exchanges: unknown }) => point),
  )`
    timestamp          delta_usd cvd_usd exchange_count
    ${last - 3 * hour} 40        40      1
    ${last - 2 * hour} -27       13      2 // -30 + 3
    ${last - hour}     68        81      2 // 70 - 2
  `;
  t.strictSame(data.points[1].exchanges, { binance: -30, okx: 3 });
  t.match(data.coverage_by_exchange, { okx: { present: 4 }, bybit: { present: 0 } });
  const sums = await read('/v1/spot/taker-buysell/aggregated?symbol=btc');
  sameRows(
    t,
    sums.points.map(({ exchanges: _, ...point }: { exchanges: unknown }) => point),
  )`
    timestamp          taker_buy_usd taker_sell_usd buy_ratio exchange_count
    ${last - 3 * hour} 70            30             0.7       1
    ${last - 2 * hour} 15            42             0.263157894737 2
    ${last - hour}     96            28             0.774193548387 2
  `;
  t.strictSame(sums.points[1].exchanges.okx, { taker_buy_usd: 5, taker_sell_usd: 2 });
  await read('/v1/futures/taker-buysell/aggregated');
  t.match(asked.at(-1), { keys: ['binance/perpetual/BTC', 'okx/perpetual/BTC'] });
  t.match(await read('/v1/spot/cvd/aggregated?symbol=NOSUCHCOIN'), {
    error: 'unknown_symbol',
    message: /NOSUCHCOIN/,
  });
});

t.test('indicators of a flow are computed without sums of a part of their step', async (t) => {
  const rowsOf = (kept: readonly number[], minutes: readonly (number | null)[]) => ({
    series: 'taker-flow' as const,
    step: hour,
    rows: [
      {
        key: 'okx/spot/BTC',
        times: kept.map((at) => times[at] ?? 0),
        columns: {
          buy_usd: kept.map((at) => 10 + at),
          minutes: kept.map((at) => minutes[at] ?? null),
        },
        coverage: { from: 0, to: 0, expected: 0, present: 0, complete: true, backfilled: false },
        recorded_from: 0,
      },
    ],
  });
  const all = candlesOf(rowsOf([0, 1, 2, 3], [60, 59, null, 20]), 'buy_usd', now);
  t.strictSame(all, candlesOf(rowsOf([0, 2], [60, 60, 60]), 'buy_usd', now));
});
