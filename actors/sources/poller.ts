/** The actor that polls one request group: ask, hand the bodies to its topics, plan the next poll. */
import { type Failure, failed, type Result } from '../failure.ts';
import type { Actor, ActorContext, Behaviour } from '../kernel/actor.ts';
import { fullJitter } from '../kernel/backoff.ts';
import type { Cancel } from '../kernel/clock.ts';
import type { HttpClient } from '../upstream/client.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../upstream/request.ts';
import type { Part } from '../venues/venue.ts';
import type { InstrumentBook } from './instruments.ts';
import type { Catch, Outlet } from './outlet.ts';
import { nextMarkets, type Turnovers } from './rotation.ts';

/** `poll`: the time has come. `hurry`: poll now unless a poll ended a moment ago. */
export type PollerMessage = 'poll' | 'hurry';

/** Any topic's outlet, as far as a poller minds. */
export type AnyOutlet = Pick<Outlet<never>, 'status' | 'open' | 'take' | 'fail' | 'report'>;

/** What a poller needs to know and to reach. */
export interface PollerOptions {
  source: string;
  part: string;
  every: number;
  group: Pick<Part<never>, 'requests' | 'needsInstruments' | 'rotates' | 'most'>;
  /** The first is the topic that the requests belong to; made anew for every life. */
  outlets(): AnyOutlet[];
  client: HttpClient;
  book: InstrumentBook;
  turnovers: Turnovers;
  random(): number;
}

/** Longest that one poll may take, and how soon `hurry` may follow a poll. */
const pollDeadline = 20_000;
const hurryPause = 60_000;
/** First polls start within this time, so that a process does not ask everything at once. */
const spread = 1_000;
const retryDelay = { base: 2_000, cap: 30_000 };

class Poller implements Actor<PollerMessage> {
  readonly #context: ActorContext<PollerMessage>;
  readonly #options: PollerOptions;
  readonly #outlets: AnyOutlet[];
  #cursor = 0;
  #lastPoll = 0;
  #unsubscribe: Cancel = () => {};
  #cancel: Cancel = () => {};

  constructor(context: ActorContext<PollerMessage>, options: PollerOptions) {
    this.#context = context;
    this.#options = options;
    this.#outlets = options.outlets();
  }

  async started(): Promise<void> {
    const { source, part, book, group, random } = this.#options;
    await Promise.all(this.#outlets.map((outlet) => outlet.open()));
    if (group.needsInstruments || group.rotates) {
      this.#unsubscribe = book.onChange(source, part, () => {
        if (this.#lastPoll === 0) this.#context.self.tell('poll');
      });
    }
    this.#plan(random() * spread);
  }

  stopped(): void {
    this.#unsubscribe();
  }

  async receive(message: PollerMessage): Promise<void> {
    const { source, part, book, group } = this.#options;
    const now = this.#context.clock.now();
    if (message === 'hurry' && now - this.#lastPoll < hurryPause) return;
    const instruments = book.part(source, part);
    if ((group.needsInstruments || group.rotates) && instruments.size === 0) return;
    this.#lastPoll = now;
    for (const { status } of this.#outlets) status.last_attempt = now;
    const failure = await this.#poll();
    if (this.#context.signal.aborted) return;
    this.#plan(this.#delay(failure));
  }

  /** One poll from request to stream; the failure of its requests or of its first topic, or null. */
  async #poll(): Promise<Failure | null> {
    const { source, part, book } = this.#options;
    const caught = await this.#fetch();
    const failures: (Failure | null)[] = [];
    for (const outlet of this.#outlets) {
      const failure = caught.ok
        ? await outlet.take(caught.value, {
            received: caught.value.received,
            instruments: book.part(source, part),
          })
        : caught.failure;
      if (failure) outlet.fail(failure, this.#context.clock.now());
      failures.push(failure);
    }
    return failures[0] ?? null;
  }

  #requests(): readonly UpstreamRequest[] {
    const { source, part, group, book, turnovers, every } = this.#options;
    const now = this.#context.clock.now();
    if (!group.rotates) return group.requests({ markets: [], now });
    const ranked = turnovers.ranked(source, part, book.part(source, part));
    const { markets, cursor } = nextMarkets(ranked, this.#cursor, {
      every,
      most: group.most,
    });
    this.#cursor = cursor;
    return group.requests({ markets, now });
  }

  async #fetch(): Promise<Result<Catch>> {
    const { client, every } = this.#options;
    const { signal, clock } = this.#context;
    const deadline = Math.min(pollDeadline, every);
    const requests = this.#requests();
    if (requests.length === 0) return failed('shape', 'there is no market to ask');
    const results = await Promise.all(
      requests.map((request) => client.send(request, { deadline, signal })),
    );
    return gather(requests, results, clock.now());
  }

  /** After a failure soon again, but never before the upstream allows it; after a success when it is due. */
  #delay(failure: Failure | null): number {
    const { every, random } = this.#options;
    if (failure === null) return every;
    const failures = this.#outlets[0]?.status.failures ?? 0;
    const soon = retryDelay.base + fullJitter(failures, retryDelay, random);
    return Math.max(failure.retryAfter ?? 0, Math.min(every, soon));
  }

  #plan(delay: number): void {
    const { client, group } = this.#options;
    const api = group.requests({ markets: [''], now: 0 })[0]?.api;
    const breaker = api === undefined ? 'closed' : client.state(api).breaker;
    const next = this.#context.clock.now() + Math.round(delay);
    this.#cancel();
    this.#cancel = this.#context.after(delay, 'poll');
    for (const outlet of this.#outlets) {
      Object.assign(outlet.status, { breaker, next_poll: next });
      outlet.report();
    }
  }
}

/**
 * The bodies of one poll. A request about the venue as a whole fails the poll; one about a single market loses
 * that market, unless all of them fail.
 */
export function gather(
  requests: readonly UpstreamRequest[],
  results: readonly Result<UpstreamAnswer>[],
  now: number,
): Result<Catch> {
  const bodies: unknown[] = [];
  let [asked, received, lost, single] = [now, 0, 0, 0];
  let failure: Failure | null = null;
  for (const [i, result] of results.entries()) {
    const about = requests[i]?.market;
    if (about !== undefined) single++;
    if (result.ok) {
      asked = Math.min(asked, result.value.asked);
      received = Math.max(received, result.value.received);
      bodies.push(result.value.body);
      continue;
    }
    if (about === undefined) return result;
    bodies.push(undefined);
    if (result.failure.code === 'unknown_instrument') continue;
    lost++;
    failure = result.failure;
  }
  if (failure && lost === single) return { ok: false, failure };
  return { ok: true, value: { bodies, asked, received: received || now, lost } };
}

/** The behaviour of a poller, for a supervisor. */
export const poller =
  (options: PollerOptions): Behaviour<PollerMessage> =>
  (context) =>
    new Poller(context, options);
