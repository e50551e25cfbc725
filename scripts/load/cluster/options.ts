import { helpOf, readOptions, UsageError } from '../arguments.ts';

const known = {
  texts: { sources: 'ids of sources, as SOURCES [all]' },
  numbers: {
    feeds: ['feed processes', 3, 1, 20],
    web: ['web processes', 4, 1, 50],
    compute: ['compute processes', 2, 0, 20],
    history: ['history processes; they store in PostgreSQL', 2, 0, 10],
    assets: ['simulated assets', 1_000, 12, 2_000],
    rate: ['requests a second, over all groups', 300, 1, 100_000],
    clients: ['of streams, half WebSocket and half SSE', 200, 0, 20_000],
    seconds: ['for how long processes are killed', 600, 1, 86_400],
    every: ['seconds between two kills; 0 for none', 5, 0, 3_600],
    absence: ['seconds until a killed process is started again', 2, 0, 600],
    settle: ['seconds from a ready service to the first request', 15, 0, 3_600],
    calm: ['seconds without kills at the end', 60, 1, 3_600],
    seed: ['of the choice of processes and of the simulated world', 1, 0, 2 ** 32 - 1],
  },
  flags: {
    ha: 'Redis as a master, a replica and three Sentinels',
    push: 'clients that read slowly or not at all, and web processes that are asked to end',
    events: 'compares the liquidations that are stored with those of the log; needs a history',
    help: 'this text',
  },
} as const;

/** A run of `npm run load -- cluster`; times in seconds. */
export type ClusterOptions = Record<keyof typeof known.numbers, number> &
  Record<'ha' | 'push' | 'events', boolean> & {
    /** Null for all. */
    sources: string | null;
  };

export const clusterHelp = `npm run load -- cluster [options]

Starts a service of many processes with a Redis, a PostgreSQL and simulated upstreams of its own, asks it, follows its
streams and kills its processes (SIGKILL); then prints what clients noticed, beside the goals.
Exit status 0; 1 where a goal is missed; 2 for wrong arguments.

${helpOf(known)}
`;

/** Reads the arguments; null when help is wanted. Throws UsageError, or parseArgs' own error for unknown options. */
export function clusterOptions(args: string[]): ClusterOptions | null {
  const { is, text, numbers } = readOptions(args, known);
  if (is('help')) return null;
  if (is('events') && numbers.history === 0) throw new UsageError('--events needs --history');
  const flags = { ha: is('ha'), push: is('push'), events: is('events') };
  return { ...numbers, ...flags, sources: text('sources') ?? null };
}
