/** A client that follows answers over one connection, whatever its transport. */
import { type Clock, late, within } from '../../../actors/kernel/clock.ts';
import { isPosition, type LogQuery, type LogStart } from '../../answers/numbered-log.ts';
import { accountIdOf } from '../../auth/caller.ts';
import type { StreamCounts } from '../../endpoints/stream-counts.ts';
import { logOf } from '../../live/followed.ts';
import { LogSubscription, requestsOf } from '../../live/log-subscription.ts';
import type { Id, Message } from '../../live/message.ts';
import type { Target } from '../../live/paths.ts';
import {
  type Groups,
  type Receiver,
  type Source,
  type Subscribed,
  Subscription,
  type SubscriptionOptions,
} from '../../live/subscription.ts';
import type { Mode } from '../../live/topic.ts';
import type { Steps } from '../../live/turns.ts';
import { type ApiError, apiError, isApiError, warmingUp } from '../../wire/errors.ts';
import { missing } from '../admission-check.ts';
import { closeCodes, reasonOf } from './close-codes.ts';
import { type Client, count, type LiveContext, shareOf, tooManySubscriptions } from './share.ts';

/** Most subscriptions of one connection. */
export const mostSubscriptions = 200;
/** Longest that a log may take to be read, ms. */
const readDeadline = 10_000;

/** How a session reaches its client. */
export interface Transport {
  readonly full: boolean;
  readonly groups?: Groups;
  /** `path` is that of the answer where one subscription has several. */
  write(subscription: Subscribed, message: Message, path: string | null): void;
  /** Tells the client that a subscription has ended with an error. */
  fail(subscription: Subscribed, error: ApiError): void;
  /** Ends the connection; `code` as in RFC 6455, 7.4. */
  end(code: number, reason: string): void;
}

const noLevels = apiError('bad_parameter', 'mode=levels is for order books of one market');

/** Whether the client may follow an endpoint in a mode. */
function refused(
  { shared }: LiveContext,
  { endpoint }: Target,
  { client: { caller }, mode }: { client: Client; mode: Mode },
) {
  if (mode === 'levels' && endpoint.row.levels !== true) return noLevels;
  const isMissing = shared.guard.gate !== undefined && endpoint.row.access !== 'open';
  return isMissing && caller === null ? missing.key : null;
}

/** A log, and where a client goes on in it: null for one that is new to it. */
interface LogSource {
  weight: 1;
  /** It counts like so many requests. */
  requests: number;
  query: LogQuery;
  from(): LogStart | null;
}

const badResume = apiError('bad_parameter', 'resume must be the position of a message of this log');

/** The log of an endpoint, once it has been read. */
async function logAt(
  target: Target,
  { options: { resume = '' }, account }: { options: SubscriptionOptions; account: string },
  clock: Clock,
): Promise<LogSource | ApiError> {
  const query = logOf(target, account);
  if (isApiError(query)) return query;
  if (resume !== '' && !isPosition(resume)) return badResume;
  const read = await within(clock, readDeadline, query.log.ready());
  if (read !== undefined) return read === late ? warmingUp : read;
  const from = () => (resume === '' ? null : query.log.after(resume));
  return { weight: 1, requests: requestsOf(query.log, from()), query, from };
}

export class Session implements Receiver {
  readonly #context: LiveContext;
  readonly #transport: Transport;
  readonly #subscriptions = new Map<Id, Subscribed>();
  #ended = false;
  readonly client: Client;

  constructor(
    context: LiveContext,
    { client, transport }: { client: Client; transport: Transport },
  ) {
    this.#context = context;
    this.#transport = transport;
    this.client = client;
  }

