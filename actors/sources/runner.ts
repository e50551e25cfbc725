/** Runs a source for as long as this process holds its lease: its feeds and jobs under one supervisor. */
import type { ActorRef } from '../kernel/actor.ts';
import { createSupervisor, type Supervisor, type SupervisorEvent } from '../kernel/supervisor.ts';
import type { FeedStatus } from '../topics/index.ts';
import type { JobContext, JobSource, RunContext, RunnerContext } from './context.ts';
import { type Job, type JobMessage, jobActor } from './job.ts';
import { Feeds, type FeedsOptions, type Markets } from './polling/feeds.ts';
import { SourceStatus } from './status/status.ts';
import { leasedTopics, stopPolicy, withLease } from './with-lease.ts';

/** A source with feeds, jobs, queries or several of them. */
export type RunnableSource = Pick<JobSource, 'id'> &
  Partial<Markets & JobSource> & {
    /** Begins to answer its queries. */
    serve?(): { stop(): Promise<void> };
  };

export interface RunningSource {
  /** Reads the instrument lists again, each at most once a minute, if this process runs the source. */
  readLists(): void;
  stop(): Promise<void>;
}

/** Offers to run a source: its feeds and jobs run, and its queries are answered, for as long as this process holds its lease. */
export function runSource(source: RunnableSource, context: RunnerContext): RunningSource {
  let runner: Runner | null = null;
  const lease = withLease(source.id, context, (at) => {
    const begun = new Runner(source, { ...context, ...at });
    const serving = source.serve?.();
    runner = begun;
    return {
      async stop() {
        if (runner === begun) runner = null;
        await Promise.all([serving?.stop(), begun.stop()]);
      },
    };
  });
  return { readLists: () => runner?.readLists(), stop: () => lease.stop() };
}

class Runner {
  readonly #source: RunnableSource;
  readonly #context: RunContext;
  readonly #supervisor: Supervisor;
  readonly #jobs = new Map<string, ActorRef<JobMessage>>();

  constructor(source: RunnableSource, context: RunnerContext & { fence: number }) {
    const { clock, random, bus, fence } = context;
    this.#source = source;
    const status = new SourceStatus({
      source: source.id,
      clock,
      // A status that was not published is followed by the next one.
      publish: (row) => void this.#context.publish('status', rowKey(row), row),
    });
    const lease = { name: source.id, fence };
    this.#context = { ...context, ...leasedTopics(bus, lease), status };
    this.#supervisor = createSupervisor({
      name: source.id,
      clock,
      random,
      policy: stopPolicy,
      onEvent: (event) => this.#note(event),
    });
    if (source.feeds) this.#runFeeds({ ...source, feeds: source.feeds });
    if (source.jobs) this.#runJobs(source.jobs);
  }

  readLists(): void {
    for (const part of Object.keys(this.#source.feeds?.instruments.parts ?? {}))
      this.#poll('instruments', part);
  }

  stop(): Promise<void> {
    return this.#supervisor.stop();
  }

  #poll(topic: 'instruments' | 'prices', part: string): void {
    this.#jobs.get(`${topic}/${part}`)?.tell('hurry');
  }

  #runFeeds(markets: Markets): void {
    const poll: FeedsOptions['poll'] = (topic, part) => this.#poll(topic, part);
    for (const actor of new Feeds({ markets, context: this.#context, poll }).actors) {
      const { name } = actor;
      if ('job' in actor) this.#runJob(name, actor.job);
      else this.#supervisor.spawn({ name, behaviour: actor.behaviour, mailbox: 16 });
    }
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
