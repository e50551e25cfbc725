/** The pools of solana: Raydium (https://api-v3.raydium.io/docs) and Orca (https://api.orca.so/docs). */
import { plain } from '../format.ts';
import { seedOf, unit } from '../noise.ts';
import type { Ask } from '../venue.ts';
import { count, source } from './source.ts';
import { at, moving, solana, type Token, tokens, tvlAt } from './world.ts';

interface Pool {
  seed: number;
  address: string;
  rank: number;
  a: Token;
  b: Token;
  /** Of one A in B. */
  price: number;
  /** US dollars. */
  tvl: number;
  /** US dollars a day. */
  volume: number;
}

/** So many pools of an exchange. */
function pools(exchange: string, length: number, { model, now }: Ask): Pool[] {
  const list = tokens(model.seed);
  return Array.from({ length }, (_, rank) => {
    const seed = seedOf(model.seed, `${exchange} ${rank}`);
    const [a, b] = [at(list, rank * 5 + 6), at(list, rank % 3)];
    const tvl = moving(seed, now, tvlAt(seed, rank), 0.01);
    return {
      seed,
      address: solana(seed),
      rank,
      a,
      b,
      tvl,
      price: moving(seed + 1, now, a.price / b.price),
      volume: moving(seed + 2, now, tvl * unit(seed, 1), 0.1),
    };
  });
}

const mint = ({ address }: Token) => solana(seedOf(0, address));

function raydiumRow({ address, rank, a, b, tvl, volume }: Pool) {
  const volumeFee = volume * 0.0005;
  return {
    type: rank % 3 === 0 ? 'Concentrated' : 'Standard',
    id: address,
    mintA: { address: mint(a), symbol: a.symbol },
    mintB: { address: mint(b), symbol: b.symbol },
    tvl: Number(tvl.toFixed(2)),
    day: { volume, volumeFee, apr: ((volumeFee * 365) / tvl) * 100 },
  };
}

/** The pools of the largest volume; without `poolType` the older path refuses within a 200, as the source does. */
const byVolume = (size: string, needs: string | null) => (ask: Ask) => {
  if (needs !== null && !ask.query.has(needs))
    return { success: false, msg: `query ${needs} error` };
  const all = pools('raydium', 700, ask).sort((x, y) => y.volume - x.volume);
  const data = all.slice(0, count(ask, size, [100, 1000]));
  return { success: true, data: { data: data.map(raydiumRow) } };
};

export const raydium = source('raydium', 'api-v3.raydium.io', {
  '/pools/info/list': byVolume('pageSize', 'poolType'),
  '/pools/info/list-v2': byVolume('size', null),
});

/** Hundredths of a basis point. */
const fees = [100, 400, 3000, 10_000];
const whirlpools = (ask: Ask) => pools('orca', 900, ask).sort((x, y) => y.tvl - x.tvl);

/** The second version states amounts as text. */
const orcaV2 = (ask: Ask) => ({
  data: whirlpools(ask)
    .slice(0, count(ask, 'size', [50, 1000]))
    .map(({ address, rank, a, b, price, tvl, volume }) => ({
      address,
      tokenMintA: mint(a),
      tokenMintB: mint(b),
      feeRate: at(fees, rank),
      tokenA: { symbol: a.symbol },
      tokenB: { symbol: b.symbol },
      price: plain(price, 20),
      tvlUsdc: plain(tvl, 20),
      stats: { '24h': { volume: plain(volume, 14) } },
    })),
});

/** The first version states all pools, fees as fractions. */
const orcaV1 = (ask: Ask) => ({
  whirlpools: whirlpools(ask).map(({ address, rank, a, b, price, tvl, volume }) => ({
    address,
    tokenA: { mint: mint(a), symbol: a.symbol },
    tokenB: { mint: mint(b), symbol: b.symbol },
    price,
    lpFeeRate: at(fees, rank) / 1e6,
    tvl,
    volume: { day: volume },
  })),
});

export const orca = source('orca', ['api.orca.so', 'api.mainnet.orca.so'], {
  '/v2/solana/pools': orcaV2,
  '/v1/whirlpool/list': orcaV1,
});
