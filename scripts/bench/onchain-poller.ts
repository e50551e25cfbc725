/**
 * The sources of all chains as a feed process has them, in a process of its own: `node onchain-poller.ts GATEWAY`, with
 * the URL of the Redis on standard input. It reports when the libraries are loaded, and after each message: `round` is
 * one round of every source at the time `now`, Unix ms; `idle` leaves the sources to themselves, with their leases, and
 * reports when their first rounds are over and again after `ms`.
 */

import { text } from 'node:stream/consumers';
import { createBus } from '../../actors/bus/bus.ts';
import { createChainReader } from '../../actors/chains/reader.ts';
import { chainSource } from '../../actors/chains/source.ts';
import { failed } from '../../actors/failure.ts';
import { type Clock, systemClock } from '../../actors/kernel/clock.ts';
import type { JobContext } from '../../actors/sources/context.ts';
import { InstrumentBook } from '../../actors/sources/instruments.ts';
import type { Job } from '../../actors/sources/job.ts';
import { runSource } from '../../actors/sources/runner.ts';
import { SourceStatus } from '../../actors/sources/status/status.ts';
import { NewestRows } from '../../actors/state/newest-rows.ts';
import { chainIds } from '../../config/chains.ts';
import { createLogger } from '../../config/log.ts';

export type Order = { do: 'round'; now: number } | { do: 'idle'; ms: number };
/** What a report says: processor time of the process so far, milliseconds, and what has failed in the round. */
export interface Report {
  cpuMs: number;
  failures: string[];
}

/** Longer than first rounds take, ms. */
const settling = 4_000;

const gateway = process.argv[2] ?? null;
const url = await text(process.stdin);
const log = createLogger({ logLevel: 'error' }, 'bench-onchain');
const bus = createBus({ url, process: 'bench-onchain', log });
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
const client = () => {
  throw new Error('a chain asks no upstream');
};

/** Stands still within a round, so that probes are due in every fifth. */
let moment: number | null = null;
const clock: Clock = {
  now: () => moment ?? systemClock.now(),
  monotonic: () => moment ?? systemClock.monotonic(),
  after: systemClock.after,
};

function report(failures: string[] = []): void {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1_000, failures } satisfies Report);
}

/** What a source works with, but for a lease. */
function contextOf(source: string): JobContext {
  const status = new SourceStatus({
    source,
    clock,
    publish: (status) =>
      void bus.publish('status', `${status.source}/${status.topic}/${status.part}`, status),
  });
  return {
    ...{ clock, log, status, client },
    async publish(topic, key, value) {
      const outcome = await bus.publish(topic, key, value);
      return outcome === 'published' ? null : failed('unavailable', `Redis: ${outcome}`).failure;
    },
    last: (topic, key) => bus.lastOf(topic, key),
    query: (query) => bus.query(query),
  };
}

const sources = chainIds.map((chain) =>
  chainSource(chain, createChainReader({ chain, gateway, clock, log })),
);
const jobs = sources.flatMap((source): readonly Job[] => source.jobs(contextOf(source.id)));
const { signal } = new AbortController();

async function round(now: number): Promise<void> {
  moment = now;
  const failures = await Promise.all(jobs.map((job) => job.run({ now, signal })));
  report(failures.flatMap((failure) => failure?.message ?? []));
}

async function idle(ms: number): Promise<void> {
  moment = null;
  const newest = new NewestRows();
  const markets = { book: new InstrumentBook(newest), newest };
  const here = { log, random: Math.random, process: 'bench-onchain', gateway };
  const context = { bus, client, clock, ...here, ...markets };
  for (const source of sources) runSource(source, context);
  await wait(settling);
  report();
  await wait(ms);
  report();
}

process.on('disconnect', () => process.exit(0));
process.on('message', (order: Order) => {
  void (order.do === 'round' ? round(order.now) : idle(order.ms));
});
report();
