/** From entries of the log of liquidations to stored rows. Pure. */
import { day, minute } from '../../config/time.ts';
import { stepAt } from '../../indicators/market/buckets.ts';
import type { LogPosition } from '../bus/bus.ts';
import { type Liquidations, recordedKey } from '../topics/index.ts';
import type { LogEntry } from './log-recorder.ts';
import { liquidationFeeds, liquidations } from './series/liquidations.ts';
import type { StoredEvent, Write } from './store.ts';

/** The longest time that one entry may cover, ms: the life of the minutes. */
const longest = 8 * day;

/** Time after its end when a minute is complete, ms: feeds drop events older than ten minutes. */
export const lateness = 660_000;

/** The position that remembers the place in the log. */
export const logPosition = 'log:liquidations';

/** A place in the log, and the time until which each stream was received, Unix ms, by `exchange/stream`. */
export interface Place extends LogPosition {
  heard: Readonly<Record<string, number>>;
}

export const textOf = (place: Place): string => JSON.stringify(place);

/** The place of a text that `textOf` made; null for any other. */
export function placeOf(text: string | null): Place | null {
  if (text === null) return null;
  try {
    const { id, seq, heard }: Partial<Place> = JSON.parse(text);
    if (typeof id !== 'string' || typeof seq !== 'number' || typeof heard !== 'object') return null;
    return { id, seq, heard };
  } catch {
    return null;
  }
}

type Entry = LogEntry<Liquidations>;

export const eventsOf = (entries: readonly Entry[]): StoredEvent[] =>
  entries.flatMap(({ entry: { source, events } }) =>
    events.map((event) => ({ ...event, exchange: source })),
  );

/** Adds a value to that of a key and minute. */
type Cells<T> = Map<string, { key: string; time: number; value: T }>;

function cellOf<T>(cells: Cells<T>, key: string, time: number, empty: () => T) {
  const id = `${key} ${time}`;
  const cell = cells.get(id) ?? { key, time, value: empty() };
  cells.set(id, cell);
  return cell;
}

/** The sums by minute of some events, to be added. */
export function sumsOf(events: readonly StoredEvent[]): Write[] {
  const cells: Cells<{ long: number; short: number; count: number; largest: number }> = new Map();
  for (const { exchange, symbol, side, value_usd: value, timestamp } of events) {
    const { value: sums } = cellOf(
      cells,
      recordedKey(exchange, symbol),
      stepAt(timestamp, minute),
      () => ({ long: 0, short: 0, count: 0, largest: 0 }),
    );
    sums[side] += value;
    sums.count += 1;
    sums.largest = Math.max(sums.largest, value);
  }
  const all = [...cells.values()];
  const column = (of: 'long' | 'short' | 'count' | 'largest') => all.map(({ value }) => value[of]);
  const columns = [column('long'), column('short'), column('count'), column('largest')];
  return written(liquidations, all, columns);
}

const written = (
  series: Write['series'],
  all: readonly { key: string; time: number }[],
  columns: number[][],
): Write[] =>
  all.length === 0
    ? []
    : [
        {
          ...{ series, step: minute, mode: 'add', backfilled: false },
          rows: { keys: all.map(({ key }) => key), times: all.map(({ time }) => time), columns },
        },
      ];

/** The time that the entries add to the received time of each stream, by minute, and the place after them. */
export function heardOf(
  entries: readonly Entry[],
  before: Place | null,
): { writes: Write[]; place: Place | null } {
  const heard: Record<string, number> = { ...before?.heard };
  const cells: Cells<{ ms: number }> = new Map();
  let [floor, place] = [0, before];
  for (const { entry, at, afterGap } of entries) {
    const key = recordedKey(entry.source, entry.part);
    if (afterGap) floor = entry.at;
    const since = entry.since ?? entry.at;
    const from = Math.max(since, heard[key] ?? 0, floor, entry.at - longest);
    for (let time = from; time < entry.at; time = stepAt(time, minute) + minute) {
      const start = stepAt(time, minute);
      cellOf(cells, key, start, () => ({ ms: 0 })).value.ms +=
        Math.min(entry.at, start + minute) - time;
    }
    heard[key] = Math.max(heard[key] ?? 0, entry.at);
    place = { ...at, heard };
  }
  // The time before a gap counts for no stream, not even for those without an entry since.
  for (const key of Object.keys(heard)) heard[key] = Math.max(heard[key] ?? 0, floor);
  const all = [...cells.values()];
  return { writes: written(liquidationFeeds, all, [all.map(({ value }) => value.ms)]), place };
}
