import t from 'tap';
import type { DefiFigure, DefiReading, DefiRows } from '../../../actors/topics/index.ts';
import type { Snapshot } from '../../../http/answers/snapshots.ts';
import { DefiView } from '../../../http/views/defi.ts';
import { now, pool } from '../../actors/defi/bodies.ts';

const minute = 60_000;

const reading = <F extends DefiFigure>(
  figure: F,
  rows: DefiRows[F][],
  received = now,
): DefiReading<F> => ({ figure, sources: ['a'], rows, received });

const dataOf = (found: Snapshot | null) => {
  if (found === null) throw new Error('no snapshot');
  return JSON.parse(found.at(now).toString()).data;
};

const whirlpool = (tvl: number): DefiRows['orca'] => ({
  address: `pool ${tvl}`,
  token_a: 'A',
  token_b: 'B',
  price: 1,
  tvl,
  volume_24h: 2,
  fee_rate: 0.003,
});

const open = () => new DefiView({ leastTvl: 100_000 });

t.test('lists: ready for every limit, built again when the rows change', async (t) => {
  const view = open();
  let changes = 0;
  view.orca.listen(1, () => changes++);
  const rows = Array.from({ length: 500 }, (_, at) => whirlpool(500 - at));
  view.accept(reading('orca', rows), now);
  const first = view.orca(3);
  t.strictSame(dataOf(first), {
    pools: [whirlpool(500), whirlpool(499), whirlpool(498)],
    count: 3,
    updated_at: now,
  });
  t.equal(view.orca(3), first, 'the same bytes');
  t.equal(dataOf(view.orca(500)).pools.length, 500);
  t.equal(view.orca(500), view.orca(500));
  view.accept(reading('orca', rows.slice(0, 2), now + minute), now + minute);
  t.strictSame(dataOf(view.orca(3)).count, 2, 'no more than there are');
  view.accept(reading('orca', rows, now), now + minute);
  t.equal(dataOf(view.orca(3)).count, 2, 'what is older is ignored');
  t.equal(view.raydium(3), null, 'the lists do not mix');
  t.equal(changes, 2);
});

t.test('what has not been renewed three times is stale, and says so', async (t) => {
  const view = open();
  view.accept(reading('orca', [whirlpool(1)]), now);
  view.accept(reading('lending', [pool({})]), now);
  const fresh = view.orca(1);
  view.expire(now + 3 * minute);
  t.equal(view.orca(1), fresh);
  t.notOk('stale' in dataOf(fresh));
  view.expire(now + 3 * minute + 1);
  t.match(dataOf(view.orca(1)), { stale: true, updated_at: now, count: 1 });
  t.not(view.orca(1)?.etag, fresh?.etag);
  t.notOk('stale' in dataOf(view.rates()));
  view.expire(now + 15 * minute + 1);
  t.ok(dataOf(view.rates()).stale && dataOf(view.overview()).stale);
  view.accept(reading('orca', [whirlpool(1)], now + 15 * minute), now + 15 * minute);
  t.notOk('stale' in dataOf(view.orca(1)));
  const late = open();
  late.expire(now);
  t.equal(late.orca(1), null, 'nothing to be stale');
  late.accept(reading('orca', [whirlpool(1)]), now + 60 * minute);
  t.ok(dataOf(late.orca(1)).stale, 'of an earlier life');
});

t.test('lending: every pool counts, dust is never the best offer', async (t) => {
  const view = open();
  const dust = pool({ pool_id: 'dust', supply_apy: 900, borrow_apy: 0.1, tvl_usd: 99_999 });
  const large = pool({ pool_id: 'large', tvl_usd: 2_000_000, supply_apy: 4 });
  view.accept(reading('lending', [dust, pool({}), large]), now);
  t.equal(dataOf(view.rates()).total, 3);
  t.equal(dataOf(view.overview()).assets[0].best_supply.pool_id, 'large');
  t.not(dataOf(view.overview()).assets[0].best_borrow.pool_id, 'dust');
  const all = new DefiView({ leastTvl: 0 });
  all.accept(reading('lending', [dust, large]), now);
  t.equal(dataOf(all.overview()).assets[0].best_supply.pool_id, 'dust', 'as configured');
});

t.test('protocols and stablecoins', async (t) => {
  const view = open();
  const protocol = (name: string, tvl_usd: number) => ({
    protocol: name,
    tvl_usd,
    chains: ['bsc'],
  });
  view.accept(reading('lendingTvl', [protocol('a', 1), protocol('b', 2)]), now);
  t.strictSame(dataOf(view.tvl()), {
    protocols: [protocol('b', 2), protocol('a', 1)],
    total_tvl_usd: 3,
    updated_at: now,
  });
  const coin = {
    name: 'Euro',
    symbol: 'EURX',
    peg_type: 'peggedEUR',
    circulating: 5.5,
    chains: ['Ethereum'],
  };
  view.accept(reading('stablecoins', [coin]), now);
  t.strictSame(dataOf(view.stablecoins()), { stablecoins: [coin], count: 1, updated_at: now });
});
