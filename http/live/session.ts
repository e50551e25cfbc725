/** A client that follows answers over one connection, whatever its transport. */
import { late, within } from '../../actors/kernel/clock.ts';
import type { Caller } from '../caller.ts';
import { type ApiError, apiError, isApiError } from '../errors.ts';
import { missing, usedUp } from '../wire/admission.ts';
import type { Shared } from '../wire/shared.ts';
import { type Message, type Receiver, Subscription, type Wishes } from './subscription.ts';
import type { Target, Topics } from './topics.ts';

/** Most subscriptions of one connection. */
const mostSubscriptions = 200;
/** Longest that a quota may take to be counted, ms. */
const countDeadline = 2_000;

/** How a session reaches its client. */
export interface Transport {
  readonly full: boolean;
  write(subscription: Subscription, message: Message): void;
  /** Ends the connection; `code` as in RFC 6455, 7.4. */
  end(code: number, reason: string): void;
}

/** What the sessions of one server share. */
export interface LiveContext {
  shared: Shared;
  topics: Topics;
}

/** Whose connection it is. */
export interface Client {
  address: string;
  caller: Caller | null;
  /** The credential, for checks while the connection lasts; empty without one. */
  key: string;
}

/** The caller with a key; null where all access is open. Never rejects. */
export async function callerOf({ guard }: Shared, key: string): Promise<Caller | ApiError | null> {
  return guard.gate === undefined ? null : guard.gate.byKey(key);
}

/** The name under which the connections of a client are counted. */
export const nameOf = ({ caller, address }: Client): string =>
  caller === null ? `stream:address:${address}` : `stream:account:${caller.account}`;

/** Checks and counts one subscription, like one request. */
async function admit({ shared }: LiveContext, { endpoint }: Target, client: Client) {
  const { gate, quota } = shared.guard;
  const { caller, address } = client;
  const { row } = endpoint;
  if (gate !== undefined && row.access !== 'open' && caller === null) return missing.key;
  if (quota === undefined || row.free === true) return null;
  const allowance = caller === null ? quota.address(address) : quota.account(caller);
  const taken = await within(
    shared.clock,
    countDeadline,
    Promise.resolve(allowance.take(caller?.key ?? '')),
  );
  if (taken === late) return apiError('store_unavailable');
  return taken ? null : usedUp(allowance.limit, caller === null ? 'address' : 'plan');
}

export class Session implements Receiver {
  readonly #context: LiveContext;
  readonly #transport: Transport;
  readonly #subscriptions = new Map<string | number, Subscription>();
  /** Since when the client has read nothing, Unix ms; null while it reads. */
  #fullSince: number | null = null;
  #ended = false;
  client: Client;

  constructor(
    context: LiveContext,
    { client, transport }: { client: Client; transport: Transport },
  ) {
    this.#context = context;
    this.#transport = transport;
    this.client = client;
  }

  get full(): boolean {
    return this.#ended || this.#transport.full;
  }

  send(subscription: Subscription, message: Message): void {
    this.#transport.write(subscription, message);
  }

  /** Follows the answer at `path` and sends its first message; the error if that is not possible. */
  async subscribe(id: string | number, path: string, wishes: Wishes): Promise<ApiError | null> {
    if (this.#subscriptions.has(id)) {
      return apiError('bad_parameter', `id ${JSON.stringify(id)} has a subscription already`);
    }
    if (this.#subscriptions.size >= mostSubscriptions) {
      return apiError('too_many_requests', `a connection takes ${mostSubscriptions} subscriptions`);
    }
    const target = this.#context.topics.resolve(path);
    if (isApiError(target)) return target;
    const refusal = await admit(this.#context, target, this.client);
    if (refusal !== null || this.#ended) return refusal;
    return this.#begin(id, target, wishes);
  }

  /** Whether there was such a subscription. */
  unsubscribe(id: string | number): boolean {
    const subscription = this.#subscriptions.get(id);
    if (subscription === undefined) return false;
    this.#drop(subscription);
    return true;
  }

  /** Sends what waited until the client had read more. */
  flush(): void {
    for (const subscription of this.#subscriptions.values()) subscription.flush();
  }

  /** How long the client has read nothing, ms, as far as checks have seen it. */
  blockedFor(now: number): number {
    if (!this.full) this.#fullSince = null;
    else this.#fullSince ??= now;
    return this.#fullSince === null ? 0 : now - this.#fullSince;
  }

  end(code: number, reason: string): void {
    if (!this.#ended) this.#transport.end(code, reason);
  }

  /** The connection has ended. */
  ended(): void {
    this.#ended = true;
    for (const subscription of [...this.#subscriptions.values()]) this.#drop(subscription);
  }

  #begin(id: string | number, target: Target, wishes: Wishes): ApiError | null {
    const { topics, shared } = this.#context;
    const topic = topics.of(target);
    if (isApiError(topic)) return topic;
    const around = { id, wishes, receiver: this, clock: shared.clock };
    const subscription = new Subscription(topic, around);
    topics.follow(topic, subscription);
    this.#subscriptions.set(id, subscription);
    subscription.start();
    return null;
  }

  #drop(subscription: Subscription): void {
    subscription.stop();
    this.#context.topics.unfollow(subscription.topic, subscription);
    this.#subscriptions.delete(subscription.id);
  }
}
