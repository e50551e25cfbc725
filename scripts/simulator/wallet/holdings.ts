/** What an account holds: a function of chain and address. */
import { isEvmChainId } from '../../../config/chains.ts';
import { mix, seedOf, unit } from '../noise.ts';
import { type Account, accountOf, evmDigits, solanaDigits } from './accounts.ts';
import { coinsOf, oddOf, ordinary, type TokenChain, type WalletToken } from './tokens.ts';

/** A balance of one token; on Solana it is one account of the token's program. */
export interface Holding {
  token: WalletToken;
  /** In smallest units. */
  raw: bigint;
}

/** Whole coins in smallest units, with odd digits below the millionth. */
function rawOf(coins: number, decimals: number | null, seed: number): bigint {
  const [exact, more] = [Math.min(decimals ?? 0, 6), Math.max(0, (decimals ?? 0) - 6)];
  const dust = more < 12 ? 0n : BigInt(mix(seed, 7));
  return BigInt(Math.round(coins * 10 ** exact)) * 10n ** BigInt(more) + dust;
}

/** From ten to thirty thousand dollars' worth at the token's price at rest, and never nothing. */
function holding(chain: TokenChain, account: Account, token: WalletToken): Holding {
  const seed = seedOf(account.seed, `${chain} ${token.address}`);
  const coins = token.coins ?? 10 ** (1 + 3.5 * unit(seed, 1)) / token.rest;
  const raw = rawOf(coins, token.decimals, seed);
  return { token, raw: raw === 0n && token.coins !== 0 ? 1n : raw };
}

function shown(chain: TokenChain): readonly WalletToken[] {
  const coins = coinsOf(chain);
  // Two accounts of one mint.
  const twice = chain === 'solana' ? coins.slice(0, 1) : [];
  return [...coins, ...twice, ...oddOf(chain)];
}

function tokensOf(chain: TokenChain, { kind, seed, tokens }: Account): readonly WalletToken[] {
  if (kind === 'showcase') return shown(chain);
  const mixed = kind === 'other';
  const coins = mixed ? coinsOf(chain).filter((_, i) => mix(seed, 10 + i) % 2 === 0) : [];
  const first = mixed ? mix(seed, 2) % 1000 : 0;
  const more = Array.from({ length: Math.max(0, tokens - coins.length) }, (_, i) =>
    ordinary(chain, first + i),
  );
  return [...coins.slice(0, tokens), ...more];
}

/** The account behind an address of an EVM chain or of Solana; null for one never seen, or malformed. */
export function accountAt(chain: TokenChain, address: string): Account | null {
  const digits = chain === 'solana' ? solanaDigits(address) : evmDigits(address);
  return digits === null ? null : accountOf(digits);
}

/** Tokens of an address; those of `showcase` may be more than one of a token, and empty ones. */
export function holdingsOf(chain: TokenChain, address: string): Holding[] {
  const account = accountAt(chain, address);
  if (!account) return [];
  return tokensOf(chain, account).map((token) => holding(chain, account, token));
}

/** Native coins of an address in their smallest units: from a hundredth to a hundred coins. */
export function nativeOf(chain: TokenChain, address: string): bigint {
  const account = accountAt(chain, address);
  if (!account) return 0n;
  const seed = seedOf(account.seed, `${chain} native`);
  return rawOf(10 ** (4 * unit(seed, 1) - 2), isEvmChainId(chain) ? 18 : 9, seed);
}
