/** Lending rows through a real server. */
import t from 'tap';
import type { LendingPool } from '../../../../actors/topics/index.ts';
import { defiStage } from './stage.ts';

const paths = ['/v1/lending/rates', '/v1/lending/tvl', '/v1/lending/overview'] as const;

t.test('cold, served, stale', async (t) => {
  const { get, headers, publish, view, clock } = await defiStage(t);
  for (const path of paths) {
    t.match(await get(path), { status: 503, message: /no data yet/ });
    t.equal((await headers(path))['retry-after'], '5');
  }
  await publish('lending', 'lendingTvl');
  const received = clock.now();
  for (const path of paths)
    t.match(await get(path), { status: 200, data: { updated_at: received } });
  await clock.advance(15 * 60_000 + 1);
  view.expire(clock.now());
  for (const path of paths) t.match((await get(path)).data, { stale: true, updated_at: received });
});

t.test('rates: percent, shares, one row a pool', async (t) => {
  const { get, publish } = await defiStage(t);
  await publish('lending');
  const { data } = await get('/v1/lending/rates');
  const pools: LendingPool[] = data.pools ?? [];
  t.equal(data.total, pools.length);
  t.equal(new Set(pools.map(({ pool_id }) => pool_id)).size, pools.length);
  t.ok(pools.every(({ utilization }) => utilization >= 0 && utilization <= 1));
  const rates = pools.filter(({ tvl_usd }) => tvl_usd > 100_000).map((pool) => pool.borrow_apy);
  t.ok(
    rates.every((rate) => rate > 2 && rate < 10),
    'percent, as the simulated world has them',
  );
});
