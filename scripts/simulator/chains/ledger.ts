/** What the simulated chains hold, as a function of the seed and of the time. */
import { type ChainId, chains, type EvmChainId, evmChainIds } from '../../../config/chains.ts';
import { hotWallets, stablecoins, supplyContracts } from '../../../config/tokens.ts';
import { seedOf, unit, valueNoise } from '../noise.ts';
import { holdingsOf, nativeOf } from '../wallet/holdings.ts';

/** Heights at `epoch`, near those of the real chains. */
const epoch = Date.UTC(2026, 0, 1);
const heights: Readonly<Record<ChainId, number>> = {
  ethereum: 24_130_000,
  base: 40_200_000,
  arbitrum: 416_000_000,
  polygon: 80_900_000,
  bsc: 73_500_000,
  optimism: 145_800_000,
  avalanche: 74_900_000,
  bitcoin: 930_000,
  solana: 390_000_000,
};

/** Number of the newest block at `now`, Unix ms; the slot on solana. */
export const heightAt = (chain: ChainId, now: number): number =>
  heights[chain] + Math.floor((now - epoch) / chains[chain].blockTime);

/** Usual gas price of a chain, wei. */
const gas: Readonly<Record<EvmChainId, number>> = {
  ethereum: 1.2e9,
  base: 6e6,
  arbitrum: 1e7,
  polygon: 3e10,
  bsc: 5e7,
  optimism: 1.1e6,
  avalanche: 2.5e8,
};

/** Wei per unit of gas; moves within a factor of two over minutes. */
export const gasPriceAt = (chain: EvmChainId, seed: number, now: number): bigint =>
  BigInt(Math.round(gas[chain] * 2 ** valueNoise(seedOf(seed, `gas ${chain}`), now / 120_000)));

/** A contract as the chain knows it; the address is in lower case. */
export interface Contract {
  chain: EvmChainId;
  address: string;
  decimals: number;
}

const contracts: readonly Contract[] = evmChainIds.flatMap((chain) =>
  stablecoins.flatMap((token) =>
    supplyContracts[chain][token].map(({ address, decimals }) => ({
      chain,
      address: address.toLowerCase(),
      decimals,
    })),
  ),
);

export const contractAt = (chain: EvmChainId, address: string): Contract | undefined =>
  contracts.find((one) => one.chain === chain && one.address === address.toLowerCase());

/** Coins in smallest units, moving by a thousandth either way over an hour. */
function amountAt(name: string, coins: number, decimals: number, [seed, now]: readonly number[]) {
  const moved = 1 + 0.001 * valueNoise(seedOf(seed ?? 0, name), (now ?? 0) / 3_600_000);
  return BigInt(Math.round(coins * moved * 1e6)) * 10n ** BigInt(decimals - 6);
}

/** Raw supply of a token contract: from a hundred million to sixty-four billion coins. */
export function supplyAt({ chain, address, decimals }: Contract, seed: number, now: number) {
  const name = `supply ${chain} ${address}`;
  return amountAt(name, 1e8 * 640 ** unit(seedOf(seed, name), 0), decimals, [seed, now]);
}

const isHotWallet = (chain: EvmChainId, holder: string): boolean =>
  hotWallets.some(
    (one) =>
      one.chain === chain &&
      one.addresses.some((address) => address.toLowerCase() === holder.toLowerCase()),
  );

/** Raw balance of an account: a hot wallet holds thousands to millions of coins, others what ../wallet/holdings.ts says. */
export function balanceAt(
  { chain, holder, token }: { chain: EvmChainId; holder: string; token: Contract | null },
  seed: number,
  now: number,
): bigint {
  if (isHotWallet(chain, holder)) {
    const name = `${chain} ${holder.toLowerCase()} ${token?.address ?? 'native'}`;
    const coins = 1e4 * 1e4 ** unit(seedOf(seed, name), 0);
    return amountAt(name, coins, token?.decimals ?? 18, [seed, now]);
  }
  if (token === null) return nativeOf(chain, holder);
  const held = holdingsOf(chain, holder);
  return held.find((one) => one.token.address.toLowerCase() === token.address)?.raw ?? 0n;
}
