import type { Test } from 'tap';
import { isRecord } from '../../../actors/read.ts';
import { chainVenues } from '../../../scripts/simulator/chains/registry.ts';
import { defi } from '../../../scripts/simulator/defi/registry.ts';
import type { Model } from '../../../scripts/simulator/model.ts';
import { walletVenues } from '../../../scripts/simulator/wallet/registry.ts';
import { FakeClock } from '../../support/clock.ts';
import { simulated } from '../../support/simulated.ts';

export const now = Date.UTC(2026, 7, 14, 13, 37, 21);

export interface WalletStage {
  model: Model;
  /** Of loopback; the host of an upstream is the first part of the path. */
  url: string;
  get(url: string): Promise<{ status: number; body: unknown }>;
  rpc(url: string, method: string, params: unknown[]): Promise<Record<string, unknown>>;
}

/** Starts them with a model that has every well known coin but POL; the end of the test stops them. */
export async function walletStage(t: Test, { seed = 3, at = now } = {}): Promise<WalletStage> {
  const clock = new FakeClock(at);
  const venues = [...walletVenues, ...defi, ...chainVenues()];
  const { url, model } = await simulated(t, venues, { clock, seed, symbols: 30 });
  const where = (upstream: string) => upstream.replace('https:/', url);
  const get = async (upstream: string) => {
    const response = await fetch(where(upstream));
    const body: unknown = await response.json();
    return { status: response.status, body };
  };
  const rpc = async (upstream: string, method: string, params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(where(upstream), { method: 'POST', body });
    return record(await response.json());
  };
  return { model, url, get, rpc };
}

/** A JSON object, or an error. */
export function record(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value;
  throw new Error(`no object: ${JSON.stringify(value)?.slice(0, 200)}`);
}

/** A JSON list, or an error. */
export function list(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.map(record);
  throw new Error(`no list: ${JSON.stringify(value)?.slice(0, 200)}`);
}
