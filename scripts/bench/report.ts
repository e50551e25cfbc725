/** Figures of one benchmark. Machines differ and are noisy, so what counts are ratios within one run. */

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
};

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

/**
 * The text as one that was received: decoded from bytes into one piece. JSON.parse takes longer for a text that
 * JSON.stringify has put together.
 */
export const received = (text: string): string => Buffer.from(text).toString();

/** Processor time of one call of `work`, ms, over as many calls. */
function cpuMs(calls: number, work: () => unknown): number {
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls / 1_000;
}

/** Calls works in turns until the compiler has made of them what runs in a process that is up for hours. */
function warm(works: readonly (() => unknown)[]): void {
  const end = performance.now() + works.length * turns.warmUpMs;
  while (performance.now() < end) for (const work of works) work();
}

/**
 * Processor time of several works in turns: of each its median, ms, and the median of its ratios to the first. The garbage
 * that a work makes is collected within its own time as a rule, since each sample is many collections long.
 */
export function inTurns(works: readonly (() => unknown)[]): { ms: number; ratio: number }[] {
  const samples = works.map(() => [] as number[]);
  warm(works);
  const least = Math.min(...works.map((work) => cpuMs(turns.least, work)));
  const calls = Math.max(turns.least, Math.ceil(turns.sampleMs / least));
  for (let round = 0; round < turns.rounds; round++) {
    for (const [i, work] of works.entries()) samples[i]?.push(cpuMs(calls, work));
  }
  const [first = []] = samples;
  return samples.map((own) => ({
    ms: median(own),
    ratio: median(own.map((ms, round) => ms / (first[round] ?? Number.NaN))),
  }));
}

/** A sample is `least` calls and `sampleMs` long at least. */
const turns = { rounds: 15, least: 5, sampleMs: 10, warmUpMs: 300 };

/** Prints rows as a table of aligned columns under a title. */
export function printTable(title: string, rows: readonly (readonly (string | number)[])[]): void {
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === 'number' ? format(cell) : cell)),
  );
  const widths = (cells[0] ?? []).map((_, i) =>
    Math.max(...cells.map((row) => row[i]?.length ?? 0)),
  );
  console.log(`\n${title}`);
  for (const row of cells) {
    console.log(
      `  ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')}`,
    );
  }
}

const format = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(3);
