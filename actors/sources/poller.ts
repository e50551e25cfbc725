/** The actor that polls one request group: ask, hand the bodies to its topics, plan the next poll. */
import { type Failure, failed, type Result } from '../failure.ts';
import type { Actor, ActorContext, Behaviour } from '../kernel/actor.ts';
import { fullJitter } from '../kernel/backoff.ts';
import type { Cancel } from '../kernel/clock.ts';
import type { HttpClient } from '../upstream/client.ts';
import type { UpstreamRequest } from '../upstream/request.ts';
import type { Part } from '../venues/venue.ts';
import { gather, StandIns } from './gather.ts';
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
/** Longest until the next poll when an optional request failed. */
const missingPause = 300_000;

class Poller implements Actor<PollerMessage> {
  readonly #context: ActorContext<PollerMessage>;
  readonly #options: PollerOptions;
  readonly #outlets: AnyOutlet[];
  readonly #standIns: StandIns;
  #cursor = 0;
  #lastPoll = 0;
  /** How long the last poll took, ms. */
  #took = 0;
  #unsubscribe: Cancel = () => {};
  #cancel: Cancel = () => {};

  constructor(context: ActorContext<PollerMessage>, options: PollerOptions) {
    this.#context = context;
    this.#options = options;
    this.#outlets = options.outlets();
    this.#standIns = new StandIns(options.every);
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
    const { failure, whole } = await this.#poll();
    if (this.#context.signal.aborted) return;
    this.#took = this.#context.clock.now() - now;
    this.#plan(this.#delay(failure, whole));
  }

  /**
   * One poll from request to stream: the failure of its requests or of its first topic, or null, and whether
   * every optional request was answered.
   */
  async #poll(): Promise<{ failure: Failure | null; whole: boolean }> {
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
    return { failure: failures[0] ?? null, whole: caught.ok && caught.value.missing === null };
  }

  #requests(): readonly UpstreamRequest[] {
    const { source, part, group, book, turnovers, every } = this.#options;
    const now = this.#context.clock.now();
    if (!group.rotates) return group.requests({ markets: [], now });
    const ranked = turnovers.ranked(source, part, book.part(source, part));
    const { markets, cursor } = nextMarkets(ranked, this.#cursor, {
      every: every + this.#took,
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
    const asked = await Promise.all(
      requests.map(async (request) => ({
        request,
        result: await client.send(request, { deadline, signal }),
      })),
    );
    return gather(asked, { now: clock.now(), standIns: this.#standIns });
  }

  /** After a failure soon again, but never before the upstream allows it; after a success when it is due. */
  #delay(failure: Failure | null, whole: boolean): number {
    const { every, random } = this.#options;
    if (failure === null) return whole ? every : Math.min(every, missingPause);
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

/** The behaviour of a poller, for a supervisor. */
export const poller =
  (options: PollerOptions): Behaviour<PollerMessage> =>
  (context) =>
    new Poller(context, options);
