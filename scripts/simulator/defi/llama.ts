/** DefiLlama: yields, borrow rates, protocols and stablecoins. https://api-docs.defillama.com */
import { lendingProtocols } from '../../../actors/providers/lending-protocols.ts';
import { seedOf, unit } from '../noise.ts';
import type { Ask } from '../venue.ts';
import { source } from './source.ts';
import { at, moving, round, tokens, tvlAt, uuid } from './world.ts';

/** Markets in both bodies of the lending data. */
export const lendingMarkets = 700;
/** Uniswap v3 pools on ethereum. */
export const uniswapPools = 300;
/** Coins of which something circulates. */
export const stablecoinCount = 120;

const chains = [
  'Ethereum',
  'Base',
  'Arbitrum',
  'Polygon',
  'BSC',
  'OP Mainnet',
  'Avalanche',
  'Solana',
];
const lentSymbols = [
  'USDC',
  'WETH',
  'USDT',
  'WBTC',
  'DAI',
  'LINK',
  'UNI',
  'USDE',
  'WSTETH',
  'CBBTC',
];
const tiers = ['0.05%', '0.3%', '0.01%', '1%'];

interface Yield {
  chain: string;
  project: string;
  symbol: string;
  tvlUsd: number;
  apyBase: number | null;
  apyReward: number | null;
}

/** A row of `/pools` with what is the same in most. */
const yieldRow = (seed: number, row: Yield) => ({
  ...row,
  apy: round((row.apyBase ?? 0) + (row.apyReward ?? 0)),
  rewardTokens: row.apyReward === null ? null : ['0xc00e94cb662c3520282e6f5717214004a7f26888'],
  pool: uuid(seed),
  apyPct1D: -0.04,
  apyPct7D: -0.056,
  apyPct30D: null,
  stablecoin: false,
  ilRisk: 'no',
  exposure: 'single',
  predictions: { predictedClass: 'Stable/Up', predictedProbability: 74, binnedConfidence: 2 },
  poolMeta: null,
  mu: 3.7747,
  sigma: 0.05236,
  count: 1141,
  outlier: false,
  underlyingTokens: ['0x0000000000000000000000000000000000000000'],
  il7d: null,
  apyBase7d: null,
  apyMean30d: round(row.apyBase ?? 0),
  volumeUsd1d: null,
  volumeUsd7d: null,
  apyBaseInception: null,
});

const staked = (now: number) =>
  yieldRow(1, {
    chain: 'Ethereum',
    project: 'lido',
    symbol: 'STETH',
    tvlUsd: Math.round(moving(1, now, 3.2e10, 0.001)),
    apyBase: 2.84,
    apyReward: null,
  });

interface Market {
  row: ReturnType<typeof yieldRow>;
  /** US dollars. */
  supplied: number;
  borrowed: number;
}

/** A market; one of ten is dust with impossible rates. */
function market(world: number, index: number, now: number): Market {
  const seed = seedOf(world, `market ${index}`);
  const dust = index % 10 === 9;
  const supplied = dust ? 20_000 : moving(seed, now, 10 * tvlAt(seed, index), 0.01);
  const used = dust ? 0.1 : 0.4 + 0.5 * unit(seed, 1);
  const rate = dust ? 900 : 2 + 6 * used;
  const row = yieldRow(seed, {
    chain: at(chains, Math.floor(index / lendingProtocols.length)),
    project: at(lendingProtocols, index),
    symbol: at(lentSymbols, index),
    tvlUsd: Math.round(supplied * (1 - used)),
    apyBase: round(rate * used * 0.85),
    apyReward: index % 5 === 0 ? round(unit(seed, 2)) : null,
  });
  return { row, supplied, borrowed: supplied * used };
}

const markets = ({ model, now }: Ask) =>
  Array.from({ length: lendingMarkets }, (_, index) => market(model.seed, index, now));

/** A pool of two tokens, which it orders by address as the contracts do. */
function uniswapRow(world: number, rank: number, now: number) {
  const seed = seedOf(world, `uniswap ${rank}`);
  const list = tokens(world);
  const tier = at(tiers, Math.floor(rank / 75));
  const pair = [at(list, 4 + (rank % 75)), at(list, rank % 3)].sort((a, b) =>
    a.address < b.address ? -1 : 1,
  );
  const tvlUsd = Math.round(moving(seed, now, tvlAt(seed, rank), 0.01));
  const volume = tvlUsd * unit(seed, 1);
  return {
    ...yieldRow(seed, {
      chain: 'Ethereum',
      project: 'uniswap-v3',
      symbol: pair.map(({ symbol }) => symbol.toUpperCase()).join('-'),
      tvlUsd,
      apyBase: round(10 * unit(seed, 2)),
      apyReward: null,
    }),
    ilRisk: 'yes',
    exposure: 'multi',
    poolMeta: tier,
    underlyingTokens: pair.map(({ address }) => address),
    volumeUsd1d: volume,
    volumeUsd7d: volume * 6.5,
  };
}

