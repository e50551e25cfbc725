/** What one exchange's reading costs the map of all prices, compared with building the whole map. */
import type { PriceRow, Reading } from '../../actors/topics/index.ts';
import { Snapshot } from '../../http/answers/snapshots.ts';
import { PricesView } from '../../http/views/prices.ts';
import { median, printTable } from './report.ts';

const exchanges = 23;
const symbols = 3_000;
const rounds = 40;

/** Exchange `i` lists the first symbols, fewer the larger `i` is: the first all of them, the last one in eight. */
const listed = (i: number) => Math.round(symbols / (1 + (7 * i) / (exchanges - 1)));

function readingOf(i: number, received: number): Reading<PriceRow> {
  const rows = Array.from(
    { length: listed(i) },
    (_, n): PriceRow => ({
      market: `C${n}USDT`,
      kind: 'spot',
      symbol: `C${n}`,
      quote: 'USDT',
      price: 1 + n / 7 + (received % 1000) / 1e5,
      ...{ bid: null, ask: null, high: null, low: null, base: 1e5 / (n + 1) },
      volume: 1e7 / (n + 1),
      change: 0.5,
      stated: received - 40,
    }),
  );
  return { source: `exchange-${i}`, part: 'spot', asked: received - 50, received, rows };
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Entries of the map that are not what they were. */
function changed(before: string, after: string): number {
  const old = Object.entries<object>(JSON.parse(before).data);
  const now: Record<string, object> = JSON.parse(after).data;
  return old.filter(([name, entry]) => JSON.stringify(entry) !== JSON.stringify(now[name])).length;
}

/** Prints the cost of a reading of a large and of a small exchange, and the share of entries that it changes. */
export async function benchViews(): Promise<void> {
  const view = new PricesView();
  let now = Date.now();
  const tell = (i: number) => view.accept(readingOf(i, ++now), now);
  const read = view.source.answers({ build: () => view.all() });
  const bytes = () => {
    const found = read('');
    return found instanceof Snapshot ? found.at(now).toString() : '';
  };
  const all = Array.from({ length: exchanges }, (_, i) => i);
  for (const i of all) tell(i);
  bytes();
  const whole = median(
    Array.from({ length: rounds / 4 }, () => {
      for (const i of all) tell(i);
      return timed(() => read(''));
    }),
  );
  const rows = [0, (exchanges - 1) / 2, exchanges - 1].map((i) => {
    const before = bytes();
    const folds: number[] = [];
    const maps: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const reading = readingOf(i, ++now);
      folds.push(timed(() => view.accept(reading, now)));
      maps.push(timed(() => read('')));
    }
    const share = changed(before, bytes()) / symbols;
    return [`${listed(i)} symbols`, share, median(folds), median(maps), median(maps) / whole];
  });
  printTable(`a reading of one exchange in a map of ${symbols} symbols on ${exchanges} exchanges`, [
    ['', 'share of entries', 'fold, ms', 'map, ms', 'map to a map made anew'],
    ...rows,
  ]);
}
