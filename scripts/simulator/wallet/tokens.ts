/** The tokens that simulated wallets hold. What a token is follows from its chain and its address alone. */
import { getAddress } from 'viem';
import { type EvmChainId, isEvmChainId } from '../../../config/chains.ts';
import { type Stablecoin, supplyContracts } from '../../../config/tokens.ts';
import { at, hex } from '../defi/world.ts';
import { seedOf, unit } from '../noise.ts';
import { base58, evmDigits, solanaDigits } from './accounts.ts';

/** The chains on which there are tokens. */
export type TokenChain = EvmChainId | 'solana';

/** The chain of that name, or undefined where there are no tokens. */
export const tokenChain = (name: string): TokenChain | undefined =>
  name === 'solana' || isEvmChainId(name) ? name : undefined;

/** A token as its contract has it, and who prices it. */
export interface WalletToken {
  /** With its EIP-55 checksum on the EVM chains. */
  address: string;
  symbol: string | null;
  name: string | null;
  /** Null where the contract does not tell. */
  decimals: number | null;
  /** Symbol of the model's asset whose price it has; null where it has one of its own. */
  coin: string | null;
  /** US dollars at rest. */
  rest: number;
  /** US dollars in its deepest pool on DexScreener; 0: it is not there. */
  liquidity: number;
  /** DefiLlama prices it. */
  known: boolean;
  scam: boolean;
  /** Of the Token-2022 program; on Solana only. */
  extended: boolean;
  /** Amount that an account of `showcase` holds; absent where a hash says. */
  coins?: number;
}

type Facts = Pick<WalletToken, 'address' | 'symbol' | 'name' | 'decimals'> & Partial<WalletToken>;

const token = (facts: Facts): WalletToken => ({
  coin: null,
  rest: 1,
  liquidity: 0,
  known: false,
  scam: false,
  extended: false,
  ...facts,
});

type CoinRow = readonly [
  symbol: string,
  name: string,
  coin: string,
  address: string,
  decimals: number,
  rest: number,
  liquidity: number,
];

const coin = ([symbol, name, coin, address, decimals, rest, liquidity]: CoinRow): WalletToken =>
  token({ symbol, name, coin, address, decimals, rest, liquidity, known: true });

