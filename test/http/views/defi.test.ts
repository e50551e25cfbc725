import t from 'tap';
import type { DefiFigure, DefiReading, DefiRows } from '../../../actors/topics/index.ts';
import { Snapshot } from '../../../http/answers/snapshots.ts';
import { dexRoutes } from '../../../http/routes/dex.ts';
import { lendingRoutes } from '../../../http/routes/lending.ts';
import { DefiView } from '../../../http/views/defi.ts';
import type { ApiError } from '../../../http/wire/errors.ts';
import { now, pool } from '../../actors/defi/bodies.ts';

const minute = 60_000;

const reading = <F extends DefiFigure>(
  figure: F,
  rows: DefiRows[F][],
  received = now,
): DefiReading<F> => ({ figure, sources: ['a'], rows, received });

/** The answers of the rows that are made of a view, by the end of their path. */
const answersOf = (view: DefiView) => {
  const rows = [...dexRoutes({ defi: view }), ...lendingRoutes({ defi: view })];
  return (end: string, limit?: number) => {
    const from = rows.find(({ path }) => path.endsWith(end))?.from;
    return from && 'view' in from ? from.view({ limit }) : null;
  };
};

const dataOf = (found: Snapshot | ApiError | null) => {
  if (!(found instanceof Snapshot)) throw new Error(found?.message ?? 'no such row');
  return JSON.parse(found.dataText);
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

function open(leastTvl = 100_000) {
  const view = new DefiView({ leastTvl });
  return { view, answer: answersOf(view) };
}

t.test('lists: ready for every limit, built again when the rows change', async (t) => {
  const { view, answer } = open();
  let changes = 0;
  view.orca.source.listen(undefined, () => changes++);
  const rows = Array.from({ length: 500 }, (_, at) => whirlpool(500 - at));
  view.accept(reading('orca', rows), now);
  const first = answer('orca/pools', 3);
  t.strictSame(dataOf(first), {
    pools: [whirlpool(500), whirlpool(499), whirlpool(498)],
    count: 3,
    updated_at: now,
  });
  t.equal(answer('orca/pools', 3), first, 'the same bytes');
  t.equal(dataOf(answer('orca/pools', 500)).pools.length, 500);
  t.equal(answer('orca/pools', 500), answer('orca/pools', 500));
  view.accept(reading('orca', rows.slice(0, 2), now + minute), now + minute);
  t.strictSame(dataOf(answer('orca/pools', 3)).count, 2, 'no more than there are');
  view.accept(reading('orca', rows, now), now + minute);
  t.equal(dataOf(answer('orca/pools', 3)).count, 2, 'what is older is ignored');
  t.match(answer('raydium/pools', 3), { error: 'warming_up' }, 'the lists do not mix');
  t.equal(changes, 2);
});

t.test('what has not been renewed three times is stale, and says so', async (t) => {
  const { view, answer } = open();
  view.accept(reading('orca', [whirlpool(1)]), now);
  view.accept(reading('lending', [pool({})]), now);
  const fresh = answer('orca/pools', 1);
  view.expire(now + 3 * minute);
  t.equal(answer('orca/pools', 1), fresh);
  t.notOk('stale' in dataOf(fresh));
  view.expire(now + 3 * minute + 1);
  t.match(dataOf(answer('orca/pools', 1)), { stale: true, updated_at: now, count: 1 });
  t.not(answer('orca/pools', 1), fresh);
  t.notOk('stale' in dataOf(answer('rates')));
  view.expire(now + 15 * minute + 1);
  t.ok(dataOf(answer('rates')).stale && dataOf(answer('overview')).stale);
  view.accept(reading('orca', [whirlpool(1)], now + 15 * minute), now + 15 * minute);
  t.notOk('stale' in dataOf(answer('orca/pools', 1)));
  const late = open();
  late.view.expire(now);
  t.match(late.answer('orca/pools', 1), { error: 'warming_up' }, 'nothing to be stale');
  late.view.accept(reading('orca', [whirlpool(1)]), now + 60 * minute);
  t.ok(dataOf(late.answer('orca/pools', 1)).stale, 'of an earlier life');
});

t.test('lending: every pool counts, dust is never the best offer', async (t) => {
  const { view, answer } = open();
  const dust = pool({ pool_id: 'dust', supply_apy: 900, borrow_apy: 0.1, tvl_usd: 99_999 });
  const large = pool({ pool_id: 'large', tvl_usd: 2_000_000, supply_apy: 4 });
  view.accept(reading('lending', [dust, pool({}), large]), now);
  t.equal(dataOf(answer('rates')).total, 3);
  t.equal(dataOf(answer('overview')).assets[0].best_supply.pool_id, 'large');
  t.not(dataOf(answer('overview')).assets[0].best_borrow.pool_id, 'dust');
  const all = open(0);
  all.view.accept(reading('lending', [dust, large]), now);
  t.equal(dataOf(all.answer('overview')).assets[0].best_supply.pool_id, 'dust', 'as configured');
});

t.test('protocols and stablecoins', async (t) => {
  const { view, answer } = open();
  const protocol = (name: string, tvl_usd: number) => ({
    protocol: name,
    tvl_usd,
    chains: ['bsc'],
  });
  view.accept(reading('lendingTvl', [protocol('b', 2), protocol('a', 1)]), now);
  t.strictSame(dataOf(answer('tvl')), {
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
  t.strictSame(dataOf(answer('stablecoins')), { stablecoins: [coin], count: 1, updated_at: now });
});
