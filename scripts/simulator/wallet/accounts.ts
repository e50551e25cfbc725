/**
 * Who holds what in the simulated world is read off the address, the same for every seed and at every time:
 * - four bytes of zero first: an unknown address;
 * - the bytes 5e ed first: as many tokens as its last two bytes say, all of them ordinary and worth showing;
 * - one of `showcase`: a token of every kind, odd ones included;
 * - any other: from 0 to 60 tokens, out of a hash.
 * Every account but those never seen has native coins.
 */
import { PublicKey } from '@solana/web3.js';
import { mix, seedOf } from '../noise.ts';

/** The accounts that the recordings are of. */
export const showcase = {
  evm: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  solana: 'A1TMhSGzQxMr1TboBKtgixKz1sS6REASMxPo1qsyTSJd',
  bitcoin: 'bc1qq7gm20tgeauggamlh7m54fu9e54vkdyzxzy5rh',
} as const;

/** An account that has been seen. */
export interface Account {
  /** Of the address, the same on every chain. */
  seed: number;
  kind: 'showcase' | 'counted' | 'other';
  /** Tokens on each chain; of `showcase` it says nothing. */
  tokens: number;
}

/** Base58 of 32 bytes that are given as 64 hexadecimal digits. */
export const base58 = (digits: string): string =>
  new PublicKey(Buffer.from(digits, 'hex')).toBase58();

/** The digits of an address of an EVM chain, 40 in lower case, or null. */
export const evmDigits = (address: string): string | null =>
  /^0x[0-9a-f]{40}$/i.test(address) ? address.slice(2).toLowerCase() : null;

/** The 64 hexadecimal digits of an address of Solana, or null. */
export function solanaDigits(address: string): string | null {
  try {
    const key = new PublicKey(address);
    return key.toBase58() === address ? Buffer.from(key.toBytes()).toString('hex') : null;
  } catch {
    return null;
  }
}

const showcases: ReadonlySet<string | null> = new Set([
  evmDigits(showcase.evm),
  solanaDigits(showcase.solana),
]);

/** The account of an address, given as digits; null where it has never been seen. */
export function accountOf(digits: string): Account | null {
  if (digits.startsWith('00000000')) return null;
  const seed = seedOf(0, digits);
  if (showcases.has(digits)) return { seed, kind: 'showcase', tokens: 0 };
  if (!digits.startsWith('5eed')) return { seed, kind: 'other', tokens: mix(seed, 1) % 61 };
  return { seed, kind: 'counted', tokens: Number.parseInt(digits.slice(-4), 16) };
}

function counted(tokens: number, nth: number, length: number): string {
  for (const value of [tokens, nth]) {
    if (Number.isInteger(value) && value >= 0 && value <= 0xffff) continue;
    throw new RangeError(`from 0 to 65535, not ${value}`);
  }
  const [middle, last] = [nth, tokens].map((value) => value.toString(16));
  return `5eed${middle?.padStart(length - 8, '0')}${last?.padStart(4, '0')}`;
}

/** The `nth` address of the EVM chains that holds so many tokens on each, both from 0 to 65535. */
export const evmWallet = (tokens: number, nth = 0): string => `0x${counted(tokens, nth, 40)}`;

/** The `nth` address of Solana that holds so many tokens in both programs together. */
export const solanaWallet = (tokens: number, nth = 0): string => base58(counted(tokens, nth, 64));
