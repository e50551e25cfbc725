/** What is made of the recorded taker flow; of a step that lacks minutes the history answers null. */
import t from 'tap';
import { cvdAggregatedRoutes } from '../../../http/routes/analytics/cvd-aggregated.ts';
import { takerAggregatedRoutes } from '../../../http/routes/analytics/taker-aggregated.ts';
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

t.test('the delta of spot markets over exchanges, of the hours that are known', async (t) => {
  const clock = new FakeClock(now);
  const asked: object[] = [];
  const reply: Replies = ({ name, params }) => {
    asked.push({ name, ...params });
    return seriesReply('taker-flow', hour, Object(params).keys, {
      'binance/spot/BTC': {
        times,
        columns: { buy_usd: [70, 10, 90, null], sell_usd: [30, 40, 20, null] },
      },
      'okx/spot/BTC': {
        times,
        columns: { buy_usd: [null, 5, 6, null], sell_usd: [null, 2, 8, null] },
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
