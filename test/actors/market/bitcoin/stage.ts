/** The source on a bus in memory, its jobs done by hand at the times of a clock that stands still. */
import { pino } from 'pino';
import { type Failure, failed } from '../../../../actors/failure.ts';
import type { Live } from '../../../../actors/market/bitcoin/model.ts';
import { bitcoinSource } from '../../../../actors/market/bitcoin/source.ts';
import { readCloses } from '../../../../actors/market/bitcoin/stored-closes.ts';
import { RecordedStore } from '../../../../actors/market/recorded.ts';
import type { JobContext } from '../../../../actors/sources/context.ts';
import type { Job } from '../../../../actors/sources/job.ts';
import { SourceStatus } from '../../../../actors/sources/status/status.ts';
import type { FeedStatus } from '../../../../actors/topics/index.ts';
import type { IndicatorName } from '../../../../actors/topics/indicator-names.ts';
import { lastClosedDay } from '../../../../indicators/market/daily-closes.ts';
import { dayOf } from '../../../../indicators/market/days.ts';
import { FakeClock } from '../../../support/clock.ts';
import { createHistory } from '../../../support/history.ts';
import { type MemoryBus, memoryBus } from '../../../support/memory-bus.ts';
import { silentBus } from '../../../support/queries.ts';
import { mustFit } from '../must-fit.ts';
import { World } from './world.ts';

/** A process that runs the source. */
export interface Life {
  /** What is published in it, as `topic key`. */
  published: string[];
  statuses: Map<string, FeedStatus>;
  do(name: 'days' | 'issuance' | 'assets' | 'models'): Promise<Failure | null>;
  /** Milliseconds that a job waits before its first round. */
  waits(name: string): Promise<number>;
}

export interface Stage {
  world: World;
  bus: MemoryBus;
  clock: FakeClock;
  /** The price that the exchanges give. */
  live: Live | null;
  history: ReturnType<typeof createHistory>;
  /** Redis and the history do not take anything. */
  deaf: boolean;
  /** So many reads of the stored closes give nothing. */
  blind: number;
  /** A process that takes over. */
  begin(): Life;
  closes(): Promise<{ days: number[]; closes: number[]; sources: string[]; filled: number[] }>;
  reading(name: IndicatorName): ReturnType<typeof readingOf>;
  chart(name: IndicatorName): ReturnType<typeof chartOf>;
}

const readingOf = (bus: MemoryBus, name: IndicatorName) => bus.lastOf('marketIndicators', name);
const chartOf = (bus: MemoryBus, name: IndicatorName) => bus.lastOf('indicatorHistories', name);

/** A stage of its own, at a time. */
export function bitcoinStage(now = noon): Stage {
  const bus = memoryBus();
  const world = new World(now);
  const clock = new FakeClock(now);
  const history = createHistory(clock);
  const stage: Stage = {
    world,
    bus,
    clock,
    history,
    live: null,
    deaf: false,
    blind: 0,
    begin: () => begin(stage),
    async closes() {
      const rows = (await readCloses(new RecordedStore({ ...history, clock })))?.rows ?? [];
      return {
        days: rows.map(({ day }) => day),
        closes: rows.map(({ close }) => close),
        sources: rows.map(({ source }) => source),
        filled: rows.flatMap((row, at) => (row.filled ? [at] : [])),
      };
    },
    reading: (name) => readingOf(bus, name),
    chart: (name) => chartOf(bus, name),
  };
  return stage;
}

/** Sets the time of the clock and of the world. */
export async function moveTo(stage: Stage, time: number): Promise<void> {
  await stage.clock.advance(time - stage.clock.now());
  stage.world.now = time;
}

function begin(stage: Stage): Life {
  const { bus, clock, world } = stage;
  const [published, statuses] = [[] as string[], new Map<string, FeedStatus>()];
  const context: JobContext = {
    clock,
    log: pino({ level: 'silent' }),
    status: new SourceStatus({
      source: 'bitcoin-models',
      clock,
      publish: (status) => void statuses.set(`${status.topic} ${status.part}`, status),
    }),
    client: world.client,
    async publish(topic, key, value) {
      if (stage.deaf) return failed('unavailable', 'deaf').failure;
      published.push(`${topic} ${key}`);
      mustFit(topic, value);
      const outcome = await bus.publish(topic, key, value);
      return outcome === 'published' ? null : failed('stopped', outcome).failure;
    },
    last: (topic, key) => bus.lastOf(topic, key),
    query(query, options) {
      const isUnseen = query.name === 'series' && stage.blind-- > 0;
      if (!stage.deaf && !isUnseen) return stage.history.query(query, options);
      // A source that begins asks again for ten seconds.
      setImmediate(() => void clock.advance(500));
      return silentBus.query(query, options);
    },
  };
  const jobs: readonly Job[] = bitcoinSource({ live: () => stage.live }).jobs(context);
  const jobOf = (name: string): Job => {
    const job = jobs.find((one) => one.name === name);
    if (!job) throw new Error(`no job ${name}`);
    return job;
  };
  const waits = async (name: string) =>
    (await jobOf(name).wait?.(clock.now(), new AbortController().signal)) ?? 0;
  return {
    published,
    statuses,
    waits,
    async do(name) {
      await waits(name);
      return jobOf(name).run({ now: clock.now(), signal: new AbortController().signal });
    },
  };
}

/** The last day that is over on the stage's clock. */
export const yesterday = ({ clock }: Stage): number => lastClosedDay(clock.now());

export const noon = dayOf('2025-06-15') + 12 * 3_600_000;
