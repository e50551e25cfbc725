/** Contracts on the EVM chains: the stablecoins whose supply is followed, and the hot wallets of exchanges. */
import type { EvmChainId } from './chains.ts';

/** An ERC-20 contract. `address` has its EIP-55 checksum. */
export interface TokenContract {
  address: `0x${string}`;
  /** What `decimals()` answers; a contract that answers otherwise is not the one that is meant. */
  decimals: number;
}

/** The stablecoins with a supply. */
export const stablecoins = ['USDC', 'USDT'] as const;
export type Stablecoin = (typeof stablecoins)[number];

/**
 * Contracts whose supplies add up to the supply of a token on a chain. Issued by Circle and Tether, or by the chain's
 * own bridge where nothing else goes by the name (base USDT, both on bsc). Older bridged forms under another name
 * (USDC.e, USDbC, USDT.e) do not count.
 */
export const supplyContracts = {
  ethereum: {
    USDC: [{ address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 }],
    USDT: [{ address: '0xdAC17F958D2ee523a2206206994597C13D831ec7', decimals: 6 }],
  },
  base: {
    USDC: [{ address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 }],
    USDT: [{ address: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2', decimals: 6 }],
  },
  arbitrum: {
    USDC: [{ address: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', decimals: 6 }],
    // USDT0, at the address of the bridged USDT before it.
    USDT: [{ address: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9', decimals: 6 }],
  },
  polygon: {
    USDC: [{ address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', decimals: 6 }],
    USDT: [{ address: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', decimals: 6 }],
  },
  bsc: {
    USDC: [{ address: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', decimals: 18 }],
    USDT: [{ address: '0x55d398326f99059fF775485246999027B3197955', decimals: 18 }],
  },
  optimism: {
    USDC: [{ address: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', decimals: 6 }],
    // The bridged token and USDT0 exist side by side.
    USDT: [
      { address: '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58', decimals: 6 },
      { address: '0x01bFF41798a0BcF287b996046Ca68b395DbC1071', decimals: 6 },
    ],
  },
  avalanche: {
    USDC: [{ address: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', decimals: 6 }],
    USDT: [{ address: '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7', decimals: 6 }],
  },
} as const satisfies Readonly<
  Record<EvmChainId, Readonly<Partial<Record<Stablecoin, readonly TokenContract[]>>>>
>;

/** Hot wallets of one exchange on one chain, reported as one sum. */
export interface HotWallets {
  /** `<exchange>_hot`. */
  label: string;
  chain: EvmChainId;
  addresses: readonly `0x${string}`[];
}

export const hotWallets: readonly HotWallets[] = [
  {
    // Tagged Binance 14 to 18.
    label: 'binance_hot',
    chain: 'ethereum',
    addresses: [
      '0x28C6c06298d514Db089934071355E5743bf21d60',
      '0x21a31Ee1afC51d94C2eFcCAa2092aD1028285549',
      '0xDFd5293D8e347dFe59E90eFd55b2956a1343963d',
      '0x56Eddb7aa87536c09CCc2793473599fD21A8b17F',
      '0x9696f59E4d72E237BE84fFD425DCaD154Bf96976',
    ],
  },
  {
    // Both are in the exchange's proof of reserves.
    label: 'okx_hot',
    chain: 'ethereum',
    addresses: [
      '0x6cC5F688a315f3dC28A7781717a9A798a59fDA7b',
      '0xA7EFAe728D2936e78BDA97dc267687568dD593f3',
    ],
  },
];

/** Multicall3: the same address on all seven EVM chains. https://www.multicall3.com */
export const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11';
