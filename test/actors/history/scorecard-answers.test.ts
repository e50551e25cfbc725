/** The scorecard out of a real file: over a restart of the process it goes on. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { silent } from '../../../actors/bus/log.ts';
import { Recorder } from '../../../actors/history/recorder.ts';
import { scorecardAnswers } from '../../../actors/history/scorecard-answers.ts';
import { scorecard } from '../../../actors/history/series/scorecard.ts';
import { SqliteStore } from '../../../actors/history/sqlite.ts';
import { type Store, StoreError } from '../../../actors/history/store.ts';
import { Writer } from '../../../actors/history/writer.ts';
import { FeedRecord } from '../../../actors/state/feed-record.ts';
import { MarketState } from '../../../actors/state/market-state.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import type { FeedReport } from '../../../actors/topics/index.ts';
import { FakeClock } from '../../support/clock.ts';

const minute = 60_000;
const hour = 60 * minute;
/** A full hour. */
const start = 1_800_000_000_000;
const series = [scorecard];

const folder = mkdtempSync(join(tmpdir(), 'scorecard-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));

const begun = {
  since: start,
  failed: 0,
  refused: 0,
  suspect: 0,
  differs: 0,
  age_area: 0,
  age_span: 0,
  age_max: 0,
};

const report = (changes: Partial<FeedReport>): FeedReport => ({
  ...{ source: 'okx', topic: 'prices', part: 'spot', state: 'up', reason: null },
  ...{ last_success: null, last_attempt: null, latency_ms: 9, last_error: null },
  ...{ breaker: 'closed', next_poll: start + 90 * 24 * hour, rows: 1, dropped: {}, failures: 0 },
  ...changes,
});

/** A process of the history. */
function run(clock: FakeClock) {
  const store = new SqliteStore(join(folder, 'a'), series);
  const feeds = new FeedRecord(new Set(['okx']), clock.now());
  const market = new MarketState(new NewestRows(), () => [], feeds);
  const writer = new Writer({ store, clock, log: silent });
  const recorder = new Recorder({ series, store, writer, market, clock, log: silent });
  const { scorecard: ask } = scorecardAnswers(store, clock);
  return {
    say: (changes: Partial<FeedReport>) => feeds.accept('okx/prices', report(changes), clock.now()),
    async read() {
      const reply = await ask();
      if (!reply.ok) throw new Error(reply.failure.message);
      return reply.value;
    },
    async stop() {
      await writer.stop();
      await recorder.stop();
      await store.close();
    },
  };
}

t.test('minutes, hours, and a restart between them', async (t) => {
  const clock = new FakeClock(start);
  const first = run(clock);
  t.match(await first.read(), { value: { rows: [], recorded_from: null } }, 'nothing yet');
  first.say({ last_success: start, tally: { ...begun, events: { 30: 3 } } });
  await clock.advance(minute + 2_000);
  const { value, until } = await first.read();
  const row = { exchange: 'okx', topic: 'prices', up_24h: 1, up_7d: null, minutes_24h: 1 };
  t.match(value, { rows: [{ ...row, age_ms_p50: 30_000, age_ms_p99: 60_000, hours_7d: 0 }] });
  t.match(value, { rows: [{ event_latency_ms_p95: 30, delivery_ms_p95: null }] });
  t.equal(until, start + 2 * minute + 2_000, 'until the next minute is written');
  first.say({ state: 'failing' });
  await clock.advance(hour - 2_000);
  // The minute in which it failed was up for 2 s, those after it not at all.
  const before = (await first.read()).value.rows[0];
  t.equal(before?.minutes_24h, 60);
  t.ok(Math.abs((before?.up_24h ?? 0) - (1 + 2 / 60) / 60) < 1e-6);
  await first.stop();

  await clock.advance(hour);
  const second = run(clock);
  second.say({ last_success: clock.now() });
  await clock.advance(hour);
  const after = (await second.read()).value;
  t.match(after, { recorded_from: start + minute, rows: [{ exchange: 'okx', up_7d: null }] });
  const { minutes_24h = 0, hours_7d = 0, up_24h = 0 } = after.rows[0] ?? {};
  t.ok(minutes_24h >= 119 && minutes_24h <= 121, `${minutes_24h}: the absence has no minutes`);
  t.equal(hours_7d, 3);
  t.ok(Math.abs(up_24h - 61 / minutes_24h) < 0.01);
  await second.stop();
});

t.test('a store that fails is asked again at the next question', async (t) => {
  const clock = new FakeClock(start);
  let fails = true;
  const store = {
    scan: async () => {
      if (fails) throw new StoreError('away', 'the store is away');
      return new Map();
    },
    position: async () => null,
  } as unknown as Store;
  const { scorecard: ask } = scorecardAnswers(store, clock);
  t.match(await ask(), { ok: false, failure: { code: 'unavailable', message: /away/ } });
  fails = false;
  t.match(await ask(), { ok: true, value: { value: { rows: [] } } });
});
