/** The tokens that simulated wallets hold, by chain: well known coins, tokens with a price of their own, and a few odd ones. */
import { getAddress } from 'viem';
import { type EvmChainId, isEvmChainId } from '../../../config/chains.ts';
import { supplyContracts } from '../../../config/tokens.ts';
import { at, hex, solana } from '../defi/world.ts';
import { seedOf, unit } from '../noise.ts';

/** The chains on which there are tokens. */
export type TokenChain = EvmChainId | 'solana';

/** The chain of that name, or undefined where there are no tokens. */
export const tokenChain = (name: string): TokenChain | undefined =>
  name === 'solana' || isEvmChainId(name) ? name : undefined;

/** A token as its contract has it, and who prices it. */
export interface WalletToken {
  /** With its EIP-55 checksum on the EVM chains. */
  address: string;
  symbol: string;
  name: string;
  decimals: number;
  /** Symbol of the model's asset whose price it has; null where it has one of its own. */
  coin: string | null;
  /** US dollars at rest. */
  rest: number;
  /** US dollars in its deepest pool on DexScreener; 0: it is not there. */
  liquidity: number;
  /** Blockscout and DefiLlama price it. */
  known: boolean;
  scam: boolean;
  /** Of the Token-2022 program; on Solana only. */
  extended: boolean;
}

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

type Row = readonly [symbol: string, coin: string, address: string, decimals: number, rest: number];

/** At their addresses on ethereum, which the simulated world has on every chain. */
const elsewhere: readonly Row[] = [
  ['PEPE', 'PEPE', '0x6982508145454ce325ddbe47a25d4ec3d2311933', 18, 1.2e-5],
  ['WBTC', 'BTC', '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599', 8, 100_000],
  ['UNI', 'UNI', '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984', 18, 8.4],
  ['LINK', 'LINK', '0x514910771af9ca656af840dff83e8404a1f7e9e6', 18, 17],
];

const onSolana: readonly Row[] = [
  ['USDC', 'USDC', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 6, 1],
  ['USDT', 'USDT', 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 6, 1],
  ['WSOL', 'SOL', natives.solana.wrapper, 9, natives.solana.rest],
  ['BONK', 'BONK', 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263', 5, 2.1e-5],
];

function coinRows(chain: TokenChain): readonly Row[] {
  if (chain === 'solana') return onSolana;
  const { symbol, rest, wrapper } = natives[chain];
  const stable = (['USDC', 'USDT'] as const).map((name): Row => {
    const { address, decimals } = supplyContracts[chain][name][0];
    return [name, name, address, decimals, 1];
  });
  return [[`W${symbol}`, symbol, wrapper, 18, rest], ...stable, ...elsewhere];
}

const addressOf = (chain: TokenChain, name: string): string => {
  const seed = seedOf(0, `wallet token ${name}`);
  return chain === 'solana' ? solana(seed) : getAddress(hex(seed));
};

const usual = { coin: null, known: true, scam: false, extended: false };

/** Tokens that a reader has to get right, each for one reason. */
const odd: Readonly<Record<string, Partial<WalletToken>>> = {
  scam: { symbol: 'USD-CLAIM', name: 'Visit https://claim.example', known: false, scam: true },
  /** Honest, without a price. */
  unlisted: { symbol: 'TEAM', known: false },
  html: { symbol: '<b>FREE</b>', name: '<script>alert(1)</script>', liquidity: 60_000 },
  whole: { symbol: 'WHOLE', decimals: 0, rest: 3.5, liquidity: 250_000 },
  /** Its price is of a pool too small to sell into. */
  thin: { symbol: 'THIN', rest: 12, liquidity: 800, known: false },
};

/** Three of four are priced; on Solana every fourth is of Token-2022. */
function ordinary(chain: TokenChain, index: number): WalletToken {
  const seed = seedOf(0, `ordinary ${index}`);
  const known = index % 4 !== 3;
  return {
    ...usual,
    address: addressOf(chain, String(index)),
    symbol: `W${index}`,
    known,
    name: `Wallet Token ${index}`,
    decimals: at([9, 6, 8, 5], index >> 2),
    rest: 10 ** (4 * unit(seed, 1) - 2),
    liquidity: known ? Math.round(10 ** (4.8 + 1.5 * unit(seed, 2))) : 0,
    extended: chain === 'solana' && index % 4 === 2,
  };
}

const made = new Map<TokenChain, ReadonlyMap<string, WalletToken>>();
const keyOf = (chain: TokenChain, address: string) =>
  chain === 'solana' ? address : address.toLowerCase();

/** All tokens of a chain by address, in lower case on the EVM chains: coins, odd ones, and 60 others. */
export function tokensOf(chain: TokenChain): ReadonlyMap<string, WalletToken> {
  const known = made.get(chain);
  if (known) return known;
  const coins = coinRows(chain).map(([symbol, coin, address, decimals, rest]) => {
    const token = { ...usual, symbol, name: symbol, coin, decimals, rest, liquidity: 1e8 };
    return { ...token, address: chain === 'solana' ? address : getAddress(address) };
  });
  const odds = Object.entries(odd).map(([name, facts]) => ({
    ...usual,
    symbol: name,
    name,
    decimals: 9,
    rest: 1,
    liquidity: 0,
    ...facts,
    address: addressOf(chain, name),
  }));
  const others = Array.from({ length: 60 }, (_, index) => ordinary(chain, index));
  const tokens = [...coins, ...odds, ...others];
  const found = new Map(tokens.map((token) => [keyOf(chain, token.address), token]));
  made.set(chain, found);
  return found;
}

/** The token at an address of the chain, in any case on the EVM chains. */
export const tokenAt = (chain: TokenChain, address: string): WalletToken | undefined =>
  tokensOf(chain).get(keyOf(chain, address));

/** The token of a symbol on a chain. */
export const tokenOf = (chain: TokenChain, symbol: string): WalletToken | undefined =>
  [...tokensOf(chain).values()].find((token) => token.symbol === symbol);
