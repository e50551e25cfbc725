import type { Test } from 'tap';
import type { BulkThread } from '../../../actors/defi/bulk.ts';
import { readBulk } from '../../../actors/defi/bulk-sources.ts';
import { defiSources } from '../../../actors/defi/sources.ts';
import type { Failure } from '../../../actors/failure.ts';
import { providers } from '../../../actors/providers/registry.ts';
import type { JobContext } from '../../../actors/sources/context.ts';
import { SourceStatus } from '../../../actors/sources/status/status.ts';
import type { DefiFigure, DefiReading } from '../../../actors/topics/defi.ts';
import { isOf } from '../../../actors/topics/defi.ts';
import type { FeedStatus, Topics } from '../../../actors/topics/index.ts';
import { createHttpClient } from '../../../actors/upstream/client.ts';
import { createLogger } from '../../../config/log.ts';
import { defi } from '../../../scripts/simulator/defi/registry.ts';
import type { Faults } from '../../../scripts/simulator/faults.ts';
import { FakeClock } from '../../support/clock.ts';
import { silentBus } from '../../support/queries.ts';
import { simulated } from '../../support/simulated.ts';

export const start = Date.UTC(2026, 7, 14, 13, 37, 0);
export const seed = 5;

/** Parses where the caller is: what a thread does is the same. */
export const inline: BulkThread = { read: async (job) => readBulk(job) };

export interface Stage {
  clock: FakeClock;
  gateway: string;
  faults: Faults;
  /** Requests so far, as `host/path`. */
  seen: string[];
  /** What is on the bus; it outlives the sources. */
  bus: Map<string, Topics['defi']>;
  /** The status, by `job/source`. */
  statuses: Map<string, FeedStatus>;
  client(upstream: string): ReturnType<JobContext['client']>;
  /** One round of a job; null when it went well. */
  round(figure: DefiFigure): Promise<Failure | null>;
  /** How long its first round would wait, ms. */
  wait(figure: DefiFigure): Promise<number | undefined>;
  /** The last reading of a figure. */
  reading<F extends DefiFigure>(figure: F): DefiReading<F>;
  /** The sources lose their memory, as in another process. */
  restart(): void;
}

export interface StageOptions {
  thread?: BulkThread;
}

async function simulator(t: Test, clock: FakeClock) {
  const seen: string[] = [];
  const log = (line: string) => void seen.push(line.split(' ')[1]?.split('?')[0] ?? '');
  const { url, faults } = await simulated(t, defi, { clock, seed, log });
  return { gateway: url, faults, seen };
}

/** No retries: their pauses would wait for the clock. */
const limits = { retries: 0 };

function clientsOf(t: Test, gateway: string, clock: FakeClock): JobContext['client'] {
  const clients = new Map(
    providers.map(({ id, apis }) => [
      id,
      createHttpClient({ source: id, apis, gateway, clock, limits }),
    ]),
  );
  t.teardown(() => Promise.all([...clients.values()].map((client) => client.close())));
  return (upstream) => {
    const client = clients.get(upstream);
    if (!client) throw new Error(`no client of ${upstream}`);
    return client;
  };
}

export async function stage(t: Test, { thread = inline }: StageOptions = {}): Promise<Stage> {
  const clock = new FakeClock(start);
  const { gateway, faults, seen } = await simulator(t, clock);
  const client = clientsOf(t, gateway, clock);
  const bus: Stage['bus'] = new Map();
  const statuses: Stage['statuses'] = new Map();
  const status = () =>
    new SourceStatus({
      source: 'test',
      clock,
      publish: (status) => void statuses.set(`${status.topic}/${status.part}`, { ...status }),
    });
  const open = () => {
    const context: JobContext = {
      clock,
      log: createLogger({ logLevel: 'silent' }, 'test'),
      status: status(),
      client,
      async publish(topic, key, value) {
        if (topic === 'defi') bus.set(key, structuredClone(value) as Topics['defi']);
        return null;
      },
      last: async (_, key) => bus.get(key) as never,
      query: silentBus.query,
    };
    const jobs = defiSources(thread).flatMap((source) => source.jobs(context));
    return new Map(jobs.map((job) => [job.name, job]));
  };
  let jobs = open();
  const { signal } = new AbortController();
  const job = (figure: DefiFigure) => {
    const found = jobs.get(figure);
    if (!found) throw new Error(`no job ${figure}`);
    return found;
  };
  return {
    clock,
    gateway,
    faults,
    seen,
    bus,
    statuses,
    client,
    round: (figure) => job(figure).run({ now: clock.now(), signal }),
    wait: async (figure) => job(figure).wait?.(clock.now(), new AbortController().signal),
    reading(figure) {
      const found = bus.get(figure);
      if (!isOf(found, figure)) throw new Error(`no reading of ${figure}`);
      return found;
    },
    restart() {
      jobs = open();
    },
  };
}
