/** Times that a process states by its own clock, which may be wrong. */
import { mostApart } from '../kernel/clock.ts';
import { isMap } from './codec.ts';

/** What they are named, in a value and in its rows. */
const names = ['asked', 'received', 'at', 'quoted', 'received_at', 'updated_at'] as const;

function moveBack(value: unknown, by: number): void {
  if (!isMap(value)) return;
  for (const name of names) {
    const time = value[name];
    if (typeof time === 'number') value[name] = time - by;
  }
}

/**
 * Moves the times of a value that has just come back to `now` (Unix ms) where it was received after that: its publisher's clock
 * is ahead, and whoever compared its times with later, right ones would take these for older. Ages within the value stay.
 */
export function correctTimes(value: unknown, now: number): void {
  if (!isMap(value)) return;
  const stated = value.received ?? value.at;
  if (typeof stated !== 'number' || !(stated - now > mostApart)) return;
  const { rows } = value;
  if (Array.isArray(rows)) for (const row of rows) moveBack(row, stated - now);
  moveBack(value, stated - now);
}
