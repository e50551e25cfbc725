/** The state of an EVM chain: block number, gas price, and everything that contracts know in one call of Multicall3. */
import { createPublicClient, defineChain, erc20Abi, type Hex } from 'viem';
import type { EvmChainId } from '../../config/chains.ts';
import {
  type HotWallets,
  hotWallets,
  multicall3,
  type Stablecoin,
  stablecoins,
  supplyContracts,
  type TokenContract,
} from '../../config/tokens.ts';
import { ShapeError } from '../failure.ts';
import type { SupplyRow, WalletRow } from '../topics/chains.ts';
import { wholeCoins } from './amount.ts';
import { type Attempt, failureIn, type Protocol, viemTransport } from './transport.ts';

/** What one read of an EVM chain gives besides its height; amounts in whole coins. */
export interface EvmSample {
  gas_gwei: number;
  supplies: Omit<SupplyRow, 'chain' | 'updated_at'>[];
  wallets: Omit<WalletRow, 'chain' | 'updated_at'>[];
  /** Unreadable entries of the two lists above: tokens and labels. */
  unread: string[];
}

/** Contracts and wallets to read on a chain. */
export interface EvmTargets {
  supplies: Readonly<Partial<Record<Stablecoin, readonly TokenContract[]>>>;
  wallets: readonly Pick<HotWallets, 'label' | 'addresses'>[];
}

/** Those of the configuration. */
export const targetsOf = (chain: EvmChainId): EvmTargets => ({
  supplies: supplyContracts[chain],
  wallets: hotWallets.filter((group) => group.chain === chain),
});

/** Wei in a Gwei: 9 decimals; in an ETH: 18. */
const gwei = 9;
const ether = 18;

/** Tells viem where Multicall3 is; which chain answers is checked by its id. */
const anyChain = defineChain({
  id: 0,
  name: 'EVM',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: ether },
  rpcUrls: { default: { http: [] } },
  contracts: { multicall3: { address: multicall3 } },
});

/** Calls of contracts and balances that are asked together are one `eth_call` of at most this many bytes. */
const batchSize = 2 ** 17;

/** viem's client for one attempt at one endpoint. A contract cannot make it ask other hosts (CCIP read). */
export const evmClient = (attempt: Attempt) =>
  createPublicClient({
    chain: anyChain,
    transport: viemTransport(attempt),
    batch: { multicall: { batchSize } },
    ccipRead: false,
  });

/** A quantity as JSON-RPC writes it: 0x, then hexadecimal digits. https://ethereum.org/developers/docs/apis/json-rpc */
export function quantity(value: unknown, what: string): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value)) {
    throw new ShapeError(`${what} is not a quantity`);
  }
  return BigInt(value);
}

/** A quantity above 0 that a double holds exactly: a block number, a chain id. */
function count(value: unknown, what: string): number {
  const number = Number(quantity(value, what));
  if (!Number.isSafeInteger(number) || number === 0) throw new ShapeError(`${what} out of range`);
  return number;
}

function gasPrice(value: unknown): number {
  const wei = quantity(value, 'gas price');
  if (wei === 0n) throw new ShapeError('gas price is 0');
  return wholeCoins(wei, gwei);
}

/** Null where the contract reverts or gives no number; rejects where the endpoint failed. */
const orNull = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (failureIn(error)) throw error;
    return null;
  });

/** Smallest units. */
interface Amount {
  raw: bigint | null;
  decimals: number;
}

/** The sum in whole coins, or null when a part of it is missing: part of a sum is a wrong number. */
async function total(amounts: readonly Promise<Amount>[]): Promise<number | null> {
  const parts = await Promise.all(amounts);
  const scale = Math.max(0, ...parts.map(({ decimals }) => decimals));
  let sum = 0n;
  for (const { raw, decimals } of parts) {
    if (raw === null) return null;
    sum += raw * 10n ** BigInt(scale - decimals);
  }
  return wholeCoins(sum, scale);
}

