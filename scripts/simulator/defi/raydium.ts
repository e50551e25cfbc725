/** Raydium: pool lists. https://api-v3.raydium.io/docs */
import { seedOf, unit } from '../noise.ts';
import type { Ask } from '../venue.ts';
import { count, source } from './source.ts';
import { at, moving, solana, type Token, tokens, tvlAt, uuid } from './world.ts';

/** Pools that there are. */
export const raydiumPools = 700;

const programs = {
  Concentrated: 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK',
  Standard: 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C',
} as const;

const mint = ({ symbol, name, address }: Token) => ({
  chainId: 101,
  address: solana(seedOf(0, address)),
  programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  logoURI: 'https://img-v1.raydium.io/icon/token.png',
  symbol,
  name,
  decimals: 6,
  tags: [],
  extensions: {},
});

function period(volume: number, tvl: number, price: number) {
  const [volumeFee, apr] = [volume * 0.0005, ((volume * 0.0005 * 365) / tvl) * 100];
  const reward = 5.0957196805847325;
  return {
    volume,
    volumeQuote: volume / price,
    volumeFee,
    apr: apr + reward,
    feeApr: apr,
    priceMin: price * 0.93,
    priceMax: price * 1.08,
    rewardApr: [reward],
  };
}

const config = (seed: number) => ({
  id: solana(seed + 2),
  index: 2,
  protocolFeeRate: 120_000,
  tradeFeeRate: 500,
  tickSpacing: 10,
  fundFeeRate: 40_000,
  defaultRange: 0.1,
  defaultRangePoint: [0.01, 0.05, 0.1, 0.2, 0.5],
});

function pool(world: number, rank: number, now: number) {
  const seed = seedOf(world, `raydium ${rank}`);
  const list = tokens(world);
  const type = rank % 3 === 0 ? 'Concentrated' : 'Standard';
  const [a, b] = [at(list, rank * 5 + 6), at(list, rank % 3)];
  const tvl = moving(seed, now, tvlAt(seed, rank), 0.01);
  const price = moving(seed + 1, now, a.price / b.price);
  const day = moving(seed + 2, now, tvl * 3 * unit(seed, 1), 0.1);
  return {
    type,
    programId: programs[type],
    id: solana(seed),
    mintA: mint(a),
    mintB: mint(b),
    rewardDefaultPoolInfos: 'Clmm',
    rewardDefaultInfos: [
      { mint: mint(b), perSecond: '827', startTime: '1729074600', endTime: '1735122600' },
    ],
    price,
    mintAmountA: tvl / 2 / a.price,
    mintAmountB: tvl / 2 / b.price,
    feeRate: 0.0005,
    openTime: '0',
    tvl: Number(tvl.toFixed(2)),
    day: period(day, tvl, price),
    week: period(day * 6.5, tvl, price),
    month: period(day * 28, tvl, price),
    pooltype: [],
    farmUpcomingCount: 0,
    farmOngoingCount: 1,
    farmFinishedCount: 0,
    config: config(seed),
    burnPercent: 0.03,
  };
}

const all = ({ model, now }: Ask) =>
  Array.from({ length: raydiumPools }, (_, rank) => pool(model.seed, rank, now));
const byVolume = (ask: Ask) => all(ask).sort((a, b) => b.day.volume - a.day.volume);
const success = (ask: Ask, data: unknown) => ({ id: uuid(ask.now), success: true, data });

/** `info/list`: refuses within a 200, as the source does. */
function list(ask: Ask) {
  if (!ask.query.has('poolType'))
    return { id: uuid(ask.now), success: false, msg: 'query poolType error' };
  const size = count(ask, 'pageSize', [100, 1000]);
  const from = (count(ask, 'page', [1, 1000]) - 1) * size;
  const data = byVolume(ask).slice(from, from + size);
  return success(ask, { count: raydiumPools, data, hasNextPage: from + size < raydiumPools });
}

const listV2 = (ask: Ask) =>
  success(ask, {
    data: byVolume(ask).slice(0, count(ask, 'size', [100, 1000])),
    nextPageId: uuid(1),
  });

/** `info/ids`: null for an id that is not known; `first` stands for the largest pool. */
function ids(ask: Ask) {
  const pools = new Map(all(ask).map((row) => [row.id, row]));
  const asked = (ask.query.get('ids') ?? '').split(',');
  return success(
    ask,
    asked.map((id) => (id === 'first' ? at(all(ask), 0) : (pools.get(id) ?? null))),
  );
}

export const raydium = source({
  id: 'raydium',
  hosts: ['api-v3.raydium.io'],
  most: 300,
  answers: [
    [/^\/pools\/info\/list$/, list],
    [/^\/pools\/info\/list-v2$/, listV2],
    [/^\/pools\/info\/ids$/, ids],
  ],
});
