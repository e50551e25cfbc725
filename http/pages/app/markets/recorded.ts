/** Since when the service records what columns need the past for, and when they are whole. */
import { time } from '../format.ts';
import { at } from '../request.ts';
import { follow } from '../stream.ts';

const hour = 3_600_000;
/** It changes seldom, ms. */
const every = 60_000;

/** Columns whose values need a time that was recorded. */
const needs: Readonly<Record<string, { series: string; length: number }>> = {
  '1h': { series: 'price', length: hour },
  oi1h: { series: 'open-interest', length: hour },
  oi24h: { series: 'open-interest', length: 24 * hour },
  liquidations: { series: 'liquidations', length: 24 * hour },
  longs: { series: 'liquidations', length: 24 * hour },
  shorts: { series: 'liquidations', length: 24 * hour },
};

/** When the recording of each series began, Unix ms. */
export type Recorded = ReadonlyMap<string, number>;

/** What is to be said of a column: since when it is recorded, and when it is whole; null where it needs no past. */
export function recordedOf(
  id: string,
  recorded: Recorded,
  now: number,
): { since: number; whole: number; isWhole: boolean } | null {
  const need = needs[id];
  const since = recorded.get(need?.series ?? '');
  if (need === undefined || since === undefined) return null;
  const whole = since + need.length;
  return { since, whole, isWhole: now >= whole };
}

/** What the head of a column says behind its name and in its title. */
export function noteOf(
  id: string,
  recorded: Recorded,
  now: number,
): { mark: string; about: string } {
  const of = recordedOf(id, recorded, now);
  if (of === null) return { mark: '', about: '' };
  const about = `. Recorded since ${time(of.since, 'minute')}`;
  return { mark: of.isWhole ? '' : ' *', about };
}

/** What all numbers of the table are. It is under the table from the first paint on: words that come later move nothing. */
const units =
  'US dollars, over all exchanges; the head of a column says in its title what the column is.';

/** What stands under the table: since when columns of a fresh service are recorded, and which fill when; the units where all are whole. */
export function fillingWords(
  columns: readonly { id: string; shown: string }[],
  recorded: Recorded,
  now: number,
): string {
  const filling = columns.flatMap(({ id, shown }) => {
    const of = recordedOf(id, recorded, now);
    return of === null || of.isWhole ? [] : [{ ...of, shown }];
  });
  const [first] = filling;
  if (first === undefined) return units;
  const byTime = Map.groupBy(filling, ({ whole }) => whole);
  const parts = [...byTime]
    .toSorted(([a], [b]) => a - b)
    .map(
      ([whole, all]) => `${all.map(({ shown }) => shown).join(', ')} from ${time(whole, 'minute')}`,
    );
  return `* Recorded since ${time(first.since, 'minute')}; complete: ${parts.join('; ')}. Until then only assets whose past an exchange keeps have them.`;
}

/** Follows since when each series is recorded. */
export const followRecorded = (take: (recorded: Recorded) => void): (() => void) =>
  follow(
    at('/v1/history/coverage', {}),
    {
      data({ items }) {
        const known = items.flatMap(({ series, recorded_from: from }) =>
          from === null ? [] : [[series, from] as const],
        );
        take(new Map(known));
      },
    },
    { every },
  );
