import t from 'tap';
import type { Scorecard } from '../../../actors/topics/index.ts';
import { scorecardRoutes } from '../../../http/routes/scorecard.ts';
import { byLatency } from '../../../indicators/market/scorecard.ts';
import { FakeClock } from '../../support/clock.ts';
import { now } from '../../support/makers.ts';
import { type Replies, rowReader } from '../../support/row-reader.ts';

const row = {
  exchange: 'okx',
  topic: 'prices',
  up_24h: 0.5,
  up_7d: null,
  age_ms_p50: 11,
  age_ms_p99: 12,
  suspect_24h: 13,
  differs_24h: 14,
  ...byLatency((name) => name.length),
  refused_24h: 15,
  reconnects_24h: 16,
  minutes_24h: 17,
  hours_7d: 18,
};

const reader = (reply: Replies) =>
  rowReader(scorecardRoutes(), { reply, clock: new FakeClock(now) });

t.test('the rows of the history, as they are', async (t) => {
  const value: Scorecard = { rows: [row], recorded_from: 99 };
  const asked: unknown[] = [];
  const read = reader(({ source, name, params }) => {
    asked.push([source, name, params]);
    return value;
  });
  t.strictSame(await read('/v1/scorecard'), { count: 1, recorded_from: 99, items: [row] });
  t.strictSame(asked, [['history', 'scorecard', {}]]);
});

t.test('before the first minute there is none', async (t) => {
  const read = reader(() => ({ rows: [], recorded_from: null }));
  t.strictSame(await read('/v1/scorecard'), { count: 0, recorded_from: null, items: [] });
});
