/** Runs a source for as long as this process holds its lease: its feeds and jobs under one supervisor. */
import type { ActorRef } from '../kernel/actor.ts';
import type { Cancel } from '../kernel/clock.ts';
import { createSupervisor, type Supervisor, type SupervisorEvent } from '../kernel/supervisor.ts';
import type { FeedStatus } from '../topics/index.ts';
import type { JobContext, JobSource, RunContext, RunnerContext } from './context.ts';
import { type Job, type JobMessage, jobActor } from './job.ts';
import { leasedTopics, SourceLease } from './leased-topics.ts';
import { Feeds, type FeedsOptions, type Markets } from './polling/feeds.ts';
import { SourceStatus } from './status/status.ts';
import { LeasedWork, type Standby, stopPolicy, type Work } from './with-lease.ts';

/** A source with feeds, jobs, queries or several of them. */
export type RunnableSource = Pick<JobSource, 'id'> &
  Partial<Markets & JobSource> & {
    /** Begins to answer its queries. */
    serve?(): { ready?: Promise<void>; stop(): Promise<void> };
  };

/** A source that this process offers to run. */
export interface RunningSource
  extends Pick<LeasedWork, 'isHeld' | 'takeOver' | 'handOver' | 'stop'> {
  /** Reads the instrument lists again, each at most once a minute, if this process runs the source. */
  readLists(): void;
}

/** Offers to run a source: its feeds and jobs run, and its queries are answered, for as long as this process holds its lease. */
export function runSource(source: RunnableSource, context: RunnerContext): RunningSource {
  let running: Runner | null = null;
  /** Runs that were handed over and have something to finish. */
  const lingering = new Set<Runner>();
  const standBy = ({ log }: Pick<RunnerContext, 'log'>): Standby => {
    const runner = new Runner(source, { ...context, log });
    return {
      isReady: (isLate) => runner.isReady(isLate),
      prepare: () => runner.serve(),
      stop: () => runner.stop(),
      begin(fence) {
        runner.begin(fence);
        running = runner;
        return {
          async stop(isHandedOver) {
            if (running === runner) running = null;
            lingering.add(runner);
            await runner.stop(isHandedOver);
            void runner.finished.then(() => lingering.delete(runner));
          },
        };
      },
    };
  };
  const begin: Work['begin'] = ({ fence, log }) => standBy({ log }).begin(fence);
  const leased = new LeasedWork(source.id, context, { begin, standBy });
  return {
    get isHeld() {
      return leased.isHeld;
    },
    takeOver: (isLeft) => leased.takeOver(isLeft),
    handOver: () => leased.handOver(),
    readLists: () => running?.readLists(),
    async stop() {
      await leased.stop();
      await Promise.all([...lingering].map((runner) => runner.finish()));
    },
  };
}

class Runner {
  readonly #source: RunnableSource;
  readonly #context: RunContext;
  readonly #lease: SourceLease;
  readonly #supervisor: Supervisor;
  /** That of what goes on for a while after another process has taken over. */
  readonly #lingering: Supervisor;
  readonly #feeds: Feeds | null;
  readonly #jobs = new Map<string, ActorRef<JobMessage>>();
  #serving: { ready?: Promise<void>; stop(): Promise<void> } | null = null;
  #hasPrepared = false;
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
    const lease = new SourceLease(source.id);
    this.#lease = lease;
    this.#context = { ...context, ...leasedTopics(bus, lease), status, lease };
    this.#supervisor = this.#supervise();
    this.#lingering = this.#supervise();
    this.#feeds = source.feeds ? this.#openFeeds({ ...source, feeds: source.feeds }) : null;
    for (const { name, behaviour, lingers } of this.#feeds?.streams ?? [])
      (lingers ? this.#lingering : this.#supervisor).spawn({ name, behaviour, mailbox: 16 });
  }

  /** Resolves when the last of it has ended. */
  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  isReady(isLate: boolean): boolean {
    return this.#lease.isReady(this.#feeds?.streams.length ?? 0, isLate);
  }

  /** Begins to answer, also beside another process; resolves when it does. Throws what the source throws. */
  serve(): Promise<void> {
    this.#hasPrepared = true;
    this.#serving = this.#source.serve?.() ?? null;
    return this.#serving?.ready ?? Promise.resolve();
  }

  /** Begins to poll and to publish. A source that throws as it begins has ended. */
  begin(fence: number): void {
    this.#lease.fence = fence;
    try {
      for (const { name, job } of this.#feeds?.polls ?? []) this.#runJob(name, job);
      if (this.#source.jobs) this.#runJobs(this.#source.jobs);
      if (!this.#hasPrepared) void this.serve();
    } catch (error) {
      void this.stop();
      throw error;
    }
  }

  readLists(): void {
    for (const part of Object.keys(this.#source.feeds?.instruments.parts ?? {}))
      this.#poll('instruments', part);
  }

  /** Ends it. Where another process goes on, the questions that were read are answered first, and some streams linger. */
  async stop(isHandedOver = false): Promise<void> {
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

  #supervise(): Supervisor {
    const { clock, random } = this.#context;
    return createSupervisor({
      name: this.#source.id,
      clock,
      random,
      policy: stopPolicy,
      onEvent: (event) => this.#note(event),
    });
  }

  #poll(topic: 'instruments' | 'prices', part: string): void {
    this.#jobs.get(`${topic}/${part}`)?.tell('hurry');
  }

  #openFeeds(markets: Markets): Feeds {
    const poll: FeedsOptions['poll'] = (topic, part) => this.#poll(topic, part);
    return new Feeds({ markets, context: this.#context, poll });
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
    this.#jobs.set(name, this.#supervisor.spawn({ name, behaviour, mailbox: 16 }));
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
