/** Lending markets and Uniswap's pools out of DefiLlama's yields. */
import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import { defillama } from '../../../actors/providers/defillama/index.ts';
import { poolAddress } from '../../../actors/providers/uniswap.ts';
import { body, context, now } from './bodies.ts';

const pools = body('llama-yields/pools');
const borrow = body('llama-yields/lend-borrow');

t.test('lending: units, joins, and rows that are left out', async (t) => {
  const { rows, dropped } = defillama.polls.lending.parse([pools, borrow], context);
  const common = { protocol: 'aave-v3', asset: 'USDC', updated_at: now };
  t.strictSame(
    rows.map((row) => [row.pool_id, row.chain, row.supply_apy, row.borrow_apy, row.utilization]),
    [
      ['pool-1', 'ethereum', 3, 5, 0.25],
      ['pool-2', 'optimism', 1.75, 5, 1],
      ['pool-3', 'ethereum', 4.5, 5, 0.25],
      ['pool-4', 'ethereum', 3, 0, 0.25],
      ['pool-10', 'ethereum', 3, 5, 0],
    ],
  );
  for (const row of rows) t.match(row, common);
  t.strictSame(
    rows.map((row) => row.reward_apy),
    [null, 0.25, null, null, null],
    'no reward is null',
  );
  t.strictSame(
    rows.map((row) => row.borrowable),
    [true, true, true, false, true],
  );
  t.strictSame(
    dropped.map(({ key }) => key),
    ['pool-9', 'pool-11'],
    'an unreadable rate, a negative TVL',
  );
});

t.test('lending: fields that a row does not state', async (t) => {
  const of = (row: object, borrow: object) => {
    const about = { pool: 'p', project: 'aave-v3', chain: 'Base', symbol: 'X', tvlUsd: 30 };
    const bodies = [{ data: [{ ...about, ...row }] }, [{ pool: 'p', ...borrow }]];
    const [found] = defillama.polls.lending.parse(bodies, context).rows;
    return found && [found.supply_apy, found.borrow_apy, found.utilization, found.reward_apy];
  };
  t.strictSame(
    of({}, { totalBorrowUsd: 10 }),
    [0, 0, 0.25, null],
    'supplied is the rest and what is lent',
  );
  t.strictSame(
    of({ apy: 4 }, { apyBaseBorrow: 5 }),
    [4, 5, 0, null],
    'the sum where no part is stated',
  );
  t.strictSame(of({ apy: 4, apyReward: 1 }, { apyBaseBorrow: 5 }), [1, 5, 0, 1]);
  t.strictSame(of({ apy: 4, apyBase: 3 }, { totalBorrowUsd: 9, totalSupplyUsd: 3 }), [
    3,
    0,
    1,
    null,
  ]);
  const nameless = [{ chain: '' }, { symbol: '' }].map((row) => of(row, { totalBorrowUsd: 1 }));
  t.strictSame(nameless, [undefined, undefined]);
  const outlier = (apy: number) => of({ apy, outlier: true }, { totalBorrowUsd: 1 })?.[0];
  t.equal(outlier(1000), 1000);
  t.throws(() => outlier(1001), { name: 'ShapeError' }, 'left out, so that there is none');
});

