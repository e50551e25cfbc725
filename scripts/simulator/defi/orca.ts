/** Orca: whirlpools, in both versions of the API. https://api.orca.so/docs */
import { plain } from '../format.ts';
import { seedOf, unit } from '../noise.ts';
import type { Ask } from '../venue.ts';
import { count, source } from './source.ts';
import { at, moving, solana, type Token, tokens, tvlAt } from './world.ts';

/** Pools that there are. */
export const whirlpools = 900;

const fees = [100, 400, 3000, 10_000];
const config = '2LecshUwdy9xi7meFgHtFJQNSKk4KdTrcpvaB56dP2NQ';

interface Pool {
  seed: number;
  a: Token;
  b: Token;
  fee: number;
  price: number;
  tvl: number;
  volume: number;
}

function pools({ model, now }: Ask): Pool[] {
  const list = tokens(model.seed);
  return Array.from({ length: whirlpools }, (_, rank) => {
    const seed = seedOf(model.seed, `orca ${rank}`);
    const [a, b] = [at(list, rank * 5 + 6), at(list, rank % 3)];
    const tvl = moving(seed, now, tvlAt(seed, rank), 0.01);
    const price = moving(seed + 1, now, a.price / b.price);
    return { seed, a, b, fee: at(fees, rank), price, tvl, volume: tvl * unit(seed, 1) };
  });
}

const mint = ({ address }: Token) => solana(seedOf(0, address));

const tokenV2 = (token: Token) => ({
  address: mint(token),
  programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  imageUrl: 'https://storage.googleapis.com/token-metadata/token.png',
  name: token.name,
  symbol: token.symbol,
  decimals: 9,
  tags: [],
});

const stats = ({ tvl, volume, fee }: Pool, days: number) => ({
  volume: plain(volume * days, 14),
  fees: plain((volume * days * fee) / 1e6, 18),
  rewards: '0',
  yieldOverTvl: plain((volume * days * fee) / 1e6 / tvl, 20),
});

const reward = (seed: number) => ({
  mint: solana(seed + 5),
  vault: solana(seed + 6),
  authority: solana(seed + 7),
  emissions_per_second_x64: '0',
  growth_global_x64: '17448826142094',
  active: false,
  emissionsPerSecond: '0',
});

/** What the contract itself holds. */
const account = ({ seed, a, b, fee }: Pool) => ({
  address: solana(seed),
  whirlpoolsConfig: config,
  whirlpoolBump: [255],
  tickSpacing: 1,
  tickSpacingSeed: [1, 0],
  feeRate: fee,
  protocolFeeRate: 1300,
  liquidity: '186407121447125800',
  sqrtPrice: '16817865661210768597',
  tickCurrentIndex: -1850,
  protocolFeeOwedA: '6910655',
  protocolFeeOwedB: '24192737',
  tokenMintA: mint(a),
  tokenVaultA: solana(seed + 3),
  feeGrowthGlobalA: '5856516601072098',
  tokenMintB: mint(b),
  tokenVaultB: solana(seed + 4),
  feeGrowthGlobalB: '5196269371031558',
});

function poolV2(pool: Pool, now: number) {
  const { seed, a, b, price, tvl } = pool;
  const time = new Date(now).toISOString();
  return {
    ...account(pool),
    rewardLastUpdatedTimestamp: time,
    updatedAt: time,
    updatedSlot: 340_839_232,
    writeVersion: 1_472_314_063_788,
    hasWarning: false,
    poolType: 'whirlpool',
    tokenA: tokenV2(a),
    tokenB: tokenV2(b),
    price: plain(price, 20),
    tvlUsdc: plain(tvl, 20),
    yieldOverTvl: stats(pool, 1).yieldOverTvl,
    tokenBalanceA: plain((tvl / 2 / a.price) * 1e9, 0),
    tokenBalanceB: plain((tvl / 2 / b.price) * 1e9, 0),
    stats: { '24h': stats(pool, 1), '7d': stats(pool, 7), '30d': stats(pool, 30) },
    rewards: [reward(seed)],
    lockedLiquidityPercent: [
      {
        name: 'Whirlpool-Locked',
        locked_percentage: '0.000000078',
        lockedPercentage: '0.000000078',
      },
    ],
    feeTierIndex: 1,
    adaptiveFeeEnabled: false,
    adaptiveFee: null,
    tradeEnableTimestamp: '1970-01-01T00:00:00Z',
  };
}

const byTvl = (ask: Ask) => pools(ask).sort((x, y) => y.tvl - x.tvl);

function listV2(ask: Ask) {
  const size = count(ask, 'size', [50, 1000]);
  const from = Number(ask.query.get('next') ?? 0) || 0;
  const data = byTvl(ask).slice(from, from + size);
  const next = from + size < whirlpools ? String(from + size) : null;
  return {
    data: data.map((pool) => poolV2(pool, ask.now)),
    meta: { cursor: { next, previous: null } },
  };
}

/** The pool named in the path, or the largest: this world has none of the real addresses. */
function oneV2(ask: Ask) {
  const all = byTvl(ask);
  const found = all.find(({ seed }) => ask.path.endsWith(solana(seed))) ?? at(all, 0);
  return { data: poolV2(found, ask.now), meta: { cursor: null } };
}

const tokenV1 = (token: Token) => ({
  mint: mint(token),
  symbol: token.symbol,
  name: token.name,
  decimals: 9,
  logoURI: 'https://assets.coingecko.com/coins/images/1/large/token.png',
  coingeckoId: 'token',
  whitelisted: true,
  poolToken: false,
});

const spans = <T>(make: (days: number) => T) => ({ day: make(1), week: make(7), month: make(30) });

function poolV1({ seed, a, b, fee, price, tvl, volume }: Pool, now: number) {
  const apr = (volume * fee * 365) / 1e6 / tvl;
  return {
    address: solana(seed),
    tokenA: tokenV1(a),
    tokenB: tokenV1(b),
    whitelisted: true,
    tickSpacing: 64,
    price,
    lpFeeRate: fee / 1e6,
    protocolFeeRate: 0.03,
    whirlpoolsConfig: config,
    modifiedTimeMs: now,
    tvl,
    volume: spans((days) => volume * days),
    volumeDenominatedA: spans((days) => (volume * days) / a.price),
    volumeDenominatedB: spans((days) => (volume * days) / b.price),
    priceRange: spans(() => ({ min: price * 0.95, max: price * 1.05 })),
    feeApr: spans(() => apr),
    reward0Apr: spans(() => 0),
    reward1Apr: spans(() => 0),
    reward2Apr: spans(() => 0),
    totalApr: spans(() => apr),
  };
}

const listV1 = (ask: Ask) => ({
  whirlpools: pools(ask).map((pool) => poolV1(pool, ask.now)),
  hasMore: false,
});

export const orca = source({
  id: 'orca',
  hosts: ['api.orca.so', 'api.mainnet.orca.so'],
  most: 300,
  answers: [
    [/^\/v2\/solana\/pools$/, listV2],
    [/^\/v2\/solana\/pools\/[^/]+$/, oneV2],
    [/^\/v1\/whirlpool\/list$/, listV1],
  ],
});
