import { parseArgs } from 'node:util';
import { whole } from '../arguments.ts';

/** A run of `npm run load -- cluster`; times in ms. */
export interface ClusterOptions {
  /** A master, a replica and three Sentinels in place of one server of Redis. */
  ha: boolean;
  feeds: number;
  webs: number;
  computes: number;
  histories: number;
  /** Workers of one web process. */
  workers: number;
  assets: number;
  /** Ids of sources; null for all. */
  sources: string | null;
  /** Requests a second, over all groups. */
  rate: number;
  clients: number;
  length: number;
  /** Between two kills; null for none. */
  every: number | null;
  /** Until a killed process is started again. */
  absence: number;
  /** From the time that all web processes are ready until the first request. */
  settle: number;
  /** Without kills, at the end, until everything must be whole again. */
  calm: number;
  seed: number;
  json: boolean;
}

export const clusterHelp = `npm run load -- cluster [options]

Starts a service of many processes with a Redis, a PostgreSQL and simulated upstreams of its own, asks it, follows its
streams and kills its processes (SIGKILL); then prints what clients noticed, beside the goals.
Exit status 0; 1 where a goal is missed; 2 for wrong arguments.

  --ha              Redis as a master, a replica and three Sentinels      [one server]
  --feeds N         feed processes                                        [3]
  --web N           web processes                                         [4]
  --workers N       workers of each web process                           [1]
  --compute N       compute processes                                     [2]
  --history N       history processes; they store in PostgreSQL           [2]
  --assets N        simulated assets, 12 to 2000                          [1000]
  --sources LIST    ids of sources, as SOURCES                            [all]
  --rate N          requests a second, over all groups                    [300]
  --clients N       of streams, half WebSocket and half SSE               [200]
  --minutes N       for how long processes are killed                     [10]
  --seconds N       the same in seconds, for short runs
  --every N         seconds between two kills; 0 for none                 [5]
  --absence N       seconds until a killed process is started again       [2]
  --settle N        seconds from a ready service to the first request     [15]
  --calm N          seconds without kills at the end                      [60]
  --seed N          of the choice of processes and of the simulated world [1]
  --json            prints the result as one line of JSON
  --help            this text
`;

/** Reads the arguments; null when help is wanted. Throws UsageError, or parseArgs' own error for unknown options. */
export function clusterOptions(args: string[]): ClusterOptions | null {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args,
    options: {
      ...{ ha: flag, json: flag, help: flag, sources: text, seconds: text },
      ...{ feeds: text, web: text, workers: text, compute: text, history: text },
      ...{ assets: text, rate: text, clients: text, minutes: text, every: text },
      ...{ absence: text, settle: text, calm: text, seed: text },
    },
  });
  if (values.help) return null;
  const number = (
    name: Exclude<keyof typeof values, 'ha' | 'json' | 'help'>,
    absent: number,
    range: readonly [number, number],
  ) => whole(name, values[name] ?? `${absent}`, range);
  const every = number('every', 5, [0, 3_600]);
  return {
    ha: values.ha,
    feeds: number('feeds', 3, [1, 20]),
    webs: number('web', 4, [1, 50]),
    workers: number('workers', 1, [1, 64]),
    computes: number('compute', 2, [0, 20]),
    histories: number('history', 2, [0, 10]),
    assets: number('assets', 1_000, [12, 2_000]),
    sources: values.sources ?? null,
    rate: number('rate', 300, [1, 100_000]),
    clients: number('clients', 200, [0, 20_000]),
    length: number('seconds', number('minutes', 10, [1, 1_440]) * 60, [1, 86_400]) * 1_000,
    every: every === 0 ? null : every * 1_000,
    absence: number('absence', 2, [0, 600]) * 1_000,
    settle: number('settle', 15, [0, 3_600]) * 1_000,
    calm: number('calm', 60, [1, 3_600]) * 1_000,
    seed: number('seed', 1, [0, 2 ** 32 - 1]),
    json: values.json,
  };
}
