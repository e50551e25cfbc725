/** How the history answers over the bus, to one process that asks and to two. */
import { once } from 'node:events';
import { cpuOf } from './load.ts';
import { median, percentile, printTable } from './report.ts';
import type { Stage } from './stage.ts';
import { waitedBy } from './usage.ts';

/** The figures of one process. */
export interface Asked {
  /** Ms of each question. */
  took: number[];
  failed: number;
  /** Processor time of the process, ms. */
  cpu: number;
  /** For how long it waited for a processor, s. */
  waited: number;
}

/** Length of one measurement and of what goes before it, s, and the questions that are asked again and again. */
export const rates = { seconds: 10, warmUp: 8, questions: 60 };

/** Questions a second, the processes that ask them, and of how many questions one is new. */
const runs = [
  { perSecond: 200, askers: 1, fresh: 10 },
  { perSecond: 1_000, askers: 1, fresh: Number.POSITIVE_INFINITY },
  { perSecond: 1_000, askers: 1, fresh: 10 },
  { perSecond: 1_000, askers: 2, fresh: Number.POSITIVE_INFINITY },
  { perSecond: 1_000, askers: 2, fresh: 10 },
];

async function measure(
  stage: Stage,
  pid: number,
  { perSecond, askers, fresh }: (typeof runs)[number],
) {
  const words = [String(perSecond / askers), String(fresh)];
  const all = Array.from({ length: askers }, () =>
    stage.run('scripts/bench/history-asker.ts', words, {}, stage.redisUrl),
  );
  await Promise.all(all.map((asker) => once(asker, 'message')));
  const replies = all.map(async (asker): Promise<Asked> => {
    const [asked] = await once(asker, 'message');
    return asked;
  });
  const [before, waited] = [cpuOf(pid), waitedBy(pid)];
  const begun = performance.now();
  for (const asker of all) asker.send('go');
  const asked = await Promise.all(replies);
  const share = (seconds: number) => (100_000 * seconds) / (performance.now() - begun);
  const longest = Math.max(waitedBy(pid) - waited, ...asked.map((one) => one.waited));
  const took = asked.flatMap((one) => one.took);
  const sum = (of: (one: Asked) => number) => asked.reduce((total, one) => total + of(one), 0);
  return [
    `${perSecond} a second, ${askers === 1 ? 'one asks' : `${askers} ask`}, ${fresh > 100 ? 'none' : `1 of ${fresh}`} new`,
    ...[median(took), percentile(took, 0.99), sum(({ failed }) => failed)],
    ...[(cpuOf(pid) - before) / took.length, (1_000 * sum(({ cpu }) => cpu)) / took.length],
    share(longest),
  ];
}

/**
 * Prints them; `pid` is that of the history process. Where it or an asker waited for a processor for more than a few
 * percent of the time, other work takes the machine, and p99 says little about the history.
 */
export async function benchHistoryRates(stage: Stage, pid: number): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const run of runs) rows.push(await measure(stage, pid, run));
  printTable(
    `4,500 points over the bus, ${rates.questions} questions again and again and new ones, for ${rates.seconds} s after ${rates.warmUp} s of the same (goal: 1,000 a second, p99 10 ms)`,
    [
      ['', 'p50 ms', 'p99 ms', 'failed', 'history, us of CPU', 'asker, us of CPU', 'waited, %'],
      ...rows,
    ],
  );
}
