/** Answers how well the topics of exchanges were received: made of the record once a minute, if anybody asks. */
import { day, hour, minute } from '../../config/time.ts';
import { stepAt } from '../../indicators/market/buckets.ts';
import { byLatency, type Score, scoreOf } from '../../indicators/market/scorecard.ts';
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

/** Out of the minutes and hours that have ended at `end`, Unix ms. */
async function scorecardAt(store: Store, end: number): Promise<Scorecard> {
  const ended = stepAt(end, hour);
  const [minutes, hours, begun] = await Promise.all([
    store.scan(series, minute, { from: end - day, to: end - 1 }),
    store.scan(series, hour, { from: ended - 7 * day, to: ended - 1 }),
    store.position(begunName(series)),
  ]);
  const rows = [...minutes].flatMap(([key, stored]) => {
    const [exchange = '', topic = ''] = key.split('/');
    const score = scoreOfStored(stored, hours.get(key));
    return score ? [{ exchange, topic, ...score }] : [];
  });
  const name = (row: Scorecard['rows'][number]) => `${row.exchange}/${row.topic}`;
  rows.sort((a, b) => (name(a) < name(b) ? -1 : 1));
  return { rows, recorded_from: begun === null ? null : Number(begun) };
}

function scoreOfStored(minutes: Stored, hours: Stored | undefined): Score | null {
  const column = ({ columns }: Stored, name: string) =>
    columns[series.columns.findIndex((one) => one.name === name)] ?? [];
  const of = (name: string) => column(minutes, name);
  const [up, age, max] = [of('up'), of('age'), of('age_max')];
  const counts = ['suspect', 'differs', 'refused', 'reconnects'].map(of);
  const latencies = byLatency(of);
  const known = minutes.times.flatMap((_, at) => {
    const share = up[at] ?? null;
    if (share === null) return [];
    const [suspect = 0, differs = 0, refused = 0, reconnects = 0] = counts.map(
      (values) => values[at] ?? 0,
    );
    const row = { up: share, age: age[at] ?? null, age_max: max[at] ?? null };
    const latency = byLatency((name) => latencies[name][at] ?? null);
    return [{ ...row, suspect, differs, refused, reconnects, ...latency }];
  });
  const shares = hours ? column(hours, 'up').filter((one) => one !== null) : [];
  return scoreOf(known, shares);
}
