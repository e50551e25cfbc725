/** What is asked of upstreams, when, and what is stored of it. */

import t, { type Test } from 'tap';
import type { Bus } from '../../../actors/bus/bus.ts';
import { silent } from '../../../actors/bus/log.ts';
import { failed, success } from '../../../actors/failure.ts';
import { Backfiller } from '../../../actors/history/backfill.ts';
import {
  type Ask,
  type Backfill,
  defineSeries,
  exact,
  type Series,
} from '../../../actors/history/define.ts';
import { SqliteStore } from '../../../actors/history/sqlite.ts';
import { Writer } from '../../../actors/history/writer.ts';
import { MarketState } from '../../../actors/state/market-state.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import { FakeClock, settle } from '../../support/clock.ts';
import { writing } from '../../support/events.ts';

const minute = 60_000;
const hour = 60 * minute;
const step = 5 * minute;
/** A full hour. */
const start = 1_800_000_000_000;

const plain = defineSeries({
  name: 'open-interest',
  key: 'k',
  columns: { base: exact('base asset'), usd: exact('US dollars') },
  tiers: [
    { step: '5m', keep: '2d' },
    { step: '1h', keep: '10y' },
  ],
});

type Row = ReturnType<Ask['rows']>[number];
type Form = Partial<Backfill> & { known?: readonly string[]; sample?: Series['sample'] };

/** A back-filler of one series. Its upstream gives what `give` says of a key; undefined is a failure. */
function stage(t: Test, { known = ['BTC'], sample, ...form }: Form = {}) {
  const clock = new FakeClock(start);
  const asked: [string, number][] = [];
  const at = {
    give: (_key: string): readonly Row[] | undefined => [],
    answer: () => Promise.resolve(),
    limit: 10,
  };
  const ask = (key: string): Ask => ({
    source: 'x',
    name: 'openInterestHistory',
    key,
    step: '5m',
    params: { exchange: 'x', market: key, interval: '5m', limit: at.limit } as never,
    rows: (found) => found as never,
  });
  const backfill: Backfill = {
    keys: () => known,
    asks: (key) => key.split('|').map((group) => group.split('&').map(ask)),
    ...form,
  };
  const [finest, ...coarser] = plain.tiers;
  const tiers = [{ ...finest, isSampled: sample !== undefined }, ...coarser] as const;
  const series: Series = { ...plain, tiers, backfill, ...(sample && { sample }) };
  const store = new SqliteStore(':memory:', [series]);
  t.teardown(() => store.close());
  const writer = new Writer({ store, clock, log: silent });
  const bus: Pick<Bus, 'query'> = {
    async query({ params }) {
      const key = 'market' in params && typeof params.market === 'string' ? params.market : '';
      asked.push([key, clock.now() - start]);
      await at.answer();
      const value = at.give(key);
      if (!value) return failed('unavailable', 'down');
      // The series of the stage asks one kind of query, whose rows its own `rows` reads.
      return success({ value: value as never, received: 0, until: 0 });
    },
  };
  const market = new MarketState(new NewestRows());
  const backfiller = new Backfiller({
    series: [series],
    bus,
    store,
    writer,
    market,
    clock,
    log: silent,
  });
  t.teardown(() => backfiller.stop());
  /** The stored rows of `k` as `minutes from the start: base usd`, with `!` where they came late. */
  const stored = async (length = step) => {
    const range = { from: start - 100 * hour, to: start + 100 * hour };
    const found = (await store.read(series, length, ['k'], range)).get('k');
    return (found?.times ?? []).map((time, i) => {
      const values = found?.columns.map((column) => column[i]).join(' ');
      return `${(time - start) / minute}: ${values}${found?.backfilled[i] ? '!' : ''}`;
    });
  };
  /** Live rows of `k` at minutes from the start. */
  const put = (minutes: readonly number[]) => {
    const rows = minutes.map((one) => ['k', start + one * minute, 1, 1] as const);
    return store.write({ writes: [writing(series, step, rows)] });
  };
  const want = async (key: string, patience = 0) => {
    await backfiller.want(series, key, patience);
  };
  /** Whether a key is asked for when it is wanted. */
  const look = async (key = 'k') => {
    asked.length = 0;
    await Promise.all([want(key, minute), clock.advance(1)]);
    return asked.length > 0;
  };
  return { clock, asked, at, backfiller, stored, put, want, look };
}
const row = (minutes: number, base: number | null, usd: number | null = 1): Row => ({
  time: start + minutes * minute,
  values: { base, usd },
});

t.test('keys are asked in turn, Bitcoin and Ether first, each at its times', async (t) => {
  const known = ['x/stable/AAA', 'x/stable/ETH', 'none', 'x/stable/BTC', 'bad', 'worse'];
  const { clock, asked, at } = stage(t, {
    known,
    every: hour,
    asks(key) {
      const params = { market: key, limit: 1 } as never;
      const rest = { source: 'x', name: 'openInterestHistory', step: '5m' } as const;
      const rows = () => {
        if (key === 'bad') throw new Error('a bug');
        return [];
      };
      if (key === 'none' || key === 'worse') asked.push([key, clock.now() - start]);
      if (key === 'worse') throw new Error('a bug before the question');
      return key === 'none' ? [[]] : [[{ ...rest, key, params, rows }]];
    },
  });
  at.give = (key) => (key.endsWith('AAA') ? undefined : []);
  await clock.advance(4_999);
  t.strictSame(asked, []);
  await clock.advance(hour + 20_000);
  const byKey = Map.groupBy(asked, ([key]) => key);
  t.strictSame(
    [...byKey].map(([key, all]) => [key, all.map(([, time]) => time).slice(0, 3)]),
    [
      ['x/stable/BTC', [5_000, 3_609_200]],
      ['x/stable/ETH', [5_300, 3_609_500]],
      ['x/stable/AAA', [5_600, 606_200, 1_206_800]],
      ['none', [5_900, 36_200, 66_200]],
      ['bad', [5_900, 606_500, 1_207_100]],
      ['worse', [6_200, 606_800, 1_207_400]],
    ],
    'after a failure ten minutes later, without a market half a minute later',
  );
});

