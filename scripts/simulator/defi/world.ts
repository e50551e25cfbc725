/** The simulated tokens and pools: all of them functions of the seed, of an index and of the time. */
import { mix, seedOf, unit, valueNoise } from '../noise.ts';

/** A token of an EVM chain. */
export interface Token {
  symbol: string;
  name: string;
  /** `0x` and 40 digits in lower case. */
  address: string;
  /** US dollars at rest. */
  price: number;
}

/** A pool of two tokens. */
export interface Pair {
  seed: number;
  chain: string;
  exchange: string;
  address: string;
  base: Token;
  quote: Token;
  /** US dollars. */
  liquidity: number;
  /** Part of its price by which a pair moves. */
  moves: number;
}

const hexadecimal = '0123456789abcdef';
const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function digits(seed: number, alphabet: string, length: number): string {
  let text = '';
  for (let at = 0; at < length; at++) text += alphabet[mix(seed, at) % alphabet.length];
  return text;
}

/** `0x` and so many hexadecimal digits. */
export const hex = (seed: number, length = 40): string => `0x${digits(seed, hexadecimal, length)}`;

/** An address of solana: 44 digits of base 58 that are 32 bytes. */
export const solana = (seed: number): string =>
  `${base58[1 + (mix(seed, -1) % 16)]}${digits(seed, base58, 43)}`;

/** A UUID in form. */
export const uuid = (seed: number): string =>
  digits(seed, hexadecimal, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

type Known = readonly [symbol: string, name: string, address: string, price: number];

const known: readonly Known[] = [
  ['WETH', 'Wrapped Ether', '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', 2700],
  ['USDC', 'USD Coin', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 1],
  ['USDT', 'Tether USD', '0xdac17f958d2ee523a2206206994597c13d831ec7', 1],
  ['WBTC', 'Wrapped BTC', '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599', 85_000],
  ['DAI', 'Dai Stablecoin', '0x6b175474e89094c44da98b954eedeac495271d0f', 1],
  ['PEPE', 'Pepe', '0x6982508145454ce325ddbe47a25d4ec3d2311933', 0.0000082],
  ['UNI', 'Uniswap', '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984', 7.4],
  ['LINK', 'ChainLink Token', '0x514910771af9ca656af840dff83e8404a1f7e9e6', 14],
];

/** Names that strangers give their tokens. */
const odd = ['🚀🌕', '<b>FREE</b>', 'A'.repeat(10_000), 'NEW\nLINE', '\u202eEPEP'];

/** So many tokens of a seed, the well known ones first; a few have odd names. */
export function tokens(seed: number, length = 80): Token[] {
  return Array.from({ length }, (_, at) => {
    const [symbol, name, address, price] = known[at] ?? [];
    if (symbol && name && address && price) return { symbol, name, address, price };
    const own = odd[at - known.length] ?? `T${at}X`;
    const seeded = seedOf(seed, `token ${at}`);
    return {
      symbol: own,
      name: `Token ${own}`,
      address: hex(seeded),
      price: 10 ** (4 * unit(seeded, 1) - 2),
    };
  });
}

/** The token at an index that may be any whole number. */
export function at<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length];
  if (found === undefined) throw new Error('an empty list');
  return found;
}

/** Pairs that everybody looks for, as indices of `known`. */
const first: readonly (readonly [base: number, quote: number])[] = [
  [0, 1],
  [3, 1],
  [5, 0],
  [4, 2],
];

/** A pair of different tokens for an index; the first pairs are of the best known tokens. */
export function pairAt(list: readonly Token[], index: number): readonly [Token, Token] {
  const [base, quote] = first[index] ?? [(index * 7 + 3) % list.length, index % 4];
  return [at(list, base === quote ? base + 1 : base), at(list, quote)];
}

/** A number around `rest` that moves by `part` of it within minutes. */
export const moving = (seed: number, now: number, rest: number, part = 0.02): number =>
  rest * (1 + part * valueNoise(seed, now / 60_000));

/** US dollars of the pool of that rank, the largest 300 million, then ever less. */
export const tvlAt = (seed: number, rank: number): number =>
  (3e8 / (1 + rank) ** 1.2) * (0.9 + 0.2 * unit(seed, rank));

/** At most so many decimals, as a number. */
export const round = (value: number, decimals = 5): number => Number(value.toFixed(decimals));

/** Words of a search, in lower case. */
export const wordsOf = (text: string | null): string[] =>
  (text ?? '').toLowerCase().split(/\s+/).filter(Boolean);

/** Whether every word of a search is in a symbol, a name or an address of a pool. */
export function matches(
  { base, quote, address }: { base: Token; quote: Token; address: string },
  words: readonly string[],
): boolean {
  const texts = [base, quote].map((token) => `${token.symbol} ${token.name} ${token.address}`);
  const whole = `${texts.join(' ')} ${address}`.toLowerCase();
  return words.length > 0 && words.every((word) => whole.includes(word));
}
