/** Waiting for the exchanges, what is published of a reading, and when a job is due. */

import t from 'tap';
import { failed } from '../../../actors/failure.ts';
import {
  Charts,
  type IndicatorUpdate,
  mapped,
  remaining,
  settled,
} from '../../../actors/market/context.ts';
import { Tickers } from '../../../actors/market/tickers.ts';
import { SourceStatus } from '../../../actors/sources/status/status.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import { FakeClock } from '../../support/clock.ts';

/** What has come of waiting: null while it waits, else the milliseconds that it took. */
function waiting(tickers: Tickers, clock: FakeClock, signal = new AbortController().signal) {
  const began = clock.now();
  const state = { took: null as number | null };
  void settled({ context: { clock }, tickers }, signal).then(() => {
    state.took = clock.now() - began;
  });
  return state;
}

const tell = (newest: NewestRows, source: string) =>
  newest.accept('prices', { source, part: 'spot', asked: 0, received: 0, rows: [] });

t.test('sums wait until no exchange has published for five seconds', async (t) => {
  const [clock, newest] = [new FakeClock(), new NewestRows()];
  const tickers = new Tickers(newest);
  const state = waiting(tickers, clock);
  await clock.advance(2_000);
  tell(newest, 'binance');
  await clock.advance(4_000);
  tell(newest, 'okx');
  await clock.advance(4_000);
  tell(newest, 'okx');
  t.equal(state.took, null, 'the second published four seconds ago');
  await clock.advance(3_000);
  t.equal(state.took, 12_000);
});

t.test('they wait 45 seconds at most, and not once they are stopped', async (t) => {
  const [clock, newest] = [new FakeClock(), new NewestRows()];
  const tickers = new Tickers(newest);
  const state = waiting(tickers, clock);
  await clock.advance(44_000);
  t.equal(state.took, null);
  await clock.advance(2_000);
  t.equal(state.took, 45_000);
  const abort = new AbortController();
  const stopped = waiting(tickers, clock, abort.signal);
  abort.abort();
  await clock.advance(1_000);
  t.equal(stopped.took, 1_000, 'a job that is stopped does not delay its stop');
});

/** What the bus has, and what is published to it; `refused` topics are not taken. */
function bus() {
  const state = { refused: '', published: [] as unknown[], known: new Map<string, unknown>() };
  const context = {
    async publish(topic: string, key: string, value: object) {
      if (topic === state.refused) return failed('unavailable', topic).failure;
      state.published.push([topic, key, value]);
      return null;
    },
    last: async (topic: string, key: string) => state.known.get(`${topic} ${key}`),
  };
  return { state, context: context as ConstructorParameters<typeof Charts>[0] };
}

t.test('a reading is published each time, its chart when it has changed', async (t) => {
  const { state, context } = bus();
  const charts = new Charts(context);
  const name = 'bitcoin-dominance';
  const row = (timestamp: number) => ({ timestamp, bitcoin_dominance_pct: 50 });
  const update = (times: readonly number[] | null, key?: string, recordedFrom: number | null = 1) =>
    ({
      reading: { name },
      every: 7,
      recordedFrom,
      ...(key && { key }),
      rows: times?.map(row) ?? null,
    }) as IndicatorUpdate;
  const tell = async (...about: Parameters<typeof update>) => {
    state.published = [];
    const failure = await charts.publish(update(...about));
    return failure ?? state.published;
  };
  const full = { name, lacks: null, stale_after: 21 };
  const reading = (key = name) => ['marketIndicators', key, full];
  const chart = (times: readonly number[], key = name, recorded_from = 1) => [
    'indicatorHistories',
    key,
    { name, rows: times.map(row), recorded_from },
  ];
  t.strictSame(await tell([1, 2]), [chart([1, 2]), reading()]);
  t.strictSame(await tell([1, 2]), [reading()]);
  t.strictSame(await tell(null), [reading()]);
  t.strictSame(await tell([1, 3]), [chart([1, 3]), reading()]);
  t.strictSame(await tell([1]), [chart([1]), reading()]);
  t.strictSame(await tell([1], undefined, 0), [chart([1], name, 0), reading()]);
  t.strictSame(await tell([1], 'x'), [chart([1], 'x'), reading('x')]);
  state.known.set('indicatorHistories y', { rows: [row(4)], recorded_from: 1 });
  t.strictSame(await tell([4], 'y'), [reading('y')], 'an earlier process has published it');
  state.refused = 'marketIndicators';
  t.match(await tell([9]), { message: 'marketIndicators' });
  state.refused = 'indicatorHistories';
  for (let time = 0; time < 2; time++) {
    t.match(await tell([5]), { message: 'indicatorHistories' }, 'it is tried again');
    t.strictSame(state.published, []);
  }
  state.refused = '';
  const days = Array.from({ length: 5_001 }, (_, at) => at);
  t.strictSame(await tell(days), [chart(days.slice(1)), reading()], 'the newest 5,000 rows');
});

t.test('a job is due when its last reading is as old as its interval', async (t) => {
  const { state, context } = bus();
  const resumed: unknown[] = [];
  const status = new SourceStatus({
    source: 'x',
    clock: new FakeClock(),
    publish: (row) => resumed.push([row.topic, row.part, row.last_success, row.rows]),
  });
  const at = { ...context, status };
  const left = (now: number, key?: string) =>
    remaining(at, { job: 'job', every: 10, ...(key && { key }) }, now);
  t.equal(await left(0), 0, 'nothing is known');
  state.known.set('marketIndicators job', { source: 'a', received_at: 100 });
  state.known.set('marketIndicators key', { source: ['a', 'b'], received_at: 200 });
  const found = [await left(103), await left(110), await left(111), await left(90)];
  t.strictSame(found, [7, 0, 0, 10]);
  t.equal(await left(209, 'key'), 1);
  const one = (source: string, received: number) => ['job', source, received, 1];
  t.strictSame(resumed, [one('a', 100), one('a', 100), one('a', 200), one('b', 200)]);
});

t.test('a poll whose rows are changed all at once', async (t) => {
  const poll = mapped(
    {
      requests: () => [],
      parse: () => ({ rows: [1, 2], dropped: [{ key: 'x', code: 'bad_row' }] }),
    },
    (rows) => [rows.length],
  );
  t.strictSame(poll.requests({ now: 0 }), []);
  const parsed = poll.parse([], { received: 0, plan: { now: 0 } });
  t.strictSame(parsed, { rows: [2], dropped: [{ key: 'x', code: 'bad_row' }] });
});