  get #counts(): StreamCounts {
    return this.#context.shared.counters.streams;
  }

  get clock(): Clock {
    return this.#context.shared.clock;
  }

  get full(): boolean {
    return this.#ended || this.#transport.full;
  }

  get groups(): Groups | undefined {
    return this.#transport.groups;
  }

  get account(): string {
    return accountIdOf(this.client.caller, this.client.address);
  }

  work(steps: Steps): void {
    this.#context.topics.turns.add(this.account, steps);
  }

  send(subscription: Subscribed, message: Message, path: string | null): void {
    this.#transport.write(subscription, message, path);
  }

  /** Follows what is at `path` and sends its first message; the error if that is not possible. Never rejects. */
  async subscribe(id: Id, path: string, options: SubscriptionOptions): Promise<ApiError | null> {
    const refusal = await this.#subscribe(id, path, options).catch((error: unknown) =>
      this.#threw(path, error),
    );
    if (refusal !== null) this.#counts.refused(refusal.error);
    return refusal;
  }

  async #subscribe(id: Id, path: string, options: SubscriptionOptions): Promise<ApiError | null> {
    const taken = this.#mayTake(id);
    if (taken !== null) return taken;
    const { topics } = this.#context;
    const target = topics.resolve(path, options.mode);
    if (isApiError(target)) return target;
    const refusal = refused(this.#context, target, {
      ...{ client: this.client, mode: options.mode },
    });
    if (refusal !== null) return refusal;
    const { account } = this;
    const log =
      options.mode === 'log' ? await logAt(target, { options, account }, this.clock) : null;
    if (log !== null && isApiError(log)) return log;
    // Counted first: a client that may not have it causes no work.
    const requests = log?.requests ?? topics.weightOf(path);
    const usedUp = await this.#count(target, requests);
    if (usedUp !== null || this.#ended) return usedUp;
    const source = log ?? topics.source(path, this.account);
    if (isApiError(source)) return source;
    // Another message may have come while that was counted.
    return this.#mayTake(id) ?? this.#begin(id, source, options);
  }

  /** Whether there was such a subscription. */
  unsubscribe(id: Id): boolean {
    const subscription = this.#subscriptions.get(id);
    if (subscription === undefined) return false;
    this.#drop(subscription);
    return true;
  }

  /** Sends what waited until the client had read more. */
  flush(): void {
    for (const subscription of this.#subscriptions.values()) {
      if (this.full) return;
      subscription.flush();
    }
  }

  failed(subscription: Subscribed, error: unknown): void {
    const fault = this.#threw('a stream', error);
    if (this.#subscriptions.get(subscription.id) !== subscription) return;
    this.#drop(subscription);
    this.#transport.fail(subscription, fault);
  }

  #threw(path: string, error: unknown): ApiError {
    this.#context.shared.log.error({ path, err: error }, 'work of streams threw');
    return apiError('internal');
  }

  lost(): void {
    this.end(...closeCodes.behind);
  }

  end(code: number, reason: string): void {
    if (this.#ended) return;
    const why = reasonOf(code);
    if (why !== undefined) this.#counts.closed(why);
    this.#transport.end(code, reason);
  }

  /** The connection has ended. */
  ended(): void {
    this.#ended = true;
    for (const subscription of [...this.#subscriptions.values()]) this.#drop(subscription);
  }

  async #count({ endpoint }: Target, weight: number): Promise<ApiError | null> {
    return endpoint.row.free === true ? null : count(this.#context, this.client, weight);
  }

  #mayTake(id: Id): ApiError | null {
    if (this.#subscriptions.has(id)) {
      return apiError('bad_parameter', `id ${JSON.stringify(id)} has a subscription already`);
    }
    if (this.#subscriptions.size < mostSubscriptions) return null;
    return apiError('too_many_requests', `a connection takes ${mostSubscriptions} subscriptions`);
  }

  #begin(id: Id, source: Source | LogSource, options: SubscriptionOptions): ApiError | null {
    const { shared } = this.#context;
    const { name, most } = shareOf(this.#context, this.client);
    if (!shared.inFlight.enter(name, most, source.weight)) return tooManySubscriptions;
    const around = { id, options, receiver: this };
    const subscription =
      'query' in source
        ? new LogSubscription(source.query, { ...around, from: source.from() })
        : new Subscription(source, around);
    this.#subscriptions.set(id, subscription);
    this.#counts.subscriptions += 1;
    try {
      subscription.start();
    } catch (error) {
      this.#drop(subscription);
      throw error;
    }
    return null;
  }

  #drop(subscription: Subscribed): void {
    subscription.stop();
    this.#subscriptions.delete(subscription.id);
    this.#counts.subscriptions -= 1;
    const { shared } = this.#context;
    shared.inFlight.leave(shareOf(this.#context, this.client).name, subscription.weight);
  }
}
