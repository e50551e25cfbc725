/** Stores the rows of a file of an archive. */
import { setImmediate } from 'node:timers/promises';
import { day, minute } from '../../config/time.ts';
import type { Clock } from '../kernel/clock.ts';
import type { MarketState } from '../state/market-state.ts';
import { type Interval, intervals, recordedKey } from '../topics/index.ts';
import {
  type ArchivedCandle,
  afterPause,
  candlesIn,
  fundingsIn,
  hoursOf,
  linesIn,
} from './archive-files.ts';
import type { Archive, ArchiveSubject } from './archive-table.ts';
import { writeLate } from './combine.ts';
import type { Row, Series } from './define.ts';
import type { Period } from './periods.ts';
import type { Store } from './store.ts';
import type { Writer } from './writer.ts';

/** A file of an archive, and the asset that it is about. */
export interface ArchivedFile extends ArchiveSubject {
  archive: Archive;
  symbol: string;
  period: Period;
}

/** Where rows go. */
export interface Taking {
  series: readonly Series[];
  store: Store;
  writer: Pick<Writer, 'add'>;
  market: MarketState;
  clock: Clock;
}
type Stoppable = Taking & { signal: AbortSignal };

/** The series of a name. Throws RangeError without one. */
export function seriesOf(all: readonly Series[], name: Series['name']): Series {
  const found = all.find((one) => one.name === name);
  if (!found) throw new RangeError(`no series ${name}`);
  return found;
}

/** Fills in what is not known, a day at a time, in turns with other work. */
async function fill(
  rows: readonly Row[],
  { name, interval }: { name: Series['name']; interval: Interval },
  { series: all, store, writer, clock, signal }: Stoppable,
): Promise<void> {
  const series = seriesOf(all, name);
  const step = intervals[interval];
  const keep = series.tiers.find((tier) => tier.step === step)?.keep ?? 0;
  const now = clock.now();
  const kept = rows.flatMap((row) => (row.time > now - keep ? [{ ...row, backfilled: true }] : []));
  for (const part of Map.groupBy(kept, ({ time }) => Math.floor(time / day)).values()) {
    if (signal.aborted) return;
    await writeLate({ store, write: writer.add }, series, part, { step, mode: 'fill', now });
    await setImmediate();
  }
}

/** Writes the rows of a file; returns the time of the first one, Unix ms, else the end of its period. */
export async function takeFile(
  zip: Uint8Array,
  file: ArchivedFile,
  options: Stoppable,
): Promise<number> {
  const { archive, market, symbol, of } = file;
  const { from, to } = file.period;
  const period = { from: from - archive.early, to };
  if (of === 'fundings') {
    const lines = linesIn(zip, archive.fundings, market);
    const rows = afterPause(fundingsIn(lines, period), to);
    const key = recordedKey(archive.exchange, 'stable', symbol);
    const all = rows.map(({ time, rate, hours }) => ({ key, time, values: { rate, hours } }));
    await fill(all, { name: 'funding', interval: '1h' }, options);
    return rows[0]?.time ?? to;
  }
  const lines = linesIn(zip, archive.candles, market);
  const rows = afterPause(candlesIn(lines, period), to);
  await fillCandles(rows, { ...file, step: of }, options);
  return rows[0]?.time ?? to;
}

async function fillCandles(
  rows: readonly ArchivedCandle[],
  { archive: { exchange }, kind, market, symbol, step }: ArchivedFile & { step: '1m' | '1h' },
  options: Stoppable,
): Promise<void> {
  const scale = options.market.scaleOf(exchange, market);
  const prices = (candles: readonly Pick<ArchivedCandle, 'time' | 'close'>[]) =>
    candles.map(({ time, close }) => ({
      key: recordedKey(kind, symbol),
      time,
      values: { price: close / scale, turnover: null },
    }));
  await fill(prices(rows), { name: 'price', interval: step }, options);
  if (step === '1m') await fill(prices(hoursOf(rows)), { name: 'price', interval: '1h' }, options);
  const key = recordedKey(exchange, kind, symbol);
  const minutes = intervals[step] / minute;
  const flow = rows.flatMap(({ time, bought, sold }) =>
    bought === undefined || sold === undefined
      ? []
      : [{ key, time, values: { buy_usd: bought, sell_usd: sold, minutes } }],
  );
  await fill(flow, { name: 'taker-flow', interval: step }, options);
}
