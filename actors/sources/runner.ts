/** Runs a source for as long as this process holds its lease: its feeds and jobs under one supervisor. */
import type { ActorRef } from '../kernel/actor.ts';
import type { Cancel } from '../kernel/clock.ts';
import type { Holder, Lease } from '../kernel/lease.ts';
import { createSupervisor, type Supervisor, type SupervisorEvent } from '../kernel/supervisor.ts';
import type { FeedStatus } from '../topics/index.ts';
import type { HolderContext, JobContext, JobSource, RunnerContext } from './context.ts';
import { type FeedsOptions, feedsOf, type Markets } from './feeds.ts';
import { type Job, type JobMessage, jobActor } from './job.ts';
import { HolderState, holderTopics, leaseOf } from './lease.ts';
import { SourceStatus } from './status/status.ts';

/** A source with feeds, jobs, queries or several of them. */
export type RunnableSource = Pick<JobSource, 'id'> &
  Partial<Markets & JobSource> & {
    /** Begins to answer its queries. */
    serve?(): { ready?: Promise<void>; stop(): Promise<void> };
  };

/** A source that this process offers to run. */
export interface RunningSource
  extends Pick<Lease, 'isHeld' | 'attempt' | 'takeOver' | 'handOver' | 'stop'> {
  /** Reads the instrument lists again, each at most once a minute, if this process runs the source. */
  readLists(): void;
}

/** Offers to run a source: its feeds and jobs run, and its queries are answered, for as long as this process holds its lease. */
export function runSource(source: RunnableSource, context: RunnerContext): RunningSource {
  /** The last of them runs or stands by; others were handed over and have something to finish. */
  const runners = new Set<Runner>();
  const log = context.log.child({ source: source.id });
  const holder = () => {
    const runner = new Runner(source, { ...context, log });
    runners.add(runner);
    void runner.finished.then(() => runners.delete(runner));
    return runner;
  };
  const lease = leaseOf(source.id, context, { holder, isFenced: true });
  return {
    get isHeld() {
      return lease.isHeld;
    },
    attempt: () => lease.attempt(),
    takeOver: () => lease.takeOver(),
    handOver: () => lease.handOver(),
    readLists() {
      for (const runner of runners) runner.readLists();
    },
    async stop() {
      await lease.stop();
      await Promise.all([...runners].map((runner) => runner.finish()));
    },
  };
}

class Runner implements Holder {
  readonly #source: RunnableSource;
  readonly #context: HolderContext;
  readonly #lease: HolderState;
  readonly #supervisor: Supervisor;
  /** That of what goes on for a while after another process has taken over. */
  readonly #lingering: Supervisor;
  readonly #feeds: ReturnType<typeof feedsOf> | null;
  readonly #jobs = new Map<string, ActorRef<JobMessage>>();
  #serving: { ready?: Promise<void>; stop(): Promise<void> } | null = null;
  #isServing = false;
  #finished = Promise.withResolvers<void>();
  #cancel: Cancel = () => {};

  /** On standby: the streams are received, nothing is published. */
  constructor(source: RunnableSource, context: RunnerContext) {
    const { clock, bus } = context;
    this.#source = source;
    const status = new SourceStatus({
      source: source.id,
      clock,
      // A status that was not published is followed by the next one.
      publish: (row) => void this.#context.publish('status', rowKey(row), row),
    });
    const lease = new HolderState(source.id);
    this.#lease = lease;
    this.#context = { ...context, ...holderTopics(bus, lease), status, lease };
    this.#supervisor = this.#supervise();
    this.#lingering = this.#supervise();
    const { feeds } = source;
    const poll: FeedsOptions['poll'] = (topic, part) => this.#poll(topic, part);
    this.#feeds = feeds
      ? feedsOf({ markets: { ...source, feeds }, context: this.#context, poll })
      : null;
    for (const { name, behaviour, lingers } of this.#feeds?.streams ?? [])
      (lingers ? this.#lingering : this.#supervisor).spawn({ name, behaviour });
  }

  /** Resolves when the last of it has ended. */
  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  /** Once the streams are received it begins to answer, beside the other process. */
  isReady(): boolean {
    if (!this.#lease.isReady(this.#feeds?.streams.length ?? 0)) return false;
    this.#serve();
    return this.#isServing;
  }

  /** Begins to poll and to publish. */
  begin(fence: number): void {
    this.#lease.fence = fence;
    for (const { name, job } of this.#feeds?.polls ?? []) this.#runJob(name, job);
    if (this.#source.jobs) this.#runJobs(this.#source.jobs);
    this.#serve();
  }

  readLists(): void {
    for (const part of Object.keys(this.#source.feeds?.instruments.parts ?? {}))
      this.#poll('instruments', part);
  }

  /** Ends it. Where another process goes on, the questions that were read are answered first, and some streams linger. */
  async stop(isHandedOver: boolean): Promise<void> {
    this.#lease.isHandedOver = isHandedOver;
    const { clock } = this.#context;
    const now = clock.now();
    const rests = this.#feeds?.streams.map(({ lingers }) => lingers?.(now) ?? 0) ?? [];
    const serving = this.#serving?.stop();
    if (isHandedOver) await serving;
    if (isHandedOver) this.#cancel = clock.after(Math.max(0, ...rests), () => void this.finish());
    await Promise.all([serving, this.#supervisor.stop(), isHandedOver ? null : this.finish()]);
  }

  /** Ends what lingers. */
  async finish(): Promise<void> {
    this.#cancel();
    await this.#lingering.stop();
    this.#finished.resolve();
  }

  #serve(): void {
    if (this.#serving) return;
    this.#serving = this.#source.serve?.() ?? { stop: async () => {} };
    void Promise.resolve(this.#serving.ready).then(() => {
      this.#isServing = true;
    });
  }

  #supervise(): Supervisor {
    const { clock, random } = this.#context;
    return createSupervisor({
      name: this.#source.id,
      clock,
      random,
      onEvent: (event) => this.#note(event),
    });
  }

  #poll(topic: 'instruments' | 'prices', part: string): void {
    this.#jobs.get(`${topic}/${part}`)?.tell('hurry');
  }

  #runJobs(jobs: JobSource['jobs']): void {
    const { bus, clock, log, status, client, publish, last } = this.#context;
    // Without these rows a source that is no longer asked would look silent instead of on standby.
    void bus.last('status').then(
      (known) => status.adopt(known.values()),
      () => {},
    );
    const context: JobContext = {
      ...{ clock, log, status, client, publish, last },
      query: (query, options) => bus.query(query, options),
    };
    for (const job of jobs(context)) this.#runJob(job.name, () => job);
  }

  #runJob(name: string, job: () => Job): void {
    const { status, random } = this.#context;
    const behaviour = jobActor({ job, status, random });
    this.#jobs.set(name, this.#supervisor.spawn({ name, behaviour }));
  }

  /** A crash is a bug: it is logged whole and shown in `/v1/status`. */
  #note(event: SupervisorEvent): void {
    const { log, status } = this.#context;
    const crashed = event.type === 'crashed';
    log[crashed ? 'error' : 'info']({ event }, `${event.child} ${event.type}`);
    if (crashed) status.crashed(event.child);
  }
}

const rowKey = ({ source, topic, part }: FeedStatus) => `${source}/${topic}/${part}`;
