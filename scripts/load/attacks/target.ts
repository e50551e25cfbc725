/** What is attacked, and what an attack gives. */
import { setTimeout as rest } from 'node:timers/promises';
import { type Call, callApi } from '../api.ts';
import { RawClient } from '../raw-client.ts';

/** A running service and what belongs to it; texts are empty where they were not given. */
export class Target {
  readonly url: URL;
  readonly key: string;
  readonly token: string;
  /** The origin of its simulator. */
  readonly simulator: string;
  /** Its Redis, as REDIS_URL has it. */
  readonly redis: string;

  constructor(
    url: URL,
    { key, token = '', simulator = '', redis = '' }: Readonly<Record<string, string>>,
  ) {
    this.url = url;
    this.key = key ?? '';
    this.token = token;
    this.simulator = simulator;
    this.redis = redis;
  }

  /** Headers with the key. */
  get own(): Record<string, string> {
    return { 'x-api-key': this.key };
  }

  /** Waits until the account of the token has the requests of a minute again, which an attack before may have used. */
  quota(): Promise<void> {
    return rest(61_000);
  }

  get bearer(): Record<string, string> {
    return { authorization: `Bearer ${this.token}` };
  }

  /** Asks, with the key unless there are other headers. */
  call<T>(path: string, { headers = this.own, ...call }: Call = {}) {
    return callApi<T>(new URL(path, this.url), { ...call, headers });
  }

  /** The `data` of an answer; undefined where it has none. */
  async read<T>(path: string): Promise<T | undefined> {
    return (await this.call<T>(path)).data;
  }

  /** A WebSocket that follows these paths. */
  async follow(paths: readonly string[]): Promise<RawClient> {
    const client = await RawClient.open(Number(this.url.port), { headers: this.own });
    for (const [id, path] of paths.entries()) client.say({ op: 'subscribe', id, path });
    return client;
  }

  /** Sets faults of the simulator; rejects where it refuses them. */
  async spoil(faults: readonly object[]): Promise<void> {
    const body = JSON.stringify(faults);
    const set = await fetch(`${this.simulator}/_control/faults`, { method: 'POST', body });
    if (!set.ok) throw new Error(`the simulator refuses: ${await set.text()}`);
  }

  /** Ends all faults. */
  async mend(): Promise<void> {
    await fetch(`${this.simulator}/_control/faults`, { method: 'DELETE' });
  }
}

/** What an attack measured, and whether that is within its bound. */
export interface Verdict {
  measured: string;
  bound: string;
  ok: boolean;
}

/** One attack. */
export interface Attack {
  what: string;
  /** Options that it needs besides the service and a key. */
  needs?: readonly ('token' | 'simulator' | 'redis')[];
  run: (target: Target) => Promise<Verdict>;
}