t.test('a wanted key goes first; one that was checked is not asked again at once', async (t) => {
  const { clock, asked, want } = stage(t, { keys: () => [] });
  const early = want('b', minute);
  t.ok(await Promise.race([early.then(() => false), settle().then(() => true)]), 'it waits');
  await Promise.all([clock.advance(0), early]);
  await Promise.all([want('c', minute), want('d', minute), clock.advance(1_000)]);
  const all = ['b', 'c', 'd'].map((key) => [key, 0]);
  await want('b', minute);
  t.strictSame(asked, all, 'at once, in their order');
  await clock.advance(hour + 3_999);
  await want('b', minute);
  t.strictSame(asked, all);
  await clock.advance(1);
  await Promise.all([want('b', minute), clock.advance(1)]);
  t.strictSame(asked, [...all, ['b', hour + 5_000]], 'an hour later');
});

t.test('a stop waits for no answer of an upstream', async (t) => {
  const { clock, at, asked, backfiller, want } = stage(t, { keys: () => [] });
  at.answer = () => new Promise(() => {});
  void want('k|other', minute);
  await clock.advance(1);
  t.equal(asked.length, 1, 'the first group is asked for');
  await backfiller.stop();
  t.equal(asked.length, 1, 'the stop has ended, and nothing else is asked');
});

t.test('256 keys are waited for at most, and each for a time', async (t) => {
  const { clock, asked, backfiller, want } = stage(t, { keys: () => [] });
  const done: string[] = [];
  for (let at = 0; at < 257; at++) void want(`k${at}`, 9).then(() => done.push(`k${at}`));
  void want('k0', 9).then(() => done.push('again'));
  await settle();
  t.strictSame([done, asked], [['k256'], []]);
  await backfiller.stop();
  await settle();
  t.equal(done.length, 258, 'a stop ends the waiting');
  t.equal(clock.pending, 0, 'and plans nothing more');
  await clock.advance(hour);
  t.strictSame(asked, [], 'and asks nothing');
});

const fives = (from: number, count: number, but = Number.NaN) =>
  Array.from({ length: count }, (_, at) => from + at * 5).filter((one) => one !== but);

t.test('a key is asked where the store lacks a step that the upstream can have', async (t) => {
  const found: boolean[] = [];
  for (const hole of [-5, -10, -45, -50]) {
    const { put, look } = stage(t, { keys: () => [] });
    await put(fives(-60, 12, hole));
    found.push(await look());
  }
  const why = 'not the last step, nor one before the first of the answer';
  t.strictSame(found, [false, true, true, false], why);
  const { clock, at, put, look } = stage(t, { keys: () => [] });
  at.limit = 100;
  at.give = () => [row(-20, 2), row(-15, 2)];
  await put([-10, -5]);
  t.ok(await look());
  await clock.advance(2 * hour);
  await put(fives(0, 23));
  t.notOk(await look(), 'a hole that the upstream has too stays');
  await clock.advance(2 * hour);
  t.ok(await look(), 'a new one is asked for');
});

t.test('rows of the kept time are stored; live ones stay, exact ones replace them', async (t) => {
  const old = -2 * 24 * 60;
  const times = [old, old + 5, -17, -10, 0, 1];
  const rows = times.map((time, at) => row(time, at));
  for (const [form, wanted, hours] of [
    [{}, '-20: 2 1! -10: 1 1 0: 4 1!', '-60: 1 1 0: 4 1!'],
    [{ exact: true }, '-20: 2 1! -10: 3 1 0: 4 1!', '-60: 3 1 0: 4 1!'],
    [{ every: minute }, '-20: 2 1! -10: 1 1 0: 4 1', '-60: 1 1 0: 4 1'],
    [{ every: 10 * minute }, '-20: 2 1 -10: 1 1 0: 4 1', '-60: 1 1 0: 4 1'],
    // The step that runs is sampled at its end.
    [{ sample: () => [] }, '-20: 2 1! -10: 1 1', null],
  ] as const) {
    const { at, put, look, stored } = stage(t, { keys: () => [], ...form });
    await put([-10]);
    at.give = () => rows;
    await look();
    t.equal((await stored()).join(' '), `-2875: 1 1! ${wanted}`);
    t.equal((await stored(hour)).join(' '), hours ? `-2880: 1 1! ${hours}` : '');
  }
});

t.test('rows of several markets are added up where all have them: no sum is too low', async (t) => {
  const { at, look, stored } = stage(t, { keys: () => [] });
  const others = [row(-10, 10, null), row(-5, 20), row(0, 30)];
  at.give = (key) => {
    if (key === 'k') return [row(-15, 7), row(-10, 1), row(-5, 2)];
    return key === 'l' ? [row(-15, 9), ...others] : others;
  };
  await look('k&l&m');
  t.strictSame(await stored(), ['-10: 21 !', '-5: 42 3!']);
});

t.test('a sampled hour is combined again when filled, not one without samples', async (t) => {
  const { at, put, look, stored } = stage(t, { keys: () => [], sample: () => [] });
  at.limit = 30;
  at.give = () => [...fives(-120, 12), -30].map((time) => row(time, 4));
  await put(fives(-60, 12, -30));
  await look();
  t.strictSame(await stored(hour), ['-60: 1 1']);
});