/** The sums of a list of targets. What is asked in one turn of the event loop goes out as one call. */
function sumsOf(attempt: Attempt, { supplies }: EvmTargets) {
  const client = evmClient(attempt);
  const erc20 = (address: Hex) => ({ address, abi: erc20Abi });
  const contracts = (token: Stablecoin) => supplies[token] ?? [];
  const decimalsOf = new Map(
    stablecoins.flatMap(contracts).map(({ address }) => {
      const answer = client.readContract({ ...erc20(address), functionName: 'decimals' });
      return [address, orNull(answer)];
    }),
  );
  /** An amount of a contract whose own decimals are not the configured ones would be a wrong number. */
  const amount = async ({ address, decimals }: TokenContract, answer: Promise<bigint>) => {
    const [stated, raw] = await Promise.all([decimalsOf.get(address), orNull(answer)]);
    return { raw: stated === decimals ? raw : null, decimals };
  };
  return {
    supply: (token: Stablecoin) =>
      total(
        contracts(token).map((contract) => {
          const of = erc20(contract.address);
          return amount(contract, client.readContract({ ...of, functionName: 'totalSupply' }));
        }),
      ),
    held: (token: Stablecoin, holders: readonly Hex[]) =>
      total(
        holders.flatMap((holder) =>
          contracts(token).map((contract) => {
            const balance = { functionName: 'balanceOf', args: [holder] } as const;
            const of = erc20(contract.address);
            return amount(contract, client.readContract({ ...of, ...balance }));
          }),
        ),
      ),
    ethers: (holders: readonly Hex[]) =>
      total(
        holders.map(async (address) => {
          const raw = await orNull(client.getBalance({ address }));
          return { raw, decimals: ether };
        }),
      ),
  };
}

const read = <T>(row: T | string): T[] => (typeof row === 'string' ? [] : [row]);

/** Everything that contracts know. A supply of zero is refused; so is an endpoint that gives no row at all. */
async function contractsOf(
  attempt: Attempt,
  targets: EvmTargets,
): Promise<Omit<EvmSample, 'gas_gwei'>> {
  const sums = sumsOf(attempt, targets);
  const supplyOf = async (token: Stablecoin) => {
    const total_supply = await sums.supply(token);
    return total_supply ? { token, total_supply } : token;
  };
  const walletOf = async ({ label, addresses }: EvmTargets['wallets'][number]) => {
    const [eth_balance, usdc_balance, usdt_balance] = await Promise.all([
      sums.ethers(addresses),
      sums.held('USDC', addresses),
      sums.held('USDT', addresses),
    ]);
    if (eth_balance === null || usdc_balance === null || usdt_balance === null) return label;
    return { label, eth_balance, usdc_balance, usdt_balance };
  };
  const tokens = stablecoins.filter((token) => targets.supplies[token]);
  const [supplies, wallets] = await Promise.all([
    Promise.all(tokens.map(supplyOf)),
    Promise.all(targets.wallets.map(walletOf)),
  ]);
  const all = [...supplies, ...wallets];
  const unread = all.filter((row) => typeof row === 'string');
  if (all.length > 0 && unread.length === all.length) throw new ShapeError('multicall: no result');
  return { supplies: supplies.flatMap(read), wallets: wallets.flatMap(read), unread };
}

/** The protocol of EVM chains. Block numbers come from the chain itself: Multicall3 on arbitrum returns those of L1. */
export const evmProtocol = (targets: EvmTargets): Protocol<EvmSample> => ({
  async look(attempt) {
    const client = evmClient(attempt);
    const [identity, block] = await Promise.all([
      client.request({ method: 'eth_chainId' }),
      client.request({ method: 'eth_blockNumber' }),
    ]);
    return { identity: count(identity, 'chain id'), block: count(block, 'block number') };
  },
  async read(attempt) {
    const [gas, contracts] = await Promise.all([
      evmClient(attempt).request({ method: 'eth_gasPrice' }),
      contractsOf(attempt, targets),
    ]);
    return { gas_gwei: gasPrice(gas), ...contracts };
  },
});
