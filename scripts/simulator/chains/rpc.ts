/** The simulated JSON-RPC nodes of EVM chains and of Solana: single calls and batches. */
import { type Hex, isAddress, isHex, numberToHex } from 'viem';
import { chains, type EvmChainId } from '../../../config/chains.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';
import { called, Revert } from './contracts.ts';
import { balanceAt, gasPriceAt, heightAt } from './ledger.ts';
import { lamportsOf, tokenAccountsOf } from './solana.ts';

/** Ways in which one endpoint differs from a good one. */
export interface Quirks {
  /** Blocks behind. */
  lag?: number;
  /** Stands still since this moment, Unix ms. */
  stuckAt?: number;
  /** Says so when asked for the chain: an EIP-155 id, or a hash on solana. */
  identity?: number | string;
  /** Most calls in one batch; 0 takes no batches at all. */
  batch?: number;
}

/** Thrown by a method; becomes the error object of the call. */
class CallError extends Error {
  readonly code: number;
  readonly data: Hex | undefined;
  constructor(code: number, message: string, data?: Hex) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

interface Node {
  seed: number;
  now: number;
  quirks: Quirks;
}
type Method = (node: Node, params: readonly unknown[]) => unknown;

/** The height that an endpoint with these quirks states. */
export const heightWith = (
  chain: Parameters<typeof heightAt>[0],
  { now, quirks }: Pick<Node, 'now' | 'quirks'>,
): number => heightAt(chain, Math.min(now, quirks.stuckAt ?? now)) - (quirks.lag ?? 0);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function contractCall(chain: EvmChainId, node: Node, params: readonly unknown[]): Hex {
  const [call] = params;
  const { to, data, input } = isObject(call) ? call : {};
  const bytes = data ?? input ?? '0x';
  if (typeof to !== 'string' || !isHex(bytes)) {
    throw new CallError(-32602, 'invalid argument 0: to and data');
  }
  const { seed, now } = node;
  try {
    return called({ chain, seed, now }, to, bytes);
  } catch (error) {
    if (error instanceof Revert) throw new CallError(3, error.message, error.data);
    throw error;
  }
}

const evmMethods = (chain: EvmChainId): Readonly<Record<string, Method>> => ({
  eth_chainId: ({ quirks }) => numberToHex(Number(quirks.identity ?? chains[chain].identity)),
  eth_blockNumber: (node) => numberToHex(heightWith(chain, node)),
  eth_gasPrice: ({ seed, now }) => numberToHex(gasPriceAt(chain, seed, now)),
  eth_call: (node, params) => contractCall(chain, node, params),
  eth_getBalance: ({ seed, now }, [holder]) => {
    if (typeof holder !== 'string' || !isAddress(holder, { strict: false })) {
      throw new CallError(-32602, 'invalid argument 0: address');
    }
    return numberToHex(balanceAt({ chain, holder, token: null }, seed, now));
  },
});

const inContext = (node: Node, value: unknown) => ({
  context: { apiVersion: '2.0.15', slot: heightWith('solana', node) },
  value,
});

function solanaBalance(node: Node, [owner]: readonly unknown[]): unknown {
  const lamports = typeof owner === 'string' ? lamportsOf(owner) : null;
  if (lamports === null) throw new CallError(-32602, 'Invalid param: Invalid');
  return inContext(node, lamports);
}

/** Accounts come parsed, whatever encoding is asked for. */
function tokenAccounts(node: Node, [owner, filter]: readonly unknown[]): unknown {
  const found = tokenAccountsOf(owner, isObject(filter) ? filter : {});
  if (typeof found === 'string') throw new CallError(-32602, found);
  return inContext(node, found);
}

const solanaMethods: Readonly<Record<string, Method>> = {
  getGenesisHash: ({ quirks }) => String(quirks.identity ?? chains.solana.identity),
  getSlot: (node) => heightWith('solana', node),
  getBalance: solanaBalance,
  getTokenAccountsByOwner: tokenAccounts,
};

function answerTo(methods: Readonly<Record<string, Method>>, node: Node, call: unknown): unknown {
  const { id = null, method, params = [] } = isObject(call) ? call : {};
  const name = typeof method === 'string' && Object.hasOwn(methods, method) ? method : '';
  const envelope = { jsonrpc: '2.0', id };
  try {
    const run = methods[name];
    if (!run) throw new CallError(-32601, `the method ${String(method)} does not exist`);
    return { ...envelope, result: run(node, Array.isArray(params) ? params : []) };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const { code, message, data } = error;
    return { ...envelope, error: { code, message, ...(data !== undefined && { data }) } };
  }
}

const refuse = (status: number, code: number, message: string): never => {
  throw new Refused(status, { jsonrpc: '2.0', id: null, error: { code, message } });
};

function callsIn(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return refuse(400, -32700, 'parse error');
  }
}

/** The answer of a node. Batches come back in reverse: the protocol promises no order. */
function answerOf(
  methods: Readonly<Record<string, Method>>,
  ask: Ask,
  { quirks }: Pick<Node, 'quirks'>,
): unknown {
  if (ask.method !== 'POST') return refuse(405, -32600, 'method not allowed');
  const calls = callsIn(ask.body);
  const node = { seed: ask.model.seed, now: ask.now, quirks };
  if (!Array.isArray(calls)) return answerTo(methods, node, calls);
  if (calls.length === 0) return refuse(400, -32600, 'empty batch');
  if (calls.length > (quirks.batch ?? 100)) return refuse(400, -32600, 'the batch is too large');
  return calls.map((call) => answerTo(methods, node, call)).reverse();
}

/** How the node of a chain answers. */
export function nodeOf(chain: EvmChainId | 'solana'): (ask: Ask, quirks: Quirks) => unknown {
  const methods = chain === 'solana' ? solanaMethods : evmMethods(chain);
  return (ask, quirks) => answerOf(methods, ask, { quirks });
}
