/** Histories of mark and index prices, out of the candles that an exchange keeps of both. Pure. */
import { intervals as lengths } from '../../indicators/market/intervals.ts';
import { at, positive, required, time, type WireRow } from '../read.ts';
import type { HistoryForm } from '../sources/queries/history-query.ts';
import type { BasisPoint, Instrument, SeriesParams } from '../topics/index.ts';
import { basisQuery, byTime, rowsIn, seriesLife } from './histories.ts';
import type { Words } from './words.ts';

/** Candles of a mark price, then as many bodies of its index. */
interface BasisTable<Request>
  extends Pick<HistoryForm<SeriesParams, never, Request>, 'page' | 'most' | 'requests'> {
  /** The words for the intervals that the exchange has; null for a part without such candles. */
  words(part: string): Words | null;
  /** Where each body has its rows: keys joined by points. */
  rows: string;
  /** Where a row has the time at which it opens, the unit of that in ms (1 when absent), and its close. */
  at: string | number;
  unit?: number;
  close: string | number;
}

const priceIn = (value: unknown, { scale }: Instrument) => positive(value) / scale;

/** Mark and index prices at the end of each interval. */
export function basis<Request>({
  words,
  rows,
  at: opens,
  unit,
  close,
  ...form
}: BasisTable<Request>) {
  const listed = (bodies: readonly unknown[]): readonly WireRow[] =>
    bodies.flatMap((body) => rowsIn(at(body, rows) ?? null, rows || 'candles'));
  return basisQuery<Request>({
    ...form,
    ttl: seriesLife,
    step: ({ part, interval }) => (words(part)?.[interval] ? lengths[interval] : null),
    parse(bodies, { instrument }): BasisPoint[] {
      const half = bodies.length / 2;
      const indexAt = byTime(listed(bodies.slice(half)), (row) => row[opens]);
      return listed(bodies.slice(0, half)).map((row) => ({
        timestamp: time(row[opens], unit) ?? required(null),
        mark: priceIn(row[close], instrument),
        index: priceIn(indexAt(row[opens])?.[close], instrument) || null,
      }));
    },
  });
}
