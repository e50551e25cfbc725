/** DefiLlama: yields, borrow rates, protocols and stablecoins. https://api-docs.defillama.com */
import { lendingProtocols } from '../../../actors/providers/lending-protocols.ts';
import { dayAt, dayLength, daysFrom } from '../market/days.ts';
import { seedOf, unit, valueNoise } from '../noise.ts';
import type { Ask } from '../venue.ts';
import { source } from './source.ts';
import { at, moving, round, tokens, tvlAt, uuid } from './world.ts';

/** Markets in both bodies of the lending data. */
export const lendingMarkets = 700;

const chains = 'Ethereum,Base,Arbitrum,Polygon,BSC,OP Mainnet,Avalanche,Solana'.split(',');
const lent = 'USDC WETH USDT WBTC DAI LINK UNI USDE WSTETH CBBTC'.split(' ');
const tiers = ['0.05%', '0.3%', '0.01%', '1%'];

/** A market; one of ten is dust with impossible rates. */
function market(world: number, index: number, now: number) {
  const seed = seedOf(world, `market ${index}`);
  const dust = index % 10 === 9;
  const supplied = dust ? 20_000 : moving(seed, now, 10 * tvlAt(seed, index), 0.01);
  const used = dust ? 0.1 : 0.4 + 0.5 * unit(seed, 1);
  const apyBase = round((dust ? 900 : 2 + 6 * used) * used * 0.85);
  const apyReward = index % 5 === 0 ? round(unit(seed, 2)) : null;
  const row = {
    chain: at(chains, Math.floor(index / lendingProtocols.length)),
    project: at(lendingProtocols, index),
    symbol: at(lent, index),
    tvlUsd: Math.round(supplied * (1 - used)),
    apyBase,
    apyReward,
    apy: round(apyBase + (apyReward ?? 0)),
    pool: uuid(seed),
    exposure: 'single',
    poolMeta: null,
    outlier: false,
  };
  return { row, supplied, borrowed: supplied * used };
}

const markets = ({ model, now }: Ask) =>
  Array.from({ length: lendingMarkets }, (_, index) => market(model.seed, index, now));

/** A pool of two tokens, which it orders by address as the contracts do. */
function uniswapRow(world: number, rank: number, now: number) {
  const seed = seedOf(world, `uniswap ${rank}`);
  const list = tokens(world);
  const pair = [at(list, 4 + (rank % 75)), at(list, rank % 3)].sort((a, b) =>
    a.address < b.address ? -1 : 1,
  );
  const tvlUsd = Math.round(moving(seed, now, tvlAt(seed, rank), 0.01));
  return {
    chain: 'Ethereum',
    project: 'uniswap-v3',
    pool: uuid(seed),
    exposure: 'multi',
    tvlUsd,
    symbol: pair.map(({ symbol }) => symbol.toUpperCase()).join('-'),
    poolMeta: at(tiers, Math.floor(rank / 75)),
    outlier: false,
    underlyingTokens: pair.map(({ address }) => address),
    volumeUsd1d: tvlUsd * unit(seed, 1),
  };
}

/** `/pools`: the largest first. */
function pools(ask: Ask) {
  const uniswap = Array.from({ length: 300 }, (_, rank) =>
    uniswapRow(ask.model.seed, rank, ask.now),
  );
  const data = [...markets(ask).map(({ row }) => row), ...uniswap];
  return { status: 'success', data: data.sort((a, b) => b.tvlUsd - a.tvlUsd) };
}

/** `/lendBorrow`: a bare list. */
const lendBorrow = (ask: Ask) =>
  markets(ask).map(({ row, supplied, borrowed }) => ({
    pool: row.pool,
    apyBaseBorrow: round(2 + (6 * borrowed) / supplied),
    totalSupplyUsd: Math.round(supplied),
    totalBorrowUsd: Math.round(borrowed),
    borrowable: true,
  }));

/** `/protocols`: lending and one other. */
function protocols(ask: Ask) {
  const all = markets(ask);
  const lending = lendingProtocols.map((slug) => {
    const own = all.filter(({ row }) => row.project === slug);
    const tvl = own.reduce((sum, { row }) => sum + row.tvlUsd, 0) * 1.4;
    return { slug, tvl, chains: [...new Set(own.map(({ row }) => row.chain))] };
  });
  return [{ slug: 'lido', tvl: 3.2e10, chains: ['Ethereum'] }, ...lending];
}

const pegs = ['peggedUSD', 'peggedUSD', 'peggedUSD', 'peggedEUR', 'peggedVAR'];
const largest = [
  ['Tether', 'USDT'],
  ['USD Coin', 'USDC'],
  ['Ethena USDe', 'USDe'],
  ['EURC', 'EURC'],
];

/** Of 120 coins; each fortieth is gone. Amounts are US dollars, whatever the peg. */
const stablecoins = ({ model, now }: Ask) => ({
  peggedAssets: Array.from({ length: 120 }, (_, index) => {
    const peg = index < 3 ? 'peggedUSD' : at(pegs, index);
    const [name = `Stable ${index}`, symbol = `S${index}USD`] = largest[index] ?? [];
    const seed = seedOf(model.seed, `stablecoin ${index}`);
    const amount = moving(seed, now, 1.6e11 / (1 + index) ** 2, 0.0005);
    return {
      id: String(index + 1),
      name,
      symbol,
      pegType: peg,
      circulating: { [peg]: amount },
      circulatingPrevMonth: { [peg]: amount * 0.97 },
      chains: ['Ethereum', 'Tron', 'BSC'],
      ...(index % 40 === 39 && { delisted: true }),
    };
  }),
});

/** The first day of the history. */
const firstStablecoins = Date.UTC(2017, 10, 29);

/** `/stablecoincharts/all`: a row a day, within three per cent of what the list sums up to at rest. */
function stablecoinDays(ask: Ask) {
  const sums = new Map<string, number>();
  for (const { pegType, circulating } of stablecoins({ ...ask, now: 0 }).peggedAssets)
    sums.set(pegType, (sums.get(pegType) ?? 0) + (circulating[pegType] ?? 0));
  const own = seedOf(ask.model.seed, 'stablecoins');
  return daysFrom(firstStablecoins, dayAt(ask.now)).map((day) => {
    const part = 1 + 0.03 * valueNoise(own, day / dayLength / 45);
    const amounts = [...sums].map(([peg, dollars]) => [peg, round(dollars * part, 2)]);
    return { date: String(day / 1000), totalCirculatingUSD: Object.fromEntries(amounts) };
  });
}

export const llamaYields = source(
  'llama-yields',
  ['yields.llama.fi', 'defillama-datasets.llama.fi'],
  {
    '/pools': pools,
    '/yield-api/pools': pools,
    '/lendBorrow': lendBorrow,
    '/yield-api/lendBorrow': lendBorrow,
  },
);

export const llamaProtocols = source('llama-protocols', 'api.llama.fi', {
  '/protocols': protocols,
});

export const llamaStablecoins = source('llama-stablecoins', 'stablecoins.llama.fi', {
  '/stablecoins': stablecoins,
  '/stablecoincharts/all': stablecoinDays,
});
