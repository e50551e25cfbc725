/** From entries of the log of liquidations to stored rows. Pure. */
import { day, minute } from '../../config/time.ts';
import { stepAt } from '../../indicators/market/buckets.ts';
import type { LogPosition } from '../bus/bus.ts';
import { type Liquidations, recordedKey } from '../topics/index.ts';
import type { Row, Series } from './define.ts';
import type { LogEntry } from './log-recorder.ts';
import type { StoredEvent } from './logs.ts';
import { writeOf } from './rows.ts';
import { liquidationFeeds, liquidations } from './series/liquidations.ts';
import type { Write } from './store.ts';

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

/** The place of a text that `textOf` made; null without one. */
export const placeOf = (text: string | null): Place | null =>
  text === null ? null : JSON.parse(text);

type Entry = LogEntry<Liquidations>;

export const eventsOf = (entries: readonly Entry[]): StoredEvent[] =>
  entries.flatMap(({ entry: { source, events } }) =>
    events.map((event) => ({ ...event, exchange: source })),
  );

/** A minute of a key whose values are added up. */
interface Cell<Name extends string> extends Row {
  values: Record<Name, number>;
}
type Cells<Name extends string> = Map<string, Cell<Name>>;

/** The values of a key and minute. */
function valuesOf<Name extends string>(
  cells: Cells<Name>,
  { key, time }: Pick<Row, 'key' | 'time'>,
  empty: Readonly<Record<Name, number>>,
): Record<Name, number> {
  const id = `${key} ${time}`;
  const cell = cells.get(id) ?? { key, time, values: { ...empty } };
  cells.set(id, cell);
  return cell.values;
}

/** Nothing was closed in a minute. */
const none = { long_usd: 0, short_usd: 0, count: 0, largest_usd: 0 };

/** The sums by minute of some events, to be added. */
export function sumsOf(events: readonly StoredEvent[]): Write[] {
  const cells: Cells<keyof typeof none> = new Map();
  for (const { exchange, symbol, side, value_usd: value, timestamp } of events) {
    const at = { key: recordedKey(exchange, symbol), time: stepAt(timestamp, minute) };
    const sums = valuesOf(cells, at, none);
    sums[`${side}_usd`] += value;
    sums.count += 1;
    sums.largest_usd = Math.max(sums.largest_usd, value);
  }
  return added(liquidations, cells);
}

const added = (series: Series, cells: ReadonlyMap<string, Row>): Write[] =>
  cells.size === 0 ? [] : [writeOf(series, [...cells.values()], { step: minute, mode: 'add' })];

/** The time that the entries add to the received time of each stream, by minute, and the place after them. */
export function heardOf(
  entries: readonly Entry[],
  before: Place | null,
): { writes: Write[]; place: Place | null } {
  const heard: Record<string, number> = { ...before?.heard };
  const cells: Cells<'heard_ms'> = new Map();
  let [floor, place] = [0, before];
  for (const { entry, at, afterGap } of entries) {
    const key = recordedKey(entry.source, entry.part);
    if (afterGap) floor = entry.at;
    const since = entry.since ?? entry.at;
    const from = Math.max(since, heard[key] ?? 0, floor, entry.at - longest);
    for (let time = from; time < entry.at; time = stepAt(time, minute) + minute) {
      const start = stepAt(time, minute);
      const values = valuesOf(cells, { key, time: start }, { heard_ms: 0 });
      values.heard_ms += Math.min(entry.at, start + minute) - time;
    }
    heard[key] = Math.max(heard[key] ?? 0, entry.at);
    place = { ...at, heard };
  }
  // The time before a gap counts for no stream, not even for those without an entry since.
  for (const key of Object.keys(heard)) heard[key] = Math.max(heard[key] ?? 0, floor);
  return { writes: added(liquidationFeeds, cells), place };
}
