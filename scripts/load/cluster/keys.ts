/** Keys that are made and revoked while processes and the master of Redis are killed. */
import { setTimeout as rest } from 'node:timers/promises';
import { type Call, callApi } from '../api.ts';
import type { Balancer } from './balancer.ts';
import { type Finding, most, note } from './findings.ts';

const pause = 1_000;
const timeout = 15_000;

interface Made {
  id: string;
  key: string;
}

export class Keys {
  /** Changes that were answered with success, and those that were not. */
  #made = 0;
  #revoked = 0;
  #refused = 0;
  /** Requests with a revoked key that worked, and with a good one that was unknown. */
  #worked = 0;
  #lost = 0;
  #asked = 0;
  readonly #balancer: Balancer;
  readonly #token: string;
  readonly #alive: Made[] = [];
  readonly #dead: Made[] = [];
  #isOver = false;

  constructor(balancer: Balancer, token: string) {
    this.#balancer = balancer;
    this.#token = token;
  }

  /** A key of the account. Rejects when none can be made. */
  async make(): Promise<string> {
    const made = await this.#make();
    if (made === null) throw new Error('no API key can be made');
    return made.key;
  }

  /** Makes two keys, revokes one, and asks with old ones of both kinds, until stopped. */
  async run(): Promise<void> {
    for (; !this.#isOver; await rest(pause)) {
      await this.#change();
      await this.#ask(this.#dead, (status) => {
        if (status < 400) this.#worked++;
      });
      await this.#ask(this.#alive, (status) => {
        if (status === 401) this.#lost++;
      });
    }
  }

  stop(): void {
    this.#isOver = true;
  }

  findings(): Finding[] {
    const changes = `${this.#made} made, ${this.#revoked} revoked, ${this.#refused} changes refused`;
    return [
      note('keys', `${changes}; ${this.#asked} questions`),
      most('revoked keys that worked', this.#worked, 0),
      most('keys that were lost', this.#lost, 0),
    ];
  }

  async #change(): Promise<void> {
    const [first, second] = [await this.#make(), await this.#make()];
    if (second !== null) this.#alive.push(second);
    if (first === null) return;
    const answer = await this.#call(`/${first.id}`, { method: 'DELETE' });
    if (answer?.status !== 200) {
      this.#refused++;
      return;
    }
    this.#revoked++;
    this.#dead.push(first);
  }

  async #make(): Promise<Made | null> {
    const answer = await this.#call('', { method: 'POST', body: { name: 'load' } });
    if (answer?.status !== 201 || !answer.data) {
      this.#refused++;
      return null;
    }
    this.#made++;
    return answer.data;
  }

  /** A request with one of the keys, the newest of them more often. */
  async #ask(keys: readonly Made[], take: (status: number) => void): Promise<void> {
    const one = keys.at(-1 - Math.floor(Math.random() ** 2 * keys.length));
    if (one === undefined) return;
    const asked = { path: '/v1/prices?symbol=BTC', key: one.key, timeout };
    const answer = await this.#balancer.ask(asked).catch(() => null);
    if (answer === null) return;
    this.#asked++;
    take(answer.status);
  }

  /** Null where no process answered. */
  async #call(path: string, call: Call) {
    const url = `http://127.0.0.1:${this.#balancer.next()}/v1/auth/keys${path}`;
    const headers = { authorization: `Bearer ${this.#token}` };
    return await callApi<Made>(url, { ...call, headers }).catch(() => null);
  }
}
