/**
 * The state of an EVM chain, read in one HTTP request: block number, gas price, and everything that contracts know in
 * one `eth_call` to Multicall3.
 */
import { createClient, type Hex } from 'viem';
import type { EvmChainId } from '../../config/chains.ts';
import {
  type HotWallets,
  hotWallets,
  type Stablecoin,
  stablecoins,
  supplyContracts,
  type TokenContract,
} from '../../config/tokens.ts';
import { ShapeError } from '../failure.ts';
import { wholeCoins } from './amount.ts';
import type { Protocol } from './failover.ts';
import { type Amounts, amountsIn, amountsOf, type Question } from './multicall.ts';
import { type Attempt, viemTransport } from './transport.ts';

/** One read of an EVM chain; amounts in whole coins. */
export interface EvmSample {
  block: number;
  gasGwei: number;
  supplies: { token: Stablecoin; total: number }[];
  wallets: { label: string; eth: number; usdc: number; usdt: number }[];
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

/** A quantity as JSON-RPC writes it: 0x, then hexadecimal digits. https://ethereum.org/developers/docs/apis/json-rpc */
function quantity(value: unknown, what: string): bigint {
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

/** Everything that is asked about a list of targets. */
function questionsOf({ supplies, wallets }: EvmTargets): Question[] {
  const contracts = stablecoins.flatMap((token) => supplies[token] ?? []);
  const addresses = wallets.flatMap((group) => group.addresses);
  return [
    ...contracts.flatMap(({ address }): Question[] => [
      { ask: 'decimals', of: address },
      { ask: 'totalSupply', of: address },
    ]),
    ...addresses.flatMap((holder): Question[] => [
      { ask: 'ether', of: holder },
      ...contracts.map(({ address }): Question => ({ ask: 'balance', of: address, holder })),
    ]),
  ];
}

/** The sum in whole coins, or null when a part of it is missing: part of a sum is a wrong number. */
function total(parts: readonly { raw: bigint | null; decimals: number }[]): number | null {
  const scale = Math.max(0, ...parts.map(({ decimals }) => decimals));
  let sum = 0n;
  for (const { raw, decimals } of parts) {
    if (raw === null) return null;
    sum += raw * 10n ** BigInt(scale - decimals);
  }
  return wholeCoins(sum, scale);
}

/** An amount of a contract whose own decimals are the configured ones; others would make any amount a wrong number. */
function trusted(contract: TokenContract, amounts: Amounts, question: Question) {
  const { address: of, decimals } = contract;
  const right = amounts({ ask: 'decimals', of }) === BigInt(decimals);
  return { raw: right ? amounts(question) : null, decimals };
}

/** A supply of zero is refused. */
function suppliesIn({ supplies }: EvmTargets, amounts: Amounts) {
  return stablecoins.flatMap((token) => {
    const contracts = supplies[token];
    if (!contracts) return [];
    const parts = contracts.map((contract) =>
      trusted(contract, amounts, { ask: 'totalSupply', of: contract.address }),
    );
    return [{ token, total: total(parts) }];
  });
}

function heldBy(
  addresses: readonly Hex[],
  contracts: readonly TokenContract[],
  amounts: Amounts,
): number | null {
  return total(
    addresses.flatMap((holder) =>
      contracts.map((contract) =>
        trusted(contract, amounts, { ask: 'balance', of: contract.address, holder }),
      ),
    ),
  );
}

function walletsIn({ supplies: { USDC = [], USDT = [] }, wallets }: EvmTargets, amounts: Amounts) {
  return wallets.map(({ label, addresses }) => {
    const held = addresses.map((of) => ({ raw: amounts({ ask: 'ether', of }), decimals: ether }));
    const eth = total(held);
    const usdc = heldBy(addresses, USDC, amounts);
    const usdt = heldBy(addresses, USDT, amounts);
    return {
      label,
      sum: eth === null || usdc === null || usdt === null ? null : { eth, usdc, usdt },
    };
  });
}

/** The two lists out of the amounts; incomplete rows are named in `unread`. */
function listsOf(
  targets: EvmTargets,
  amounts: Amounts,
): Pick<EvmSample, 'supplies' | 'wallets' | 'unread'> {
  const supplies = suppliesIn(targets, amounts);
  const wallets = walletsIn(targets, amounts);
  return {
    supplies: supplies.flatMap((row) =>
      row.total ? [{ token: row.token, total: row.total }] : [],
    ),
    wallets: wallets.flatMap(({ label, sum }) => (sum ? [{ label, ...sum }] : [])),
    unread: [
      ...supplies.flatMap((row) => (row.total ? [] : [row.token])),
      ...wallets.flatMap(({ label, sum }) => (sum ? [] : [label])),
    ],
  };
}

/** The protocol of EVM chains. Block numbers come from the chain itself: Multicall3 on arbitrum returns those of L1. */
export function evmProtocol(targets: EvmTargets): Protocol<EvmSample> {
  const questions = questionsOf(targets);
  const multicall = amountsOf(questions);
  const clientOf = (attempt: Attempt) => createClient({ transport: viemTransport(attempt) });
  return {
    async probe(attempt) {
      const client = clientOf(attempt);
      const [identity, block] = await Promise.all([
        client.request({ method: 'eth_chainId' }),
        client.request({ method: 'eth_blockNumber' }),
      ]);
      return { identity: count(identity, 'chain id'), block: count(block, 'block number') };
    },
    async read(attempt) {
      const client = clientOf(attempt);
      const [block, gas, data] = await Promise.all([
        client.request({ method: 'eth_blockNumber' }),
        client.request({ method: 'eth_gasPrice' }),
        client.request({ method: 'eth_call', params: [multicall, 'latest'] }),
      ]);
      return {
        block: count(block, 'block number'),
        gasGwei: gasPrice(gas),
        ...listsOf(targets, amountsIn(questions, data)),
      };
    },
  };
}
