/** Servers loaded in turns, and what they came to beside each other. */
import { type Load, load } from './load.ts';
import { median } from './report.ts';

/** Times that each is loaded. */
export const rounds = 7;
/** Length of one load. */
export const seconds = 1;

/** One thing that is loaded. */
export interface Run {
  name: string;
  url: string;
  pid: number | undefined;
  headers?: Readonly<Record<string, string>>;
  connections?: number;
  pauseMs?: number;
  inTurn?: string | undefined;
  /** Called before each load. */
  prepare?: () => void;
  /** Answers are errors, or 304: wrk counts them as such. */
  refused?: true;
}

/** Loads all in turns; the figures of each, by round. */
export async function loadAll(runs: readonly Run[]): Promise<Load[][]> {
  const loads: Load[][] = runs.map(() => []);
  const turn = (run: Run) => {
    run.prepare?.();
    return load(run.url, { ...run, seconds });
  };
  for (const run of runs) await turn(run);
  for (let round = 0; round < rounds; round++) {
    for (const [i, run] of runs.entries()) loads[i]?.push(await turn(run));
  }
  return loads;
}

/** Runs and what they came to. */
export interface Outcome {
  /** Ratios are of the first run's figures to each. */
  ours: readonly Load[];
  its: readonly Load[];
}

/** Rounds differ by what else the machine does: the median of their own ratios. */
export const ratioOf = ({ ours, its }: Outcome, poll: keyof Load): number =>
  median(its.map((one, round) => (ours[round]?.[poll] ?? Number.NaN) / one[poll]));

/** The same of the processor time: the least of each would be of different moments of a machine whose own pace changes. */
export const costRatio = (outcome: Outcome): number => ratioOf(outcome, 'cpuUs');

/** The least and the greatest of the ratios whose median is the inverse of `costRatio`. */
export function spreadOf({ ours, its }: Outcome): string {
  const ratios = its.map(({ cpuUs }, round) => cpuUs / (ours[round]?.cpuUs ?? Number.NaN));
  return `${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}`;
}
