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

/** A contract as the chain knows it. */
export interface Contract {
  chain: EvmChainId;
  address: string;
  decimals: number;
}

/** The token contracts of every chain, by chain and address in lower case. */
const contracts: ReadonlyMap<string, Contract> = new Map(
  evmChainIds.flatMap((chain) =>
    stablecoins.flatMap((token) =>
      supplyContracts[chain][token].map(({ address, decimals }): [string, Contract] => [
        `${chain} ${address.toLowerCase()}`,
        { chain, address: address.toLowerCase(), decimals },
      ]),
    ),
  ),
);

export const contractAt = (chain: EvmChainId, address: string): Contract | undefined =>
  contracts.get(`${chain} ${address.toLowerCase()}`);

/** An amount that moves by a thousandth either way over an hour, with odd digits down to the smallest unit. */
function amountAt(name: string, base: bigint, { seed, now }: { seed: number; now: number }) {
  const own = seedOf(seed, name);
  const parts = BigInt(Math.round(1e9 + 1e6 * valueNoise(own, now / 3_600_000)));
  return (base * parts) / 1_000_000_000n + BigInt(Math.floor(unit(own, 1) * 1e6));
}

/** Raw supply of a token contract: from a hundred million to sixty-four billion coins. */
export const supplyAt = ({ chain, address, decimals }: Contract, seed: number, now: number) => {
  const coins = BigInt(
    Math.round(1e8 * 640 ** unit(seedOf(seed, `supply ${chain} ${address}`), 0)),
  );
  return amountAt(`${chain} ${address}`, coins * 10n ** BigInt(decimals), { seed, now });
};

const known: ReadonlySet<string> = new Set(
  hotWallets.flatMap(({ chain, addresses }) =>
    addresses.map((address) => `${chain} ${address.toLowerCase()}`),
  ),
);

const heldOf = (chain: EvmChainId, holder: string, { address }: Contract): bigint =>
  holdingsOf(chain, holder).find(({ token }) => token.address.toLowerCase() === address)?.raw ?? 0n;

/** True for a hot wallet of an exchange on that chain. */
export const isHotWallet = (chain: EvmChainId, holder: string): boolean =>
  known.has(`${chain} ${holder.toLowerCase()}`);

/**
 * Raw balance of an account: a hot wallet holds thousands to millions of coins that move, everybody else what
 * ../wallet/holdings.ts says.
 */
export function balanceAt(
  { chain, holder, token }: { chain: EvmChainId; holder: string; token: Contract | null },
  seed: number,
  now: number,
): bigint {
  if (!isHotWallet(chain, holder))
    return token ? heldOf(chain, holder, token) : nativeOf(chain, holder);
  const name = `${chain} ${holder.toLowerCase()} ${token?.address ?? 'native'}`;
  const coins = BigInt(Math.round(1e4 * 1e4 ** unit(seedOf(seed, name), 0)));
  return amountAt(name, coins * 10n ** BigInt(token?.decimals ?? 18), { seed, now });
}
