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
import type { ChainReading, SupplyRow, WalletRow } from '../topics/chains.ts';
import { wholeCoins } from './amount.ts';
import { type Attempt, failureIn, viemTransport } from './endpoint.ts';

/** What one read of an EVM chain gives besides its height; amounts in whole coins. */
export interface EvmSample {
  gas_gwei: number;
  supplies: Omit<SupplyRow, 'chain' | 'updated_at'>[];
  wallets: Omit<WalletRow, 'chain' | 'updated_at'>[];
  /** Unreadable entries of the two lists above: tokens and labels. */
  dropped: ChainReading['dropped'];
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

/** Null where the contract reverts or gives no number; rejects where the endpoint failed. */
export const orNull = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (failureIn(error)) throw error;
    return null;
  });

/** Smallest units of a contract, or of the native coin. */
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

/** Sums over contracts and holders. What is asked in one turn of the event loop goes out as one call. */
function sumsOf(attempt: Attempt, { supplies }: EvmTargets) {
  const client = evmClient(attempt);
  const contract = (address: Hex) => ({ address, abi: erc20Abi });
  const statedDecimals = new Map<Hex, Promise<number | null>>();
  /** What each contract of a token says. One whose own decimals are not the configured ones would give a wrong number. */
  const ofToken = (token: Stablecoin, answerOf: (address: Hex) => Promise<bigint>) =>
    (supplies[token] ?? []).map(async ({ address, decimals }): Promise<Amount> => {
      const asked = statedDecimals.get(address);
      const stated =
        asked ?? orNull(client.readContract({ ...contract(address), functionName: 'decimals' }));
      statedDecimals.set(address, stated);
      const [own, raw] = await Promise.all([stated, orNull(answerOf(address))]);
      return { raw: own === decimals ? raw : null, decimals };
    });
  const balance = (address: Hex, holder: Hex) =>
    client.readContract({ ...contract(address), functionName: 'balanceOf', args: [holder] });
  return {
    supply: (token: Stablecoin) =>
      total(
        ofToken(token, (address) =>
          client.readContract({ ...contract(address), functionName: 'totalSupply' }),
        ),
      ),
    held: (token: Stablecoin, holders: readonly Hex[]) =>
      total(holders.flatMap((holder) => ofToken(token, (address) => balance(address, holder)))),
    ethers: (holders: readonly Hex[]) =>
      total(
        holders.map(async (address) => {
          const raw = await orNull(client.getBalance({ address }));
          return { raw, decimals: ether };
        }),
      ),
  };
}

/** Which chain it is and how high. Block numbers come from the chain itself: Multicall3 on arbitrum returns those of L1. */
export async function evmHead(attempt: Attempt) {
  const client = evmClient(attempt);
  const [identity, block] = await Promise.all([
    client.request({ method: 'eth_chainId' }),
    client.request({ method: 'eth_blockNumber' }),
  ]);
  return { identity: count(identity, 'chain id'), block: count(block, 'block number') };
}

/** Gas price, supplies and wallets. A supply of zero is refused; so is an endpoint that gives no row at all. */
export async function readEvm(attempt: Attempt, targets: EvmTargets): Promise<EvmSample> {
  const sums = sumsOf(attempt, targets);
  const supplyOf = async (token: Stablecoin) => ({ token, total_supply: await sums.supply(token) });
  const walletOf = async ({ label, addresses }: EvmTargets['wallets'][number]) => {
    const [eth_balance, usdc_balance, usdt_balance] = await Promise.all([
      sums.ethers(addresses),
      sums.held('USDC', addresses),
      sums.held('USDT', addresses),
    ]);
    return { label, eth_balance, usdc_balance, usdt_balance };
  };
  const [gas, supplies, wallets] = await Promise.all([
    evmClient(attempt).request({ method: 'eth_gasPrice' }),
    Promise.all(stablecoins.filter((token) => targets.supplies[token]).map(supplyOf)),
    Promise.all(targets.wallets.map(walletOf)),
  ]);
  const wei = quantity(gas, 'gas price');
  if (wei === 0n) throw new ShapeError('gas price is 0');
  const sample: EvmSample = {
    gas_gwei: wholeCoins(wei, gwei),
    supplies: [],
    wallets: [],
    dropped: [],
  };
  for (const { token, total_supply } of supplies) {
    if (total_supply) sample.supplies.push({ token, total_supply });
    else sample.dropped.push({ key: token, code: 'bad_row' });
  }
  for (const { label, eth_balance, usdc_balance, usdt_balance } of wallets) {
    if (eth_balance === null || usdc_balance === null || usdt_balance === null)
      sample.dropped.push({ key: label, code: 'bad_row' });
    else sample.wallets.push({ label, eth_balance, usdc_balance, usdt_balance });
  }
  const asked = supplies.length + wallets.length;
  if (asked > 0 && sample.dropped.length === asked) throw new ShapeError('multicall: no result');
  return sample;
}
