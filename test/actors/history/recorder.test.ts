import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { silent } from '../../../actors/bus/log.ts';
import { SeriesAnswers } from '../../../actors/history/answers.ts';
import type { Series } from '../../../actors/history/define.ts';
import { Recorder } from '../../../actors/history/recorder.ts';
import { openInterest } from '../../../actors/history/series/open-interest.ts';
import { price } from '../../../actors/history/series/price.ts';
import { takerFlow } from '../../../actors/history/series/taker-flow.ts';
import { SqliteStore } from '../../../actors/history/sqlite.ts';
import type { Batch, Store } from '../../../actors/history/store.ts';
import { Writer } from '../../../actors/history/writer.ts';
import { MarketState } from '../../../actors/state/market-state.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import type { Instrument, OpenInterestRow, RecordedParams } from '../../../actors/topics/index.ts';
import { FakeClock } from '../../support/clock.ts';
import { instrument, interestRow, priceRow, reading as readingOf } from '../../support/makers.ts';

const minute = 60_000;
const hour = 60 * minute;
/** A full hour. */
const start = 1_800_000_000_000;

const series = [openInterest, price, takerFlow];

const folder = mkdtempSync(join(tmpdir(), 'recorder-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));

const reading = <Row>(part: string, received: number, rows: Row[]) =>
  readingOf(rows, { source: 'binance', part, received });
const linear = instrument({ funding_hours: 8 });
const inverse: Instrument = { ...linear, market: 'BTCUSD_PERP', quote: 'USD', inverse: true };

/** Prices, and open interest that depends on the time that it is received at. */
function feed(newest: NewestRows, now: number, units: number) {
  const price = priceRow({ kind: 'perpetual', price: 100 + units });
  const interest = interestRow({ units, value: units * 100 });
  newest.accept('instruments', reading('linear', now, [linear]));
  newest.accept('instruments', reading('inverse', now, [inverse]));
  newest.accept('prices', reading('linear', now, [price]));
  newest.accept('openInterest', reading('linear', now, [interest]));
  const coin = { ...interest, market: 'BTCUSD_PERP', quote: 'USD', value: units };
  newest.accept('openInterest', reading('inverse', now, [coin]));
}

let files = 0;
const open = (path = join(folder, `${++files}.sqlite`)) => new SqliteStore(path, series);

/** A recorder on a store, with the market that it samples. */
function stage(t: Test, { store, clock }: { store: Store; clock: FakeClock }) {
  const newest = new NewestRows();
  const market = new MarketState(newest);
  const writer = new Writer({ store, clock, log: silent });
  const recorder = new Recorder({ series, store, writer, market, clock, log: silent });
  const answers = new SeriesAnswers({ series, store, clock });
  const stop = async () => {
    await writer.stop();
    await recorder.stop();
  };
  t.teardown(stop);
  const ask = async (params: Partial<RecordedParams>) => {
    const asked: RecordedParams = {
      series: 'open-interest',
      keys: ['binance/stable/BTC'],
      step: '5m',
      limit: 100,
      ...params,
    };
    const reply = await answers.series(asked);
    if (!reply.ok) throw new Error(reply.failure.message);
    return reply.value.value.rows;
  };
  /** Lets so many minutes pass; the open interest is the number of the minute, from `from` on. */
  const run = async (minutes: number, from = 0) => {
    for (let at = 0; at < minutes; at++) {
      feed(newest, clock.now(), from + at);
      await clock.advance(minute);
    }
  };
  return { newest, writer, recorder, answers, ask, run, stop };
}

t.test('a step holds the last value before its end; coarse steps are combined', async (t) => {
  const clock = new FakeClock(start + 50 * minute);
  const store = open();
  const { ask, run, answers } = stage(t, { store, clock });
  await run(25);
  const [row] = await ask({});
  const steps = [50, 55, 60, 65, 70].map((at) => start + at * minute);
  t.same(row?.times, steps);
  t.same(row?.columns, { base: [4, 9, 14, 19, 24], usd: [400, 900, 1400, 1900, 2400] });
  const [coin] = await ask({ keys: ['binance/coin/BTC'] });
  t.same(coin?.columns.usd, [4, 9, 14, 19, 24]);
  const [hourly] = await ask({ step: '1h' });
  t.same(hourly?.times, [start, start + hour], 'the hour that still runs is there');
  t.same(hourly?.columns.usd, [900, 2400]);
  const [price] = await ask({ series: 'price', keys: ['perpetual/BTC'], step: '1m' });
  t.equal(price?.times.length, 25);
  const table = await answers.at({ series: 'price', step: '1m', times: [start + 60 * minute] });
  t.match(table, {
    ok: true,
    value: { value: { keys: ['perpetual/BTC'], columns: { price: [[110]] } } },
  });
});

t.test('over a restart no row is lost, and the absence is a hole in the coverage', async (t) => {
  const clock = new FakeClock(start);
  const path = join(folder, 'restart.sqlite');
  const first = open(path);
  const before = stage(t, { store: first, clock });
  await before.run(20);
  await before.stop();
  await first.close();
  await clock.advance(25 * minute);
  const { ask, run } = stage(t, { store: open(path), clock });
  await run(30, 100);
  const from = start;
  const [row] = await ask({ from });
  t.same(
    row?.times,
    [0, 5, 10, 15, 45, 50, 55, 60, 65, 70].map((at) => start + at * minute),
  );
  t.same(row?.coverage, {
    from,
    to: start + 75 * minute,
    expected: 15,
    present: 10,
    complete: false,
    backfilled: false,
  });
  const [hourly] = await ask({ step: '1h', from });
  t.same(hourly?.columns.base, [114, 129], 'the hour of the restart is combined from both runs');
});

/** A store that tells what is written and removed. */
function telling(store: Store) {
  const committed: Batch[] = [];
  const pruned: string[] = [];
  const wrapped = new Proxy(store, {
    get(of, name: keyof Store) {
      if (name === 'prune')
        return async ({ name }: Series, step: number, before: number) => {
          pruned.push([name, step / minute, (before - start) / minute].join(' '));
        };
      if (name === 'write')
        return async (batch: Batch) => {
          await store.write(batch);
          committed.push(batch);
        };
      return of[name]?.bind(of);
    },
  });
  return { wrapped, committed, pruned };
}

t.test('the beginning of a record is kept; old rows are removed each hour', async (t) => {
  const clock = new FakeClock(start + 1);
  const { wrapped: store, pruned } = telling(open());
  const { run } = stage(t, { store, clock });
  const day = 24 * 60;
  const removed = (at: number) =>
    ['open-interest 1 5', 'price 1', 'taker-flow 1 5'].flatMap((one) => {
      const [name, ...steps] = one.split(' ');
      const fine = steps.map((step) => `${name} ${step} ${at - 2 * 365 * day}`);
      return [...fine, `${name} 60 ${at - 3_650 * day}`];
    });
  await run(1);
  t.strictSame(pruned.splice(0), removed(1));
  await run(59);
  t.strictSame(pruned, []);
  await run(2);
  t.strictSame(pruned, removed(61));
  t.equal(await store.position('recorded:price'), String(start + minute));
});

t.test('a sample of thousands of rows is written in parts, without a missing row', async (t) => {
  const clock = new FakeClock(start + 4 * minute);
  const { wrapped: store, committed } = telling(open());
  const { newest, recorder } = stage(t, { store, clock });
  const rows = Array.from({ length: 2_500 }, (_, at): OpenInterestRow => {
    const values = { units: at + 1, value: 2 * at + 2, mark: 2, stated: null };
    return { market: `A${at}USDT`, symbol: `A${at}`, quote: 'USDT', ...values };
  });
  newest.accept('openInterest', reading('linear', clock.now(), rows));
  await clock.advance(minute);
  await recorder.stop();
  const parts = committed.flatMap(({ writes }) => writes.map((one) => one.rows.length));
  t.same(parts, [1_000, 1_000, 500]);
  const found = await store.scan(openInterest, 5 * minute, { from: start, to: start + minute });
  t.same(
    new Map([...found].map(([key, { times, columns }]) => [key, [times, columns]])),
    new Map(
      rows.map(({ symbol, units, value }) => {
        return [`binance/stable/${symbol}`, [[start], [[units], [value]]]];
      }),
    ),
  );
});
