/** What the store must hold, from what the parent of the processes knows, and where it does not. */

import { openInterest } from '../../../actors/history/series/open-interest.ts';
import { price } from '../../../actors/history/series/price.ts';
import type { Store, Stored } from '../../../actors/history/store.ts';
import { topics } from '../../../actors/topics/index.ts';
import { exchanges, interestAt, minute, priceAt, start, symbols, tick } from './world.ts';

const hour = 60 * minute;

/** What happened, by `topic exchange`: readings that Redis took, and those of which that is not known. */
export interface Happened {
  end: number;
  published: Map<string, Set<number>>;
  attempted: Map<string, Set<number>>;
  /** Ends of minutes at which a history process recorded and then lived until that was stored. */
  recorded: Set<number>;
}

export interface Findings {
  rows: number;
  wrong: string[];
  holes: number;
  /** Holes at steps whose sample must have been stored. */
  lost: string[];
  /** Hours that state an earlier time of theirs than the last, because they were combined before a hole was filled. */
  early: number;
  events: number;
}

/** The times of the readings that a sample at `boundary` may be made of: the last one taken, and uncertain later ones. */
function readingsAt({ published, attempted }: Happened, topic: string, boundary: number): number[] {
  const found: number[] = [];
  const { maxAge } = topic.startsWith('prices') ? topics.prices : topics.openInterest;
  for (let time = Math.floor((boundary - 5_000) / tick) * tick + 5_000; ; time -= tick) {
    if (time > boundary) continue;
    if (time < start || boundary - time > maxAge) return found;
    if (attempted.get(topic)?.has(time)) found.push(time);
    if (published.get(topic)?.has(time)) return found;
  }
}

interface Checked {
  key: string;
  topic: string;
  step: number;
  truth(time: number): number;
  column: number;
  filled: boolean;
  /** Rows before are no longer kept. */
  since: number;
}

function checkRows(
  happened: Happened,
  findings: Findings,
  stored: Stored | undefined,
  checked: Checked,
): void {
  const { key, topic, step, truth, column, filled, since } = checked;
  const rows = new Map(stored?.times.map((time, at) => [time, at]));
  for (let time = since; time + step <= happened.end; time += step) {
    const end = time + step;
    const readings = readingsAt(happened, topic, end);
    const at = rows.get(time);
    if (at === undefined) {
      findings.holes++;
      const certain = readings.some((one) => happened.published.get(topic)?.has(one));
      const isLost = filled || (certain && happened.recorded.has(end));
      if (isLost) findings.lost.push(`${key} ${step} ${time}`);
      continue;
    }
    findings.rows++;
    const value = stored?.columns[column]?.[at];
    const allowed = stored?.backfilled[at] ? [end - minute] : readings;
    const isRight = allowed.some((one) => truth(one) === value);
    if (!isRight) findings.wrong.push(`${key} ${step} ${time}: ${value}`);
  }
}

/** An hour states the last of its rows of five minutes, or an earlier one where that was filled later. */
function checkHours(
  findings: Findings,
  fine: Stored | undefined,
  hours: Stored | undefined,
  key: string,
) {
  const usd = new Map(fine?.times.map((time, at) => [time, fine.columns[1]?.[at]]));
  for (const [at, time] of (hours?.times ?? []).entries()) {
    const value = hours?.columns[1]?.[at];
    const own = Array.from({ length: 12 }, (_, i) => usd.get(time + i * 5 * minute));
    const last = own.findLast((one) => one !== undefined);
    findings.rows++;
    if (value === last) continue;
    if (own.includes(value)) findings.early++;
    else findings.wrong.push(`${key} 1h ${time}: ${value}`);
  }
}

async function checkEvents(happened: Happened, findings: Findings, store: Store): Promise<void> {
  const events = await store.events({ from: 0, to: happened.end + hour, limit: 100_000 });
  findings.events = events.length;
  const ids = new Set(events.map(({ id = '' }) => id));
  if (ids.size !== events.length) findings.wrong.push('a liquidation is stored twice');
  for (const exchange of exchanges) {
    const topic = `liquidations ${exchange}`;
    for (const time of happened.published.get(topic) ?? []) {
      if (!ids.has(`${exchange}-${time}`)) findings.lost.push(`liquidation ${exchange} ${time}`);
    }
  }
}

/** Compares all that is stored. */
export async function compare(store: Store, happened: Happened): Promise<Findings> {
  const findings: Findings = { rows: 0, wrong: [], holes: 0, lost: [], early: 0, events: 0 };
  const range = { from: 0, to: happened.end };
  for (const exchange of exchanges) {
    for (const symbol of symbols) {
      const key = `${exchange}/stable/${symbol}`;
      const read = async (step: number) =>
        (await store.read(openInterest, step, [key], range)).get(key);
      const fine = await read(5 * minute);
      checkRows(happened, findings, fine, {
        ...{ key, topic: `openInterest ${exchange}`, step: 5 * minute, column: 1 },
        truth: (time) => interestAt(exchange, symbol, time),
        filled: exchange === exchanges[0],
        since: start,
      });
      checkHours(findings, fine, await read(hour), key);
    }
  }
  for (const symbol of symbols) {
    const key = `perpetual/${symbol}`;
    checkRows(happened, findings, (await store.read(price, minute, [key], range)).get(key), {
      ...{ key, topic: `prices ${exchanges[0]}`, step: minute, column: 0, filled: false },
      since: Math.max(start, happened.end - 25 * hour),
      truth: (time) => priceAt(symbol, time),
    });
  }
  await checkEvents(happened, findings, store);
  return findings;
}
