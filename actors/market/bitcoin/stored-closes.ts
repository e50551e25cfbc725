/** The daily closes of Bitcoin in the history. */

import type { HistoryDay } from '../../../indicators/market/daily-closes.ts';
import { dayAt } from '../../../indicators/market/days.ts';
import type { RecordedRows } from '../../topics/index.ts';
import type { RecordedStore } from '../recorded.ts';
import type { SeriesStorage } from '../stored-series.ts';

const series = 'bitcoin-closes';
/** More days than there are since 2010. */
const limit = 10_000;
/** Sources that give closes, which are the keys. */
export const closeSources = ['binance', 'bitstamp', 'bitfinex', 'blockchain-info', 'coingecko'];

function daysOf({ key: source, times, columns }: RecordedRows): HistoryDay[] {
  return times.flatMap((day, at) => {
    const close = columns.close?.[at] ?? 0;
    const filled = columns.filled?.[at] === 1 && { filled: true as const };
    return close > 0 ? [{ day, close, source, ...filled }] : [];
  });
}

/** All closes, ascending, with when the last one was stored (Unix ms); null while no history process answers. */
export async function readCloses(
  recorded: RecordedStore,
): Promise<{ rows: HistoryDay[]; at: number } | null> {
  const found = await recorded.read(series, closeSources, { step: '1d', limit });
  if (!found) return null;
  // Of a day that two sources gave the better one is listed first.
  const days = new Map(
    found
      .toReversed()
      .flatMap(daysOf)
      .map((row) => [row.day, row]),
  );
  const rows = [...days.values()].sort((a, b) => a.day - b.day);
  const at = found
    .flatMap(({ columns }) => columns.at ?? [])
    .reduce<number>((newest, time) => Math.max(newest, time ?? 0), 0);
  return { rows, at };
}

/** Only days that the history has not got are written. */
export function closesInHistory(recorded: RecordedStore): SeriesStorage<HistoryDay> {
  const stored = new Set<number>();
  return {
    async load() {
      const found = await readCloses(recorded);
      for (const { day } of found?.rows ?? []) stored.add(day);
      return found && found.rows.length > 0 ? found : null;
    },
    async save(rows, at) {
      const fresh = rows.filter(({ day }) => !stored.has(day));
      const failure = await recorded.record(
        series,
        fresh.map(({ day, close, source, filled }) => ({
          ...{ key: source, time: dayAt(day), values: { close, at, filled: filled ? 1 : null } },
        })),
      );
      if (failure === null) for (const { day } of fresh) stored.add(day);
      return failure;
    },
  };
}
