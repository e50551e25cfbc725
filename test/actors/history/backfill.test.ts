/** What is asked of upstreams, when, and what is stored of it. */
import t, { type Test } from 'tap';
import { silent } from '../../../actors/bus/log.ts';
import { failed, success } from '../../../actors/failure.ts';
import { Backfiller } from '../../../actors/history/backfill.ts';
import {
  type AnyAsk,
  type AnyBackfill,
  defineSeries,
  type Series,
} from '../../../actors/history/define.ts';
import { MarketState } from '../../../actors/history/market-state.ts';
import { SqliteStore } from '../../../actors/history/sqlite.ts';
import { Writer } from '../../../actors/history/writer.ts';
import { FakeClock, settle } from '../../support/clock.ts';

const minute = 60_000;
const hour = 60 * minute;
const step = 5 * minute;
/** A full hour. */
const start = 1_800_000_000_000;

const plain = defineSeries({
  name: 'open-interest',
  columns: { base: { combine: 'last' }, usd: { combine: 'last' } },
  tiers: [
    { step: '5m', keep: '2d' },
    { step: '1h', keep: '400d' },
  ],
});

type Row = ReturnType<AnyAsk['rows']>[number];
type Form = Partial<AnyBackfill> & { known?: readonly string[]; sample?: Series['sample'] };

/** A back-filler of one series. Its upstream gives what `give` says of a key; undefined is a failure. */
function stage(t: Test, { known = ['BTC'], sample, ...form }: Form = {}) {
  const clock = new FakeClock(start);
  const asked: [string, number][] = [];
  const at = { give: (_key: string): readonly Row[] | undefined => [], limit: 10 };
  const ask = (key: string): AnyAsk => ({
    ...{ source: 'x', name: 'openInterestHistory', key, step: '5m' },
    params: { exchange: 'x', market: key, interval: '5m', limit: at.limit } as never,
    rows: (found: readonly Row[]) => found,
  });
  const backfill: AnyBackfill = {
    keys: () => known,
    asks: (key) => [key.split('&').map(ask)],
    ...form,
  };
  const series: Series = { ...plain, backfill, ...(sample && { sample }) };
  const store = new SqliteStore(':memory:', [series]);
  t.teardown(() => store.close());
  const writer = new Writer({ store, clock, log: silent });
  const bus = {
    // biome-ignore lint/suspicious/noExplicitAny: one reply for a query of any name.
    async query({ params }: any): Promise<any> {
      asked.push([params.market, clock.now() - start]);
      const value = at.give(params.market);
      return value ? success({ value, received: 0, until: 0 }) : failed('unavailable', 'down');
    },
  };
  const market = new MarketState();
  const backfiller = new Backfiller({
    ...{ series: [series], bus, store, writer, market, clock, log: silent },
  });
  t.teardown(() => backfiller.stop());
  /** The stored rows of a key as `minutes from the start: base usd`, with `!` where they came late. */
  const stored = async (key: string, length = step) => {
    const range = { from: 0, to: start + 100 * hour };
    const {
      times = [],
      columns = [],
      backfilled,
    } = (await store.read(series, length, [key], range)).get(key) ?? {};
    return times.map((time, i) => {
      const values = columns.map((column) => column[i]).join(' ');
      return `${(time - start) / minute}: ${values}${backfilled?.[i] ? '!' : ''}`;
    });
  };
  const put = (key: string, minutes: readonly number[], base = 1) =>
    store.write({
      writes: [
        {
          ...{ series, step, mode: 'put', backfilled: false },
          rows: {
            keys: minutes.map(() => key),
            times: minutes.map((one) => start + one * minute),
            columns: [minutes.map(() => base), minutes.map(() => base)],
          },
        },
      ],
    });
  const want = (key: string, patience = 0) => backfiller.want(series, key, patience);
  return { clock, asked, at, backfiller, series, stored, put, want };
}
const row = (minutes: number, base: number | null, usd: number | null = 1): Row => ({
  ...{ time: start + minutes * minute, values: { base, usd } },
});

