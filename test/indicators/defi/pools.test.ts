import t from 'tap';
import {
  descending,
  lendingOverview,
  lendingTvl,
  tvlOfPools,
} from '../../../indicators/defi/pools.ts';
import { pool } from '../../actors/defi/bodies.ts';
import { sameRows } from '../../support/table.ts';

t.test('the largest first, equals by id, the input as it was', async (t) => {
  const rows = ['c1', 'b3', 'd2', 'a3'].map((id) => ({ id, size: Number(id[1]) }));
  const ids = (list: typeof rows) => list.map(({ id }) => id).join(' ');
  t.equal(ids(descending(rows, 'size', 'id')), 'a3 b3 d2 c1');
  t.equal(ids(rows), 'c1 b3 d2 a3');
});

t.test('TVL: by protocol, and out of pools', async (t) => {
  const found = tvlOfPools([
    pool({ tvl_usd: 1.5 }),
    pool({ tvl_usd: 2, chain: 'base' }),
    pool({ tvl_usd: 0.25, chain: 'base' }),
    pool({ protocol: 'save', chain: 'solana', tvl_usd: 10 }),
  ]);
  t.strictSame(lendingTvl(found), {
    protocols: [
      { protocol: 'aave-v3', tvl_usd: 3.75, chains: ['ethereum', 'base'] },
      { protocol: 'save', tvl_usd: 10, chains: ['solana'] },
    ],
    total_tvl_usd: 13.75,
  });
  t.strictSame(lendingTvl([]), { protocols: [], total_tvl_usd: 0 });
});

t.test('overview: collateral that earns nothing is no offer to suppliers', async (t) => {
  const lent = pool({ pool_id: 'lent', supply_apy: 2, borrow_apy: 4 });
  const held = pool({ pool_id: 'held', supply_apy: 0, borrow_apy: 0, borrowable: false });
  const staked = pool({ pool_id: 'staked', supply_apy: 3, borrow_apy: 0, borrowable: false });
  const unused = pool({ pool_id: 'unused', supply_apy: 0, borrow_apy: 1 });
  t.equal(lendingOverview([lent, held]).assets[0]?.avg_supply_apy, 2);
  t.equal(lendingOverview([lent, held, staked]).assets[0]?.avg_supply_apy, 2.5);
  t.equal(lendingOverview([lent, unused]).assets[0]?.avg_supply_apy, 1);
});

t.test('overview: dust never wins and moves no average', async (t) => {
  const [good, better] = [
    pool({ pool_id: 'good', supply_apy: 2, borrow_apy: 4, tvl_usd: 100_000 }),
    pool({ pool_id: 'better', supply_apy: 3, borrow_apy: 6, tvl_usd: 300_000 }),
  ];
  const dust = pool({ pool_id: 'dust', supply_apy: 900, borrow_apy: 0.01, tvl_usd: 99_999 });
  const { assets } = lendingOverview([dust, good, better]);
  sameRows(t, assets)`
    asset best_supply best_borrow avg_supply_apy avg_borrow_apy total_tvl
    USDC  ${better}   ${good}     2.5            5              499_999
  `;
  t.equal(
    lendingOverview([dust, good], 0).assets[0]?.best_supply.pool_id,
    'dust',
    'the floor is a setting',
  );
  t.strictSame(lendingOverview([dust]).assets, [], 'an asset of dust alone has no best pool');
});

t.test('overview: assets lent at zero, and assets that are not lent', async (t) => {
  const idle = pool({ pool_id: 'idle', borrow_apy: 0, utilization: 0 });
  const closed = pool({ pool_id: 'closed', borrow_apy: 0, borrowable: false, supply_apy: 9 });
  const open = pool({ pool_id: 'open', borrow_apy: 7 });
  const [asset] = lendingOverview([closed, idle, open]).assets;
  t.equal(asset?.best_borrow.pool_id, 'open', 'a rate that is charged');
  t.equal(asset?.best_supply.pool_id, 'closed');
  t.equal(asset?.avg_borrow_apy, 3.5, 'over the two that lend');
  t.equal(
    lendingOverview([idle]).assets[0]?.best_borrow.pool_id,
    'idle',
    'of zero, where there is no other',
  );
  t.strictSame(lendingOverview([closed]).assets, []);
});

t.test('overview: of equal rates the larger pool, assets by size', async (t) => {
  const { assets } = lendingOverview([
    pool({ pool_id: 'small' }),
    pool({ pool_id: 'large', tvl_usd: 5_000_000 }),
    pool({ pool_id: 'eth', asset: 'WETH', tvl_usd: 9_000_000 }),
  ]);
  t.strictSame(
    assets.map(({ asset, best_supply, best_borrow }) => [
      asset,
      best_supply.pool_id,
      best_borrow.pool_id,
    ]),
    [
      ['WETH', 'eth', 'eth'],
      ['USDC', 'large', 'large'],
    ],
  );
});
