import t from 'tap';
import type { RecordedCoverage } from '../../../actors/topics/index.ts';
import { historyCoverageRoutes } from '../../../http/routes/history-coverage.ts';
import { FakeClock } from '../../support/clock.ts';
import { now } from '../../support/makers.ts';
import { rowReader } from '../../support/row-reader.ts';

t.test('the rows of the history, as they are', async (t) => {
  const minutes = { step: '1m', kept_ms: 93_600_000, recorded_from: 11, newest: 12 } as const;
  const counts = { keys: 13, key: 'spot/BTC', rows: 14, steps: 1_440 };
  const files = { folder: 'price/1m', count: 2, first: '2026-01-30', last: '2026-01-31' };
  const row = { series: 'price', ...minutes, ...counts, files } as const;
  const columns = [{ name: 'price', unit: 'US dollars', type: 'FLOAT' }] as const;
  const series = [{ series: 'price', key: 'kind/asset', columns }] as const;
  const asked: unknown[] = [];
  const reply = ({ source, name }: { source: string; name: string }): RecordedCoverage => {
    asked.push([source, name]);
    return { series, rows: [row] };
  };
  const read = rowReader(historyCoverageRoutes(), { reply, clock: new FakeClock(now) });
  t.strictSame(await read('/v1/history/coverage'), { count: 1, series, items: [row] });
  t.strictSame(asked, [['history', 'coverage']]);
});