t.test('keys are asked in turn, Bitcoin and Ether first, each at its times', async (t) => {
  const known = ['x/stable/AAA', 'x/stable/ETH', 'none', 'x/stable/BTC', 'bad'];
  const { clock, asked, at } = stage(t, {
    ...{ known, every: hour },
    asks(key) {
      const params = { market: key, limit: 1 } as never;
      const rest = { source: 'x', name: 'openInterestHistory', step: '5m' } as const;
      const rows = () => {
        if (key === 'bad') throw new Error('a bug');
        return [];
      };
      if (key === 'none') asked.push([key, clock.now() - start]);
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

t.test('256 keys are waited for at most, and each for a time', async (t) => {
  const { clock, asked, backfiller, want } = stage(t, { keys: () => [] });
  const done: string[] = [];
  for (let at = 0; at < 257; at++) void want(`k${at}`, 9).then(() => done.push(`k${at}`));
  void want('k0', 9).then(() => done.push('again'));
  await settle();
  t.strictSame([done, asked], [['k256'], []]);
  const stopped = backfiller.stop();
  await stopped;
  await settle();
  t.equal(done.length, 258, 'a stop ends the waiting');
  await clock.advance(hour);
  t.strictSame(asked, [], 'and asks nothing');
});

t.test('a key is asked where the store lacks a step that the upstream can have', async (t) => {
  const all = Array.from({ length: 12 }, (_, at) => (at - 12) * 5);
  const found: number[] = [];
  for (const hole of [-5, -10, -45, -50]) {
    const { clock, asked, put, want } = stage(t, { keys: () => [] });
    await put(
      'k',
      all.filter((at) => at !== hole),
    );
    await Promise.all([want('k', minute), clock.advance(1)]);
    if (asked.length > 0) found.push(hole);
  }
  t.strictSame(found, [-10, -45], 'not the last step, nor one before the first of the answer');
  const { clock, asked, at, put, want } = stage(t, { keys: () => [] });
  const look = async () => {
    asked.length = 0;
    await Promise.all([want('k', minute), clock.advance(1)]);
    return asked.length;
  };
  at.limit = 100;
  at.give = () => [row(-20, 2), row(-15, 2)];
  await put('k', [-10, -5]);
  t.equal(await look(), 1);
  await clock.advance(2 * hour);
  await put(
    'k',
    [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 100, 105, 110],
  );
  t.equal(await look(), 0, 'a hole that the upstream has too stays');
  await clock.advance(2 * hour);
  t.equal(await look(), 1, 'a new one is asked for');
});

t.test('rows of the kept time are stored; live ones stay, exact ones replace them', async (t) => {
  const day = 24 * 60;
  const rows = [
    row(-2 * day, 9),
    row(5 - 2 * day, 3),
    row(-17, 4),
    row(-10, 5),
    row(0, 6),
    row(1, 9),
  ];
  const ended = { sample: () => [] };
  for (const [form, wanted, hours] of [
    [
      {},
      ['-2875: 3 1!', '-20: 4 1!', '-10: 1 1', '0: 6 1!'],
      ['-2880: 3 1!', '-60: 1 1', '0: 6 1!'],
    ],
    [
      { exact: true },
      ['-2875: 3 1!', '-20: 4 1!', '-10: 5 1', '0: 6 1!'],
      ['-2880: 3 1!', '-60: 5 1', '0: 6 1!'],
    ],
    [
      { every: minute },
      ['-2875: 3 1!', '-20: 4 1!', '-10: 1 1', '0: 6 1'],
      ['-2880: 3 1!', '-60: 1 1', '0: 6 1'],
    ],
    [
      { every: 10 * minute },
      ['-2875: 3 1!', '-20: 4 1', '-10: 1 1', '0: 6 1'],
      ['-2880: 3 1!', '-60: 1 1', '0: 6 1'],
    ],
    [ended, ['-2875: 3 1!', '-20: 4 1!', '-10: 1 1', '0: 6 1!'], []],
  ] as const) {
    const { clock, at, backfiller, put, want, stored } = stage(t, { keys: () => [], ...form });
    await put('k', [-10]);
    at.give = () => rows;
    await Promise.all([want('k', minute), clock.advance(1)]);
    t.strictSame([await stored('k'), await stored('k', hour)], [wanted, hours]);
    t.equal(backfiller.rows, 4);
  }
});

t.test('rows of several markets are added up at the times of the first', async (t) => {
  const { clock, at, want, stored } = stage(t, { keys: () => [] });
  at.give = (key) =>
    key === 'k' ? [row(-10, 1), row(-5, null, 2)] : [row(-10, 10, null), row(-5, 20), row(0, 30)];
  await Promise.all([want('k&l&m', minute), clock.advance(1)]);
  t.strictSame(await stored('k'), ['-10: 21 1!', '-5:  4!']);
});

t.test('the sampled hour of a step that is filled is combined again', async (t) => {
  const { clock, at, put, want, stored } = stage(t, { keys: () => [], sample: () => [] });
  at.limit = 20;
  at.give = () => [row(-30, 4)];
  await put(
    'k',
    Array.from({ length: 24 }, (_, i) => i * 5 - 120).filter((one) => one !== -30),
  );
  await Promise.all([want('k', minute), clock.advance(1)]);
  t.strictSame(await stored('k', hour), ['-60: 1 1']);
});
