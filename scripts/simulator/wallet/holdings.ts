/** What an account holds, read off its address alone; an address that begins with four bytes of zero is unknown. */
import { isEvmChainId } from '../../../config/chains.ts';
import { moving } from '../defi/world.ts';
import type { Model } from '../model.ts';
import { mix, seedOf, unit } from '../noise.ts';
import { type TokenChain, tokensOf, type WalletToken } from './tokens.ts';

/** The accounts that hold a token of every kind. */
const showcase: ReadonlySet<string> = new Set([
  '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
  'A1TMhSGzQxMr1TboBKtgixKz1sS6REASMxPo1qsyTSJd',
]);

/** A balance of one token, in smallest units. */
export interface Holding {
  token: WalletToken;
  raw: bigint;
}

const keyOf = (address: string) => (/^0x/i.test(address) ? address.toLowerCase() : address);

/** Whether an address has been seen: one of an EVM chain, or of Solana in Base58. */
export const isSeen = (address: string): boolean =>
  /^0x[0-9a-f]{40}$/i.test(address)
    ? !address.startsWith('0x00000000')
    : /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address) && !address.startsWith('11111111');

const rawOf = (coins: number, decimals: number): bigint =>
  BigInt(Math.round(coins * 10 ** Math.min(decimals, 6))) *
  10n ** BigInt(Math.max(0, decimals - 6));

/** Tokens of an address, from ten to thirty thousand dollars' worth of each. */
export function holdingsOf(chain: TokenChain, address: string): Holding[] {
  if (!isSeen(address)) return [];
  const all = showcase.has(keyOf(address));
  return [...tokensOf(chain).values()].flatMap((token) => {
    const seed = seedOf(0, `${keyOf(address)} ${chain} ${token.address}`);
    if (!all && mix(seed, 0) % 3 > 0) return [];
    return { token, raw: rawOf(10 ** (1 + 3.5 * unit(seed, 1)) / token.rest, token.decimals) };
  });
}

/** Native coins of an address in their smallest units: from a hundredth to a hundred coins. */
export function nativeOf(chain: TokenChain, address: string): bigint {
  if (!isSeen(address)) return 0n;
  const seed = seedOf(0, `${keyOf(address)} ${chain} native`);
  return rawOf(10 ** (4 * unit(seed, 1) - 2), isEvmChainId(chain) ? 18 : 9);
}

/** What has a price. */
export type Priced = Pick<WalletToken, 'coin' | 'rest'> & { name?: string };

/** US dollars at `now`: of the model's asset where it has the coin, else within a hundredth of the resting price. */
export function dollarsOf(model: Model, { coin, rest, name }: Priced, now: number): number {
  const asset = coin === null ? undefined : model.assets.find(({ symbol }) => symbol === coin);
  if (asset) return asset.path.price(now);
  return moving(seedOf(model.seed, `price of ${coin ?? name}`), now, rest, 0.01);
}
