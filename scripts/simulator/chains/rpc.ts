/** The simulated JSON-RPC nodes of EVM chains and of Solana. They take no batches: the service sends none. */
import { isRecord } from '../../../actors/read.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';
import { heightAt } from './ledger.ts';

/** Ways in which one endpoint differs from a good one. */
export interface Quirks {
  /** Blocks behind. */
  lag?: number;
  /** Stands still since this moment, Unix ms. */
  stuckAt?: number;
  /** Says so when asked for the chain: an EIP-155 id, or a hash on solana. */
  identity?: number | string;
}

/** Thrown by a method; becomes the error object of the call. */
export class CallError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The state that a call sees. */
export interface Node {
  seed: number;
  /** Unix ms. */
  now: number;
  quirks: Quirks;
}

export type Method = (node: Node, params: readonly unknown[]) => unknown;

/** The height that an endpoint with these quirks states. */
export const heightWith = (
  chain: Parameters<typeof heightAt>[0],
  { now, quirks }: Pick<Node, 'now' | 'quirks'>,
): number => heightAt(chain, Math.min(now, quirks.stuckAt ?? now)) - (quirks.lag ?? 0);

function callIn(body: string): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(body);
    if (isRecord(found)) return found;
  } catch {}
  const error = { code: -32600, message: 'invalid request' };
  throw new Refused(400, { jsonrpc: '2.0', id: null, error });
}

/** How a node with these methods answers. */
export const nodeOf =
  (methods: Readonly<Record<string, Method>>) =>
  ({ body, model, now }: Ask, quirks: Quirks): unknown => {
    const { id = null, method, params } = callIn(body);
    try {
      const run = Object.hasOwn(methods, String(method)) ? methods[String(method)] : undefined;
      if (!run) throw new CallError(-32601, `the method ${String(method)} does not exist`);
      const result = run({ seed: model.seed, now, quirks }, Array.isArray(params) ? params : []);
      return { jsonrpc: '2.0', id, result };
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } };
    }
  };