t.test('lending: the rate of a loan of another coin is not one of its collateral', async (t) => {
  const of = (borrow: object, row: object = { project: 'morpho-blue' }) => {
    const about = { pool: 'p', chain: 'Base', symbol: 'WSTETH', ...row };
    const data = [{ ...about, tvlUsd: 900, apy: 0, apyBase: 0 }];
    const loan = { pool: 'p', apyBaseBorrow: 7, totalSupplyUsd: 1000, totalBorrowUsd: 600 };
    const [found] = defillama.polls.lending.parse(
      [{ data }, [{ ...loan, ...borrow }]],
      context,
    ).rows;
    return found && [found.borrow_apy, found.utilization, found.borrowable, found.tvl_usd];
  };
  t.strictSame(of({ mintedCoin: 'USDC', borrowable: true }), [0, 0, false, 1000]);
  t.strictSame(of({ mintedCoin: 'USDC', totalSupplyUsd: null }), [0, 0, false, 900]);
  t.strictSame(of({ mintedCoin: 'wstETH' }), [7, 0.6, true, 900], 'as GHO at Aave');
  t.strictSame(of({ mintedCoin: null }), [7, 0.6, true, 900]);
  const named = (project: string, poolMeta: string) =>
    of({ mintedCoin: null }, { project, poolMeta });
  t.strictSame(named('jupiter-lend', 'wstETH/USDC'), [0, 0, false, 1000]);
  t.strictSame(named('silo-v2', 'USDC borrow'), [0, 0, false, 1000]);
  t.strictSame(named('silo-v2', 'id 12'), [7, 0.6, true, 900]);
  t.strictSame(named('aave-v3', 'USDC borrow'), [7, 0.6, true, 900]);
});

t.test('the origin has the same bodies at other paths', async (t) => {
  const { originLending: lending } = defillama.polls;
  t.strictSame(
    lending.requests({ now }).map(({ path }) => path),
    ['/yield-api/pools', '/yield-api/lendBorrow'],
  );
  t.strictSame(
    lending.parse([pools, borrow], context),
    defillama.polls.lending.parse([pools, borrow], context),
  );
});

t.test('bodies without a single market are refused', async (t) => {
  const { lending, uniswapPools } = defillama.polls;
  const others = { status: 'success', data: [{ project: 'lido', pool: 'x' }] };
  t.throws(() => lending.parse([others, borrow], context), ShapeError);
  t.throws(() => lending.parse([pools, []], context), ShapeError);
  t.throws(() => uniswapPools.parse([others], context), ShapeError);
});

t.test('Uniswap: contracts, tokens in their order, tiers', async (t) => {
  const { rows, dropped } = defillama.polls.uniswapPools.parse([pools], context);
  t.strictSame(
    rows.map(({ pool_id, token0, token1, fee_tier }) => [pool_id, token0, token1, fee_tier]),
    [
      // WETH-USDC in the wrong order; the addresses are those of the contracts on ethereum.
      ['0x8ad599c3A0ff1De082011EFDDc58f1908eb6e6D8', 'USDC', 'WETH', 3000],
      ['0xE0554a476A092703abdB3Ef35c80e0D76d32939F', '0xa0b8…eb48', '0xc02a…6cc2', 100],
      ['0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640', 'USDC', 'WETH', 500],
    ],
  );
  t.strictSame(
    rows.map(({ volume_usd }) => volume_usd),
    [77.5, 0, 77.5],
  );
  t.equal(dropped.length, 1, 'one without tokens');
});

t.test('Uniswap: the 200 largest, up to five billion dollars', async (t) => {
  const pool = (at: number, tvlUsd: number) => ({
    pool: `p${at}`,
    project: 'uniswap-v3',
    chain: 'Ethereum',
    poolMeta: '0.3%',
    tvlUsd,
    symbol: `A${at}-B`,
    volumeUsd1d: 1,
    underlyingTokens: [1, 2 + at].map((one) => `0x${one.toString(16).padStart(40, '0')}`),
  });
  const data = [
    pool(0, 5e9 + 1),
    pool(1, 5e9),
    ...Array.from({ length: 200 }, (_, at) => pool(at + 2, at)),
  ];
  const { rows } = defillama.polls.uniswapPools.parse([{ data }], context);
  const ends = [rows[0], rows.at(-1)].map((row) => row?.tvl_usd);
  t.strictSame([rows.length, ...ends], [200, 5e9, 1]);
});

t.test('an address does not depend on the order of the tokens', async (t) => {
  const [a, b] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`] as const;
  t.equal(poolAddress({ tokens: [a, b], fee: 100 }), poolAddress({ tokens: [b, a], fee: 100 }));
});
