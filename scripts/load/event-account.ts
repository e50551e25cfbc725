/** What became of the events that an upstream has sent. */
import { DatabaseSync } from 'node:sqlite';
import type { Liquidations } from '../../actors/topics/index.ts';
import { type EventUpstream, numberOf } from './event-upstream.ts';

/** An entry of the log may be written so long before an event that was sent earlier is read, ms. */
const slack = 500;

/** What the log says of the time in which the stream was heard, Unix ms. */
export class Heard {
  readonly stretches: { from: number; to: number }[] = [];

  accept({ at, since }: Liquidations): void {
    if (since === null) return;
    const last = this.stretches.at(-1);
    if (last && since <= last.to) last.to = Math.max(last.to, at);
    else this.stretches.push({ from: since, to: at });
  }

  holds(time: number): boolean {
    return this.stretches.some(({ from, to }) => time >= from && time <= to - slack);
  }
}

/** How often each event is stored in a file of the history, by its number. */
export function storedIn(file: string): Map<number, number> {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare('SELECT quantity_base AS quantity FROM liquidation_events').all();
  db.close();
  const counts = new Map<number, number>();
  for (const { quantity } of rows) {
    const number = numberOf(Number(quantity));
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return counts;
}

/**
 * Numbers of events. `unheard`: sent while no connection was open; `lost`: sent on one, in a time of which the log does not
 * state that it was heard (before a `kill -9`); `missing`: in a time of which it does.
 */
export interface Account {
  sent: number;
  unheard: number;
  lost: number;
  stored: number;
  twice: number;
  missing: number;
}

export function accountOf(
  { sent }: EventUpstream,
  heard: Heard,
  stored: ReadonlyMap<number, number>,
): Account {
  const events = sent.slice(1);
  const missing = events.filter(
    ({ at, listeners }, index) => listeners > 0 && heard.holds(at) && !stored.has(index + 1),
  ).length;
  const unheard = events.filter(({ listeners }) => listeners === 0).length;
  return {
    ...{ sent: events.length, unheard },
    lost: events.length - unheard - stored.size - missing,
    stored: stored.size,
    twice: [...stored.values()].filter((count) => count > 1).length,
    missing,
  };
}
