/** Pools of exchanges, pairs and stablecoins: our own bodies, in the specification's fields. */
import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import { dexscreener } from '../../../actors/providers/dexscreener.ts';
import { geckoterminal } from '../../../actors/providers/geckoterminal.ts';
import { orca } from '../../../actors/providers/orca.ts';
import { raydium } from '../../../actors/providers/raydium.ts';
import { readFault } from '../../../actors/upstream/faults.ts';
import { likeRows, sameRows } from '../../support/table.ts';
import { body, context } from './bodies.ts';

const alpha = `0x${'a1'.repeat(20)}`;

t.test('DexScreener: search', async (t) => {
  const { search } = dexscreener.queries;
  t.strictSame(search.request('a b'), {
    api: 'rest',
    path: '/latest/dex/search',
    query: { q: 'a b' },
  });
  const { rows, dropped } = search.parse(body('dexscreener/search'), 'alpha');
  sameRows(t, rows[0])`
    chain dex  base_token base_address quote_token price_usd volume_24h liquidity_usd fdv
    base  aero ALPHA      ${alpha}     BETA        1.25      1000.5     20_000.25     900_000

    pair_address url                                    price_change_5m price_change_1h price_change_24h
    0xp1         ${'https://dexscreener.com/base/0xp1'} 0               0               -3.5
  `;
  t.strictSame(
    rows.map((row) => row.pair_address),
    ['0xp1', '0xp2', '0xp5'],
    'the order is kept, the pair without a price left out, the second of one id too',
  );
  t.match(rows[1], { fdv: null, liquidity_usd: 0, volume_24h: 0, price_change_5m: null });
  t.equal(rows[1]?.price_change_24h, 0);
  t.equal(rows[2]?.base_token, '🚀'.repeat(64), 'a long symbol is cut between characters');
  t.equal(rows[2]?.quote_token, '<b>X</b>', 'control characters go, HTML is text');
  t.equal(rows[2]?.price_usd, 1.2345678e-10, 'no digit is lost');
  t.strictSame(
    dropped.map(({ key }) => key),
    ['base 0xp4', 'base 0xp6'],
    'a negative price, a link that is no link',
  );
});

t.test('DexScreener: token', async (t) => {
  const { token } = dexscreener.queries;
  t.equal(token.request('0x1::a::B').path, '/latest/dex/tokens/0x1%3A%3Aa%3A%3AB');
  const { rows } = token.parse(body('dexscreener/token'), alpha);
  t.strictSame(
    rows.map((row) => row.pair_address),
    ['0xp1', '0xq'],
    'pairs that do not hold the token are left out',
  );
  t.strictSame(token.parse({ schemaVersion: '1.0.0', pairs: null }, alpha).rows, []);
  t.throws(() => token.parse({ schemaVersion: '1.0.0' }, alpha), ShapeError);
});

t.test('GeckoTerminal: Uniswap pools', async (t) => {
  const { uniswapPools } = geckoterminal.polls;
  t.equal(uniswapPools.requests({ now: 0 }).length, 5);
  const page = body('geckoterminal/uniswap-pools');
  const { rows, dropped } = uniswapPools.parse([page, page], context);
  t.strictSame(rows, [
    {
      pool_id: `0x${'11'.repeat(20)}`,
      token0: 'ALPHA',
      token1: 'BETA',
      fee_tier: 500,
      tvl_usd: 100.5,
      volume_usd: 5.5,
    },
    {
      pool_id: `0x${'12'.repeat(20)}`,
      token0: 'ALPHA',
      token1: 'BETA',
      fee_tier: 10_000,
      tvl_usd: 300,
      volume_usd: 5.5,
    },
  ]);
  t.equal(dropped.length, 4, 'without a fee and without a TVL, on both pages');
  const text = JSON.stringify(page);
  const imitated = JSON.parse(text.replaceAll('"100.5"', '"5000000001"'));
  t.strictSame(
    uniswapPools.parse([imitated], context).rows.map(({ tvl_usd }) => tvl_usd),
    [300],
    'a pool of more than five billion dollars',
  );
});

t.test('GeckoTerminal: pools that do not hold the token are left out', async (t) => {
  const { search, token } = geckoterminal.queries;
  const pool = (base: string, quote: string, network = 'eth', address = `0x${base}${quote}`) => ({
    id: `${network}_${address}`,
    attributes: { address, name: 'A / B 0.3%', base_token_price_usd: '1', reserve_in_usd: '2' },
    relationships: {
      base_token: { data: { id: `${network}_${base}` } },
      quote_token: { data: { id: `${network}_${quote}` } },
      dex: { data: { id: 'uniswap_v3' } },
    },
  });
  const { relationships, ...other } = pool('x', 'z');
  const nowhere = { ...relationships, base_token: { data: { id: `_${alpha}` } } };
  const upper = alpha.toUpperCase().replace('0X', '0x');
  const data = [pool(alpha, 'x'), pool('x', upper), pool('x', 'y')];
  const found = { data: [...data, { ...other, relationships: nowhere }] };
  t.equal(search.parse(found, alpha).rows.length, 3);
  t.strictSame(
    token.parse(found, alpha).rows.map((row) => row.base_address),
    [alpha, 'x'],
  );
  const [ton, sui] = ['EQAlpha_Beta-Gamma_1', '0xa1::my_coin::MY_COIN'];
  const underscored = [
    pool(ton, 'EQ_x', 'ton', 'EQ_Pool_1'),
    pool('0xa1::a::A_1', sui, 'sui-network', '0xa1'),
    pool(alpha, 'x', 'polygon_pos'),
  ];
  const held = [ton, sui, alpha].flatMap((asked) => token.parse({ data: underscored }, asked).rows);
  likeRows(t, held)`
    chain   base_address         pair_address
    ton     EQAlpha_Beta-Gamma_1 EQ_Pool_1
    sui     0xa1::a::A_1         0xa1
    polygon ${alpha}             ${`0x${alpha}x`}
  `;
  t.strictSame(token.request(alpha), search.request(alpha));
});