/** Symbol and resting price of every native coin, by chain, and the contract that wraps it. */
export const natives = {
  ethereum: { symbol: 'ETH', rest: 3600, wrapper: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2' },
  base: { symbol: 'ETH', rest: 3600, wrapper: '0x4200000000000000000000000000000000000006' },
  arbitrum: { symbol: 'ETH', rest: 3600, wrapper: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1' },
  polygon: { symbol: 'POL', rest: 0.22, wrapper: '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270' },
  bsc: { symbol: 'BNB', rest: 880, wrapper: '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c' },
  optimism: { symbol: 'ETH', rest: 3600, wrapper: '0x4200000000000000000000000000000000000006' },
  avalanche: { symbol: 'AVAX', rest: 24, wrapper: '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7' },
  solana: { symbol: 'SOL', rest: 180, wrapper: 'So11111111111111111111111111111111111111112' },
} as const satisfies Readonly<
  Record<TokenChain, { symbol: string; rest: number; wrapper: string }>
>;

function wrapped(chain: TokenChain): WalletToken {
  const { symbol, rest, wrapper } = natives[chain];
  const decimals = chain === 'solana' ? 9 : 18;
  return coin([`W${symbol}`, `Wrapped ${symbol}`, symbol, wrapper, decimals, rest, 1.2e8]);
}

function stablecoin(chain: EvmChainId, symbol: Stablecoin, name: string): WalletToken {
  const { address, decimals } = supplyContracts[chain][symbol][0];
  return coin([symbol, name, symbol, address, decimals, 1, symbol === 'USDC' ? 3e8 : 2e8]);
}

/** At their addresses on ethereum, which the simulated world has on every chain. DAI moves as USDC does. */
const elsewhere = (
  [
    ['PEPE', 'Pepe', 'PEPE', '0x6982508145454ce325ddbe47a25d4ec3d2311933', 18, 1.2e-5, 3e7],
    ['WBTC', 'Wrapped BTC', 'BTC', '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599', 8, 100_000, 9e7],
    ['DAI', 'Dai Stablecoin', 'USDC', '0x6b175474e89094c44da98b954eedeac495271d0f', 18, 1, 6e7],
    ['UNI', 'Uniswap', 'UNI', '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984', 18, 8.4, 2e7],
    [
      'LINK',
      'ChainLink Token',
      'LINK',
      '0x514910771af9ca656af840dff83e8404a1f7e9e6',
      18,
      17,
      2.5e7,
    ],
    ['SHIB', 'SHIBA INU', 'SHIB', '0x95ad61b0a150d79219dcf64e1e6cc01f0b64c4ce', 18, 1.3e-5, 1.5e7],
  ] as const
)
  .map((row) => coin(row))
  .map((one) => ({ ...one, address: getAddress(one.address) }));

const own = (word: string, digits = 40) => hex(seedOf(0, `wallet token ${word}`), digits);
const odd = (word: string, facts: Omit<Facts, 'address'>): WalletToken =>
  token({ address: getAddress(own(word)), ...facts });

/** Tokens that a reader has to get right, each for one reason. */
const oddTokens = {
  /** Marked, and with an URL in its name. */
  scam: odd('scam', {
    ...{ symbol: 'USD-CLAIM', name: 'Visit https://claim-usd.example to claim reward' },
    ...{ decimals: 18, rest: 1, scam: true, coins: 5e8 },
  }),
  /** Honest, without a price. */
  unlisted: odd('unlisted', { symbol: 'TEAM', name: 'Team Token', decimals: 18, coins: 12_345 }),
  deep: odd('deep', { symbol: 'DEEP', name: 'Seventy-seven', decimals: 77, coins: 0.5 }),
  whole: odd('whole', {
    ...{ symbol: 'WHOLE', name: 'Indivisible', decimals: 0, rest: 3.5, known: true },
    ...{ liquidity: 250_000, coins: 1200 },
  }),
  emoji: odd('emoji', {
    ...{ symbol: '🚀🌕', name: 'To the moon', decimals: 9, rest: 0.02, known: true },
    ...{ liquidity: 120_000, coins: 40_000 },
  }),
  html: odd('html', {
    ...{ symbol: '<b>FREE</b>', name: '<script>alert(1)</script>', decimals: 18, rest: 0.5 },
    ...{ known: true, liquidity: 60_000, coins: 700 },
  }),
  /** A price of a pool too small to sell into: it does not count. */
  thin: odd('thin', {
    ...{ symbol: 'THIN', name: 'Thin Ice', decimals: 18, rest: 12, liquidity: 800 },
    coins: 1e6,
  }),
  /** Two million dollars on paper in front of a pool of five thousand. */
  shallow: odd('shallow', {
    ...{ symbol: 'PUDDLE', name: 'Puddle', decimals: 18, rest: 2, liquidity: 5_000, coins: 1e6 },
  }),
  /** A contract that tells nothing of itself. */
  blank: odd('blank', { symbol: null, name: null, decimals: null, coins: 1 }),
} as const;

/** What the odd tokens of the EVM chains are for. */
export type OddToken = keyof typeof oddTokens;

/** Address of an odd token, the same on every EVM chain. */
export const oddAddress = (name: OddToken): string => oddTokens[name].address;

const mint = (word: string, facts: Omit<Facts, 'address'>): WalletToken =>
  token({ address: base58(own(word, 64).slice(2)), ...facts });

const solanaCoins: readonly WalletToken[] = [
  coin(['USDC', 'USD Coin', 'USDC', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 6, 1, 2e8]),
  coin(['USDT', 'USDT', 'USDT', 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 6, 1, 1.5e8]),
  wrapped('solana'),
  coin(['BONK', 'Bonk', 'BONK', 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263', 5, 2.1e-5, 3e7]),
];

const solanaOdd: readonly WalletToken[] = [
  mint('solana unlisted', { symbol: 'TEAM', name: 'Team Token', decimals: 6, coins: 12_345 }),
  mint('solana nft', { symbol: 'NFT', name: 'Not fungible', decimals: 0, coins: 1 }),
  mint('solana emptied', { symbol: 'GONE', name: 'Sold', decimals: 6, coins: 0 }),
  mint('solana extended', {
    ...{ symbol: 'EXT', name: 'Extended', decimals: 6, rest: 1.1, coins: 250, extended: true },
    ...{ liquidity: 90_000, known: true },
  }),
  mint('solana thin', {
    ...{ symbol: 'THIN', name: 'Thin Ice', decimals: 6, rest: 12, liquidity: 800, coins: 1e6 },
  }),
];

/** Tokens of well known coins. */
export const coinsOf = (chain: TokenChain): readonly WalletToken[] =>
  chain === 'solana'
    ? solanaCoins
    : [
        wrapped(chain),
        stablecoin(chain, 'USDC', 'USD Coin'),
        stablecoin(chain, 'USDT', 'Tether USD'),
        ...elsewhere,
      ];

/** Tokens that only the accounts of `showcase` hold. */
export const oddOf = (chain: TokenChain): readonly WalletToken[] =>
  chain === 'solana' ? solanaOdd : Object.values(oddTokens);

/**
 * An ordinary token for every index from 0 to 65535, which its address ends in. Three of four are priced by both
 * sources, the fourth by none; on Solana every fourth is of Token-2022.
 */
export function ordinary(chain: TokenChain, index: number): WalletToken {
  const seed = seedOf(0, `ordinary ${index}`);
  const priced = index % 4 !== 3;
  const last = index.toString(16).padStart(4, '0');
  const solana = chain === 'solana';
  return token({
    address: solana
      ? base58(`${hex(seed, 60).slice(2)}${last}`)
      : getAddress(`0x${hex(seed, 36).slice(2)}${last}`),
    symbol: `W${index}`,
    name: `Wallet Token ${index}`,
    decimals: at(solana ? [6, 9, 5, 8] : [18, 6, 8, 9], index >> 2),
    rest: 10 ** (4 * unit(seed, 1) - 2),
    known: priced,
    liquidity: priced ? Math.round(10 ** (4.8 + 1.5 * unit(seed, 2))) : 0,
    extended: solana && index % 4 === 2,
  });
}

/** The token at an address of the chain, in any case on the EVM chains; undefined where there is none. */
export function tokenAt(chain: TokenChain, address: string): WalletToken | undefined {
  const digits = chain === 'solana' ? solanaDigits(address) : evmDigits(address);
  if (digits === null) return undefined;
  const listed = [...coinsOf(chain), ...oddOf(chain)];
  const made = ordinary(chain, Number.parseInt(digits.slice(-4), 16));
  const same = (one: WalletToken) =>
    chain === 'solana' ? one.address === address : one.address.toLowerCase() === `0x${digits}`;
  return listed.find(same) ?? (same(made) ? made : undefined);
}
