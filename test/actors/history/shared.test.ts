/** Two history processes on one PostgreSQL database: one records, both answer. */
import pg from 'pg';
import t from 'tap';
import type { Bus } from '../../../actors/bus/bus.ts';
import { decodeResult, encodeResult } from '../../../actors/bus/codec.ts';
import { silent } from '../../../actors/bus/log.ts';
import type { SeriesAnswers } from '../../../actors/history/answers.ts';
import { PostgresStore } from '../../../actors/history/postgres.ts';
import { openInterest } from '../../../actors/history/series/open-interest.ts';
import { startHistory } from '../../../actors/history/service.ts';
import { MarketState } from '../../../actors/state/market-state.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import type { Recorded, Reply } from '../../../actors/topics/index.ts';
import { createLogger } from '../../../config/log.ts';
import { FakeClock } from '../../support/clock.ts';
import { MemoryStore } from '../../support/lease-store.ts';
import { instrument, interestRow, priceRow, reading } from '../../support/makers.ts';
import { startPostgres } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';

const stepMs = 300_000;
/** A full hour. */
const start = 1_800_000_000_000;
const key = 'binance/stable/BTC';

/** A process with a clock of its own. */
function historyProcess(name: string, { url, leases }: { url: string; leases: MemoryStore }) {
  const clock = new FakeClock(start);
  const newest = new NewestRows();
  let answers: SeriesAnswers['answers'] | null = null;
  const bus: Partial<Bus> = {
    leases: () => leases,
    publish: async () => 'published' as const,
    serve(_source: string, given: object) {
      answers = given as SeriesAnswers['answers'];
      return { stop: async () => {} } as never;
    },
    follow: () => ({ stop: async () => {} }) as never,
  };
  const history = startHistory({
    archive: null,
    ...{ bus: bus as Bus, clock, random: () => 0, process: name, shared: true },
    log: createLogger({ logLevel: 'silent' }, 'test'),
    market: new MarketState(newest),
    series: [openInterest],
    open: () => new PostgresStore(url, [openInterest], silent),
  });
  return {
    clock,
    history,
    /** Hears of an open interest. */
    hear(units: number) {
      const at = { source: 'binance', part: 'linear', received: clock.now() };
      newest.accept('instruments', reading([instrument()], at));
      newest.accept('prices', reading([priceRow({ kind: 'perpetual', price: 100 })], at));
      newest.accept('openInterest', reading([interestRow({ units, value: units * 100 })], at));
    },
    /** The units of the newest ended steps, as it answers. */
    async units(steps: number) {
      const limit = steps + 1;
      const asked = { series: 'open-interest', keys: [key], step: '5m', limit } as const;
      const reply = answers && (await answers.series(asked));
      const result = reply && decodeResult<Reply<Recorded>>(encodeResult(reply));
      return result?.ok === true ? result.value.value.rows[0]?.columns.base : result;
    },
  };
}

t.test('one of two processes records, both answer, and the other one takes over', async (t) => {
  const server = await startPostgres();
  t.teardown(() => server.stop());
  const client = new pg.Client(server.url);
  await client.connect();
  t.teardown(() => client.end());
  // The time of the leases goes on when that of a process stands still.
  const clock = new FakeClock(start);
  const options = { url: server.url, leases: new MemoryStore(clock) };
  const one = historyProcess('one', options);
  await one.clock.advance(1_000);
  const two = historyProcess('two', options);
  t.teardown(() => Promise.all([one.history.stop(), two.history.stop()]));
  const recorder = () => options.leases.holder('history')?.split('/')[0];
  /** Each hears of another open interest, so that the rows show who wrote them. */
  const pass = async (processes: readonly (typeof one)[], step: number) => {
    while (clock.now() < start + step * stepMs + 1_000) {
      await clock.advance(1_000);
      for (const each of processes) {
        await each.clock.advance(clock.now() - each.clock.now());
        each.hear((each === one ? 10 : 20) + step);
      }
    }
  };
  const stored = async () => {
    const made = await client.query("SELECT to_regclass('tidemark.open_interest_5m') AS name");
    if (made.rows[0]?.name === null) return [];
    const sql = 'SELECT base FROM tidemark.open_interest_5m ORDER BY time';
    return (await client.query<{ base: number }>(sql)).rows.map(({ base }) => base);
  };
  const holds = async (expected: number[]) => {
    await until(async () => (await stored()).length >= expected.length, 'the step is stored');
    t.strictSame(await stored(), expected);
  };

  await pass([one, two], 1);
  await holds([11]);
  await pass([one, two], 2);
  await holds([11, 12]);
  t.strictSame(
    [await one.units(2), await two.units(2)],
    [
      [11, 12],
      [11, 12],
    ],
  );

  // The first one stands still, as under SIGSTOP.
  await pass([two], 3);
  t.equal(recorder(), 'two');
  await holds([11, 12, 23]);
  t.strictSame(await two.units(3), [11, 12, 23]);

  // It goes on: its lease has ended, and it answers with the rows of the other one.
  await pass([one, two], 4);
  t.equal(recorder(), 'two');
  await holds([11, 12, 23, 24]);
  t.strictSame(
    [await one.units(4), await two.units(4)],
    [
      [11, 12, 23, 24],
      [11, 12, 23, 24],
    ],
  );

  await two.history.stop();
  await pass([one], 5);
  t.equal(recorder(), 'one');
  await holds([11, 12, 23, 24, 15]);
});
