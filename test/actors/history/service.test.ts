/** The history of one process: its lease, its store and its questions. */

import t from 'tap';
import type { Bus, Published } from '../../../actors/bus/bus.ts';
import { openInterest } from '../../../actors/history/series/open-interest.ts';
import { bitcoinCloses } from '../../../actors/history/series/sent.ts';
import { startHistory } from '../../../actors/history/service.ts';
import { SqliteStore } from '../../../actors/history/sqlite.ts';
import { beginStatus, reportClosed } from '../../../actors/history/status.ts';
import { type Store, StoreError } from '../../../actors/history/store.ts';
import { MarketState } from '../../../actors/state/market-state.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import { createLogger } from '../../../config/log.ts';
import { FakeClock } from '../../support/clock.ts';
import { MemoryStore } from '../../support/lease-store.ts';

function run(open: () => Store, shared = false) {
  const clock = new FakeClock();
  const leases = new MemoryStore(clock);
  const told: string[] = [];
  const served: string[] = [];
  const bus: Partial<Bus> = {
    leases: () => leases,
    publish: async (_topic: unknown, key: string, value: object): Promise<Published> => {
      told.push(`${key} ${'state' in value ? value.state : ''}`);
      return 'published';
    },
    serve(source: string, answers: object, { concurrency = 0 } = {}) {
      served.push(`${source} x${concurrency}: ${Object.keys(answers).sort().join(' ')}`);
      return { stop: async () => void served.push('ended') } as never;
    },
    follow: () =>
      ({
        ready: Promise.resolve(),
        state: () => 'up',
        stop: async () => {},
      }) as never,
  };
  const history = startHistory({
    archive: null,
    bus: bus as Bus,
    clock,
    random: () => 0,
    process: 'one',
    shared,
    log: createLogger({ logLevel: 'silent' }, 'test'),
    market: new MarketState(new NewestRows()),
    series: [bitcoinCloses],
    open,
  });
  return { clock, leases, told, served, history };
}

t.test('a store that cannot be opened is tried again, then answers', async (t) => {
  let attempts = 0;
  const { clock, leases, told, served, history } = run(() => {
    if (++attempts < 3) throw new StoreError('full', 'the disk is full');
    return new SqliteStore(':memory:', [bitcoinCloses]);
  });
  await clock.advance(1_000);
  t.same([attempts, told, served], [1, ['history/store/writes failing'], []]);
  await clock.advance(4_000);
  t.equal(attempts, 2);
  await clock.advance(5_000);
  t.equal(told.at(-1), 'history/store/writes up');
  t.same(served, [
    'history x256: alertDeliveries coverage liquidationState record scorecard series seriesAt',
  ]);
  await history.stop();
  t.equal(served.at(-1), 'ended');
  t.equal(leases.holder('history'), null);
});

for (const shared of [true, false]) {
  t.test(
    `a stop ends while the store does not answer, ${shared ? '' : 'not '}shared`,
    async (t) => {
      const hangs = () => new Promise<never>(() => {});
      const store = { write: hangs, read: hangs, scan: hangs, position: hangs, log: hangs };
      const { clock, leases, history } = run(() => ({ ...store, close: hangs }) as never, shared);
      // Over the end of a minute: rows wait, and steps are being combined.
      await clock.advance(3 * 60_000);
      t.equal(leases.holder('history'), 'one');
      let ended = false;
      const stopped = history.stop().then(() => {
        ended = true;
      });
      await clock.advance(8_000);
      t.ok(ended);
      await stopped;
      t.equal(leases.holder('history'), null);
    },
  );
}

t.test('the status of the store and of what is sampled', async (t) => {
  const clock = new FakeClock(1_000_000);
  const told: [string, object][] = [];
  const lease = { name: 'history', fence: 7 };
  const bus = {
    publish: async (topic: unknown, key: string, value: object, fence: unknown) => {
      told.push([`${topic} ${key}`, value]);
      t.equal(fence, lease);
      return 'published' as const;
    },
  };
  const writer = {
    problem: null as { message: string; since: number } | null,
    counts: { waiting: 3, lost: 0 },
  };
  let notice: string | null = null;
  const store = { damage: () => ({ files: 0, notice }) };
  reportClosed({ bus, clock, lease }, 'the disk is full');
  const options = { bus, clock, writer, store, lease } as never;
  const status = beginStatus(options);
  const all = {
    source: 'history',
    topic: 'store',
    part: 'writes',
    state: 'up',
    reason: null,
    last_success: 1_000_000,
    last_attempt: 1_000_000,
    latency_ms: null,
    last_error: null,
    breaker: 'closed',
    next_poll: null,
    rows: 0,
    dropped: {},
    failures: 0,
  };
  const error = (message: string, at: number) => ({ code: 'unavailable', message, at });
  const key = 'status history/store/writes';
  t.strictSame(told.splice(0), [
    [
      key,
      {
        ...all,
        state: 'failing',
        last_success: null,
        failures: 1,
        last_error: error('the disk is full', 1_000_000),
      },
    ],
    [key, { ...all, rows: 3 }],
  ]);
  writer.problem = { message: 'away', since: 5 };
  writer.counts = { waiting: 4, lost: 2 };
  await clock.advance(4_999);
  t.strictSame(told, [], 'every five seconds');
  await clock.advance(5_001);
  const failing = { ...all, state: 'failing', rows: 4, dropped: { lost: 2 } };
  t.strictSame(
    told.splice(0).map(([, value]) => value),
    [1, 2].map((failures) => ({
      ...failing,
      failures,
      last_attempt: 1_000_000 + failures * 5_000,
      last_error: error('away', 5),
    })),
  );
  writer.problem = null;
  notice = 'set aside';
  await clock.advance(5_000);
  const times = { last_success: 1_015_000, last_attempt: 1_015_000 };
  t.strictSame(told.splice(0), [
    [
      key,
      {
        ...all,
        ...times,
        rows: 4,
        dropped: { lost: 2 },
        last_error: error('set aside', 1_000_000),
      },
    ],
  ]);
  const rows = new Map([
    [openInterest, 12],
    [bitcoinCloses, 1],
  ]);
  status.sampled(rows, 1_014_000);
  const sampled = { ...all, ...times, topic: 'series', last_success: 1_014_000 };
  t.strictSame(told.splice(0), [
    [
      'status history/series/open-interest',
      { ...sampled, part: 'open-interest', rows: 12, next_poll: 1_074_000 },
    ],
    [
      'status history/series/bitcoin-closes',
      { ...sampled, part: 'bitcoin-closes', rows: 1, next_poll: 1_074_000 },
    ],
  ]);
  status.stop();
  await clock.advance(10_000);
  t.strictSame(told, []);
});
