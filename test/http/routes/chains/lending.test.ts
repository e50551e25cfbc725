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

t.test('by asset, protocol and chain, in any case', async (t) => {
  const { get, publish } = await defiStage(t);
  await publish('lending', 'lendingTvl');
  const { data } = await get('/v1/lending/rates');
  const pools: LendingPool[] = data.pools ?? [];
  for (const name of ['asset', 'protocol', 'chain'] as const) {
    const value = pools.at(-1)?.[name] ?? '';
    const expected = pools.filter((pool) => pool[name] === value);
    const found = (await get(`/v1/lending/rates?${name}=${value.toUpperCase()}`)).data;
    t.strictSame([found.pools, found.total], [expected, expected.length], `${name}=${value}`);
    t.ok(expected.length < pools.length, `${expected.length} of ${pools.length}`);
  }
  const overview = await get('/v1/lending/overview?asset=usdc');
  t.match(overview.data, { assets: [{ asset: 'USDC' }] });
  t.equal(Object(overview.data).assets.length, 1);
  for (const path of ['rates?asset', 'tvl?protocol', 'overview?asset'])
    t.equal((await get(`/v1/lending/${path}=nosuch`)).status, 404, path);
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
