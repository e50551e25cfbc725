/** Answers how well the topics of exchanges were received: made of the record once a minute, if anybody asks. */
import { setImmediate } from 'node:timers/promises';
import { day, hour, minute } from '../../config/time.ts';
import { stepAt } from '../../indicators/market/buckets.ts';
import { type ScoreColumn, scoreOf } from '../../indicators/market/scorecard.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Scorecard } from '../topics/index.ts';
import { oncePerMinute } from './minute-answer.ts';
import { begunName } from './recorder.ts';
import { scorecard as series } from './series/scorecard.ts';
import type { Store, Stored } from './store.ts';

/** The handlers of the bus, by the names of the queries. */
export const scorecardAnswers = (store: Store, clock: Clock) => ({
  scorecard: oncePerMinute(clock, (end) => scorecardAt(store, end)),
});

/** Out of the minutes and hours that have ended at `end`, Unix ms; one exchange after the other, so that other questions have their turns. */
async function scorecardAt(store: Store, end: number): Promise<Scorecard> {
  const ended = stepAt(end, hour);
  const hours = await store.scan(series, hour, { from: ended - 7 * day, to: ended - 1 });
  // Of the last minutes no hour may have been made yet.
  const newest = await store.scan(series, minute, { from: ended - hour, to: end - 1 });
  const keys = [...new Set([...hours.keys(), ...newest.keys()])].sort();
  const rows: Scorecard['rows'][number][] = [];
  for (const [exchange = '', own] of Map.groupBy(keys, (key) => key.split('/')[0])) {
    const minutes = await store.read(series, minute, own, { from: end - day, to: end - 1 });
    for (const key of own) {
      const [, topic = ''] = key.split('/');
      const score = scoreOf(
        (name) => columnOf(minutes.get(key), name),
        columnOf(hours.get(key), 'up'),
      );
      if (score) rows.push({ exchange, topic, ...score });
    }
    await setImmediate();
  }
  const begun = await store.position(begunName(series));
  return { rows, recorded_from: begun === null ? null : Number(begun) };
}

const columnOf = (rows: Stored | undefined, name: ScoreColumn): readonly (number | null)[] =>
  rows?.columns[series.columns.findIndex((one) => one.name === name)] ?? [];
