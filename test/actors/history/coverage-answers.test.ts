/** What is recorded, out of real files, against what the test has written. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { coverageAnswers } from '../../../actors/history/coverage-answers.ts';
import { defineSeries, exact, last, type Series } from '../../../actors/history/define.ts';
import { SqliteStore } from '../../../actors/history/sqlite.ts';
import { type Store, StoreError } from '../../../actors/history/store.ts';
import { FakeClock } from '../../support/clock.ts';
import { writing } from '../../support/events.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** A full day. */
const start = 20_000 * day;

const price = defineSeries({
  name: 'price',
  key: 'kind/asset',
  columns: { price: last('US dollars'), turnover: exact('US dollars') },
  tiers: [
    { step: '1m', keep: '12h' },
    { step: '1h', keep: '10y' },
    { step: '1d', keep: 'always' },
  ],
});
const ratio = defineSeries({
  name: 'account-ratio',
  key: 'exchange/asset',
  columns: { long: last('fraction'), short: last('fraction') },
  tiers: [{ step: '5m', keep: '30d' }],
});
const series = [price, ratio];

const folder = mkdtempSync(join(tmpdir(), 'coverage-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));

const write = (of: Series, step: number, rows: [key: string, time: number][]) =>
  writing(
    of,
    step,
    rows.map(([key, time]) => [key, time, 1, 1]),
  );

function open(name: string, clock: FakeClock) {
  const store = new SqliteStore(join(folder, name), series);
  const { coverage } = coverageAnswers({ series, store, clock });
  return {
    store,
    async read() {
      const reply = await coverage();
      if (!reply.ok) throw new Error(reply.failure.message);
      return reply.value;
    },
  };
}

const none = { recorded_from: null, newest: null, keys: 0, key: null, rows: 0 };
const filesIn = (folder: string) => ({ folder, count: 0, first: null, last: null });

t.test('nothing is recorded yet', async (t) => {
  const { store, read } = open('empty', new FakeClock(start + 3_000));
  const { value, until } = await read();
  t.strictSame(value.rows, [
    { ...none, series: 'price', step: '1m', kept_ms: 12 * hour, steps: 720, files: null },
    {
      ...none,
      series: 'price',
      step: '1h',
      kept_ms: 3_650 * day,
      steps: 168,
      files: filesIn('price/1h'),
    },
    {
      ...none,
      series: 'price',
      step: '1d',
      kept_ms: null,
      steps: 30,
      files: filesIn('price/1d'),
    },
    {
      ...none,
      series: 'account-ratio',
      step: '5m',
      kept_ms: 30 * day,
      steps: 288,
      files: filesIn('account-ratio/5m'),
    },
  ]);
  t.strictSame(value.series, [
    {
      series: 'price',
      key: 'kind/asset',
      columns: [
        { name: 'price', unit: 'US dollars', type: 'FLOAT' },
        { name: 'turnover', unit: 'US dollars', type: 'DOUBLE' },
      ],
    },
    {
      series: 'account-ratio',
      key: 'exchange/asset',
      columns: ['long', 'short'].map((name) => ({ name, unit: 'fraction', type: 'FLOAT' })),
    },
  ]);
  t.equal(until, start + minute + 2_000, 'until the rows of the next minute are written');
  await store.close();
});

t.test('rows of one key are counted, in the steps that are over and kept', async (t) => {
  const clock = new FakeClock(start + 3_000);
  const { store, read } = open('full', clock);
  // Of 13 hours of minutes every third one; of BTC as well, but for the first hour. They lie in nine blocks.
  const minutes = Array.from({ length: 780 }, (_, i) => start - (i + 1) * minute);
  const thirds = minutes.filter((time) => (time / minute) % 3 === 0);
  const ofBitcoin = thirds.filter((time) => time >= start - 12 * hour + hour);
  const newest = start - 3 * minute;
  const rows: [string, number][] = [
    ...thirds.map((time): [string, number] => ['spot/AAVE', time]),
    ...ofBitcoin.map((time): [string, number] => ['spot/BTC', time]),
    ['spot/ZEC', newest - 3 * minute],
    // The step that runs does not count.
    ['perpetual/BTC', start],
  ];
  await store.write({
    writes: [
      write(price, minute, rows),
      write(price, hour, [
        ['spot/AAVE', start - hour],
        ['spot/ADA', start - hour],
        ['spot/AAVE', start - 168 * hour],
        ['spot/AAVE', start - 169 * hour],
      ]),
      write(ratio, 5 * minute, [['okx/BTC', start - 17 * 5 * minute]]),
    ],
    positions: [{ name: 'recorded:price', to: String(start - 9 * day) }],
  });
  const { rows: found } = (await read()).value;
  t.match(found, [
    { step: '1m', recorded_from: start - 9 * day, newest, keys: 2, key: 'spot/BTC' },
    { step: '1h', newest: start - hour, keys: 2, key: 'spot/AAVE', rows: 2, steps: 168 },
    { step: '1d', newest: null, recorded_from: start - 9 * day },
    { ...none, series: 'account-ratio' },
  ]);
  t.equal(found[0]?.rows, 11 * 20, 'a third of the minutes of 11 hours');
  await store.archive(start + 40 * day);
  t.strictSame(store.files(price, hour), {
    ...filesIn('price/1h'),
    count: 2,
    first: '2024-09',
    last: '2024-10',
  });

  await store.write({ writes: [write(price, minute, [['spot/BTC', start]])] });
  t.equal((await read()).value.rows, found, 'within a minute it is not looked up again');
  await clock.advance(2 * minute);
  const [then] = (await read()).value.rows;
  t.match(then, { newest: start, keys: 2, key: 'perpetual/BTC', rows: 1 });

  await store.write({ writes: [write(price, hour, [['spot/AAVE', start]])] });
  await clock.advance(hour);
  const [, hours] = (await read()).value.rows;
  t.match(hours, { newest: start, keys: 1, key: 'spot/AAVE', rows: 2 }, 'one is in a file');
  await store.close();
});

t.test('a store that fails is asked again at the next question', async (t) => {
  let fails = true;
  const store = {
    async position() {
      if (fails) throw new StoreError('away', 'the store is away');
      return null;
    },
    newest: async () => null,
  } as unknown as Store;
  const { coverage } = coverageAnswers({ series, store, clock: new FakeClock(start) });
  t.match(await coverage(), { ok: false, failure: { code: 'unavailable', message: /away/ } });
  fails = false;
  t.match(await coverage(), { ok: true, value: { value: { rows: [none, none, none, none] } } });
});
