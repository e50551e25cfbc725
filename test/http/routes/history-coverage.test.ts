import t from 'tap';
import type { RecordedCoverage } from '../../../actors/topics/index.ts';
import { historyCoverageRoutes } from '../../../http/routes/history-coverage.ts';
import { FakeClock } from '../../support/clock.ts';
import { now } from '../../support/makers.ts';
import { rowReader } from '../../support/row-reader.ts';

t.test('the rows of the history, as they are', async (t) => {
  const minutes = { step: '1m', kept_ms: 93_600_000, recorded_from: 11, newest: 12 } as const;
  const counts = { keys: 13, key: 'spot/BTC', rows: 14, steps: 1_440 };
  const row = { series: 'price', ...minutes, ...counts } as const;
  const asked: unknown[] = [];
  const reply = ({ source, name }: { source: string; name: string }): RecordedCoverage => {
    asked.push([source, name]);
    return { rows: [row] };
  };
  const read = rowReader(historyCoverageRoutes(), { reply, clock: new FakeClock(now) });
  t.strictSame(await read('/v1/history/coverage'), { count: 1, items: [row] });
  t.strictSame(asked, [['history', 'coverage']]);
});
