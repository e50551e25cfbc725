/** A history in memory, with the series that sources hand over. */
import { SeriesAnswers } from '../../actors/history/answers.ts';
import { recordRows } from '../../actors/history/record.ts';
import { bitcoinCloses, marketIndicators } from '../../actors/history/series/sent.ts';
import { SqliteStore } from '../../actors/history/sqlite.ts';
import type { FakeClock } from './clock.ts';
import { served } from './queries.ts';

const series = [marketIndicators, bitcoinCloses];

/** What answers `series` and `record` of the source `history`, and a bus on which it is all that answers. */
export function createHistory(clock: FakeClock) {
  const store = new SqliteStore(':memory:', series);
  const { answers: reads } = new SeriesAnswers({ series, store, clock });
  const answers = { ...reads, record: recordRows({ series, store, clock }) };
  return { ...served(answers, clock), answers };
}