/** `/pools`: the largest first. */
function pools(ask: Ask) {
  const uniswap = Array.from({ length: uniswapPools }, (_, rank) =>
    uniswapRow(ask.model.seed, rank, ask.now),
  );
  const data = [staked(ask.now), ...markets(ask).map(({ row }) => row), ...uniswap];
  return { status: 'success', data: data.sort((a, b) => b.tvlUsd - a.tvlUsd) };
}

/** `/lendBorrow`: a bare list. */
const lendBorrow = (ask: Ask) =>
  markets(ask).map(({ row, supplied, borrowed }) => ({
    pool: row.pool,
    apyBaseBorrow: round(2 + (6 * borrowed) / supplied),
    apyRewardBorrow: null,
    totalSupplyUsd: Math.round(supplied),
    totalBorrowUsd: Math.round(borrowed),
    debtCeilingUsd: null,
    ltv: 0.805,
    borrowable: true,
    mintedCoin: null,
    rewardTokens: row.rewardTokens,
    underlyingTokens: row.underlyingTokens,
    borrowFactor: null,
  }));

/** `/protocols`: lending and others. */
function protocols(ask: Ask) {
  const all = markets(ask);
  return ['lido', ...lendingProtocols].map((slug, index) => {
    const own = all.filter(({ row }) => row.project === slug);
    const tvl = slug === 'lido' ? 3.2e10 : own.reduce((sum, { row }) => sum + row.tvlUsd, 0) * 1.4;
    const names = [...new Set(own.map(({ row }) => row.chain))];
    return {
      id: String(index + 100),
      name: slug,
      slug,
      symbol: '-',
      category: slug === 'lido' ? 'Liquid Staking' : 'Lending',
      chains: names,
      tvl,
      chainTvls: Object.fromEntries(names.map((name) => [name, tvl / names.length])),
      change_1d: 0.4,
      change_7d: -1.2,
    };
  });
}

const pegs = ['peggedUSD', 'peggedUSD', 'peggedUSD', 'peggedEUR', 'peggedVAR'];
const kinds = ['fiat-backed', 'crypto-backed', 'algorithmic'];
const coinNames = [
  ['Tether', 'USDT'],
  ['USD Coin', 'USDC'],
  ['Ethena USDe', 'USDe'],
  ['EURC', 'EURC'],
];

function stablecoin(world: number, index: number, now: number) {
  const seed = seedOf(world, `stablecoin ${index}`);
  const peg = index < 3 ? 'peggedUSD' : at(pegs, index);
  const [name = `Stable ${index}`, symbol = `S${index}USD`] = coinNames[index] ?? [];
  const amount = moving(seed, now, 1.6e11 / (1 + index) ** 2, 0.0005);
  const amounts = (part: number) => ({ [peg]: amount * part });
  const current = {
    current: amounts(0.5),
    circulatingPrevDay: amounts(0.5),
    circulatingPrevWeek: amounts(0.49),
    circulatingPrevMonth: amounts(0.48),
  };
  return {
    id: String(index + 1),
    name,
    symbol,
    gecko_id: name.toLowerCase().replaceAll(' ', '-'),
    pegType: peg,
    priceSource: 'defillama',
    pegMechanism: at(kinds, index),
    circulating: amounts(1),
    circulatingPrevDay: amounts(0.999),
    circulatingPrevWeek: amounts(0.99),
    circulatingPrevMonth: amounts(0.97),
    chainCirculating: { Ethereum: current, Tron: current },
    chains: ['Ethereum', 'Tron', 'BSC'],
    price: peg === 'peggedUSD' ? moving(seed, now, 1, 0.001) : 1.08,
    ...(index % 40 === 39 ? { delisted: true } : {}),
  };
}

const stablecoins = ({ model, now }: Ask) => ({
  peggedAssets: Array.from({ length: stablecoinCount }, (_, index) =>
    stablecoin(model.seed, index, now),
  ),
  chains: [{ name: 'Ethereum', totalCirculatingUSD: { peggedUSD: 8e10 } }],
});

export const llamaYields = source({
  id: 'llama-yields',
  hosts: ['yields.llama.fi', 'defillama-datasets.llama.fi'],
  most: 500,
  answers: [
    [/^(\/yield-api)?\/pools$/, pools],
    [/^(\/yield-api)?\/lendBorrow$/, lendBorrow],
  ],
});

export const llamaProtocols = source({
  id: 'llama-protocols',
  hosts: ['api.llama.fi'],
  most: 500,
  answers: [[/^\/protocols$/, protocols]],
});

export const llamaStablecoins = source({
  id: 'llama-stablecoins',
  hosts: ['stablecoins.llama.fi'],
  most: 500,
  answers: [[/^\/stablecoins$/, stablecoins]],
});
