/** Flags of Node for our processes: `cmd/launch.cjs` gives them to whoever starts a process without them. */
import { basename } from 'node:path';
import flags from '../flags.json' with { type: 'json' };

/**
 * MB for young objects, threads that help the collector, and by how much the heap may grow (percent of the objects that are
 * left after a collection) until all of it is collected again. A feed process makes many small objects that are gone at once,
 * and keeps about 70 MB of others. On the simulated exchanges it took 370 to 400 MB without the last flag: V8 let the heap grow
 * to 280 MB and kept the pages. With it the process took 260 to 280 MB, and no more processor time. More helpers mostly wait for
 * each other. A web worker beside 500 frames a second took 295 MB with the defaults of V8 and takes 200 MB, and the slowest hundredth of
 * changes reached a client after 22 ms in place of 50. The alerts process with 10,000 rules took 228 MB with 8, 4 helpers and 60 %, and
 * takes 195 to 205 MB. NODE_OPTIONS may not have the last flag.
 */
const known: Readonly<Record<string, readonly string[]>> = flags;

/** The flags for a script; a bench of a process takes those of the process. SQLite is called experimental by this Node: nothing that an operator can change. */
export const flagsOf = (script: string): string[] => {
  const own = /^(cmd|scripts\/bench)\//.test(script) ? (known[basename(script, '.ts')] ?? []) : [];
  return [...new Set(['--disable-warning=ExperimentalWarning', ...own])];
};
