/** Figures of one benchmark. Machines differ and are noisy, so what counts are ratios within one run. */

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
};

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

/** Processor time of one call of `work`, ms, over as many calls. */
function cpuMs(calls: number, work: () => unknown): number {
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls / 1_000;
}

/** Processor time of several works in turns: of each its median, ms, and the median of its ratios to the first. */
export function inTurns(works: readonly (() => unknown)[]): { ms: number; ratio: number }[] {
  const samples = works.map(() => [] as number[]);
  for (let round = 0; round <= turns.rounds; round++) {
    for (const [i, work] of works.entries()) {
      const ms = cpuMs(turns.calls, work);
      if (round > 0) samples[i]?.push(ms);
    }
  }
  const [first = []] = samples;
  return samples.map((own) => ({
    ms: median(own),
    ratio: median(own.map((ms, round) => ms / (first[round] ?? Number.NaN))),
  }));
}

const turns = { rounds: 15, calls: 20 };

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