t.test('Raydium', async (t) => {
  const { pools, poolsV2 } = raydium.polls;
  const { rows, dropped } = pools.parse([body('raydium/pools')], context);
  sameRows(t, rows[0])`
    pool_id pool_type mint_a mint_b symbol_a symbol_b tvl    volume_24h fee_24h apr_24h
    Pool1   Standard  MintA  MintB  AAA      BBB      1000.5 100        0.25    12.5
  `;
  t.notOk(rows[1] && 'symbol_a' in rows[1], 'an empty symbol is no symbol');
  t.strictSame(
    rows.map((row) => row.pool_id),
    ['Pool1', 'Pool3', 'Pool2'],
  );
  t.strictSame(
    dropped.map(({ key }) => key),
    ['Pool4', ''],
  );
  t.strictSame(poolsV2.parse([body('raydium/pools')], context).rows, rows);
  const fault = (status: number, body: unknown) => readFault(raydium.apis.rest, status, body);
  t.equal(fault(200, body('raydium/no-success'))?.code, 'refused');
  t.equal(fault(200, body('raydium/pools')), null);
});

t.test('Orca', async (t) => {
  const { pools, poolsV1 } = orca.polls;
  const { rows, dropped } = pools.parse([body('orca/pools')], context);
  const common = { token_a: 'MintA', token_b: 'MintB', price: 0.5, symbol_b: 'BBB' };
  t.strictSame(rows, [
    {
      ...common,
      address: 'Whirl1',
      tvl: 1000.25,
      volume_24h: 12.5,
      fee_rate: 0.0004,
      symbol_a: 'AAA',
    },
    { ...common, address: 'Whirl3', tvl: 3000.25, volume_24h: 0, fee_rate: 0.003 },
    { ...common, address: 'Whirl2', tvl: 0, volume_24h: 12.5, fee_rate: 0.0004, symbol_a: 'AAA' },
  ]);
  t.strictSame(
    dropped.map(({ key }) => key),
    ['Whirl5'],
    'a fee of twice the trade; without a price it is left out',
  );
  const old = poolsV1.parse([body('orca/pools-v1')], context).rows;
  t.strictSame(
    old.map(({ address, fee_rate, volume_24h }) => [address, fee_rate, volume_24h]),
    [
      ['Whirl3', 0.003, 12.5],
      ['Whirl2', 0.003, 0],
      ['Whirl1', 0.003, 12.5],
    ],
  );
});

/** Fields that the sources leave out or state as null: what stands for them. */
t.test('fields that a row does not state', async (t) => {
  const coin = (symbol: string) => ({ address: `0x${symbol}`, symbol });
  const pair = {
    chainId: 'base',
    dexId: 'd',
    pairAddress: '0x1',
    url: 'https://dexscreener.com/a',
    priceUsd: '2',
    baseToken: coin('A'),
    quoteToken: coin('B'),
  };
  const bare = { volume_24h: 0, liquidity_usd: 0, fdv: null };
  const [none, some] = dexscreener.queries.search.parse(
    { pairs: [pair, { ...pair, pairAddress: '0x2', priceChange: { h24: -1 } }] },
    'A',
  ).rows;
  t.match(none, { ...bare, price_change_5m: null, price_change_1h: null });
  t.match(some, { ...bare, price_change_5m: 0, price_change_1h: 0, price_change_24h: -1 });
  const related = (id: string) => ({ data: { id } });
  const attributes = { name: 'A / B 0.05%', address: alpha, base_token_price_usd: '2' };
  const relationships = {
    dex: related('uniswap_v3'),
    base_token: related('eth_0xA'),
    quote_token: related('eth_0xB'),
  };
  const data = [{ id: `eth_${alpha}`, attributes, relationships }];
  t.match(geckoterminal.queries.search.parse({ data }, 'A').rows, [
    { ...bare, price_change_5m: null, price_change_1h: null, price_change_24h: 0 },
  ]);
  const empty = { tvl: 0, volume_24h: 0, fee_rate: 0.003 };
  const pool = { address: 'W', price: '1', tokenMintA: 'A', tokenMintB: 'B', feeRate: 3000 };
  t.match(orca.polls.pools.parse([{ data: [pool] }], context).rows, [empty]);
  const old = { ...pool, tokenA: { mint: 'A' }, tokenB: { mint: 'B' }, lpFeeRate: 0.003 };
  t.match(orca.polls.poolsV1.parse([{ whirlpools: [old] }], context).rows, [empty]);
  const many = Array.from({ length: 601 }, (_, at) => ({
    ...old,
    address: `W${at}`,
    lpFeeRate: 1,
  }));
  t.equal(orca.polls.poolsV1.parse([{ whirlpools: many }], context).rows.length, 600);
});
