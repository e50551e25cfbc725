/** Metrics of networks: a chart of each coin, with the licence; days that are too old are refused. */
import t from 'tap';
import { dateOf, dayAt, dayLength } from '../../../indicators/market/days.ts';
import { now } from './fixtures.ts';
import { marketStage } from './stage.ts';

const key = 'network-metrics/ETH';
const job = 'network-metrics-eth';

/** A day, so many days ago. */
const dayAgo = (count: number, mvrv = '1.5') => ({
  asset: 'eth',
  time: `${dateOf(dayAt(now) - count * dayLength)}T00:00:00.000000000Z`,
  PriceUSD: '3000',
  CapMrktCurUSD: '360000000000',
  SplyCur: '120000000',
  CapMVRVCur: mvrv,
  AdrActCnt: '500000',
  FlowInExUSD: '1000',
  FlowOutExUSD: '400',
  SplyExNtv: '10000000',
});

t.test('the newest day, its chart, and whose data they are', async (t) => {
  const stage = marketStage();
  stage.upstreams.set('coinmetrics', () => ({ data: [dayAgo(3), dayAgo(2)] }));
  const context = stage.begin();
  t.equal(await context.run(job), null);
  t.match(await stage.reading(key), {
    fields: {
      symbol: 'ETH',
      mvrv: 1.5,
      realised_price_usd: 2_000,
      exchange_netflow_usd: 600,
      attribution: 'Coin Metrics',
      licence: 'CC BY-NC 4.0',
    },
    source: 'coinmetrics',
    updated_at: dayAt(now) - dayLength,
  });
  t.match((await stage.chart(key))?.rows, [{ mvrv: 1.5 }, { realised_price_usd: 2_000 }]);
  t.equal((await stage.chart(key))?.recorded_from, null);
});

t.test('old days, days to come and values that cannot be are refused', async (t) => {
  const stage = marketStage();
  const context = stage.begin();
  for (const day of [dayAgo(11), dayAgo(-1), dayAgo(2, '51')]) {
    stage.upstreams.set('coinmetrics', () => ({ data: [day] }));
    t.match(await context.run(job), { code: 'shape' });
  }
  t.equal(await stage.reading(key), undefined);
});
