import t from 'tap';
import { catalogue } from '../../indicators/catalogue.ts';
import { rounded } from '../../indicators/digits.ts';
import { costOf, type Job, neededBy, runJob, settledAfter } from '../../indicators/job.ts';
import { blockOf, columnsOf } from '../../indicators/job-columns.ts';
import { readEntries } from '../../indicators/job-entries.ts';
import { market } from './rows.ts';

const job = (names: readonly unknown[], over: Partial<Job> = {}): Job => ({
  head: { symbol: 'BTCUSDT', timestamp: 5 },
  entries: readEntries(names),
  block: blockOf(market(300)),
  limit: 100,
  series: false,
  candles: true,
  ...over,
});

const run = (given: Job) => JSON.parse(runJob(given));

/** The values of an entry as the catalogue itself computes them, with the digits that are served. */
function truth(name: string, { block }: Job) {
  const [entry] = readEntries([name]);
  const indicator = entry && catalogue.get(entry.name);
  if (!entry || !indicator) throw new Error(`no ${name}`);
  const columns = indicator.compute(columnsOf(block), entry.chosen);
  return Object.fromEntries(
    indicator.outputs.map((output, i) => [output, columns[i]?.map(rounded) ?? []]),
  );
}

t.test('the last values of every entry, under its id', async (t) => {
  const given = job(['rsi', 'ema:200', { name: 'ema', length: 50, id: 'mine' }]);
  const data = run(given);
  t.same(Object.keys(data), ['symbol', 'timestamp', 'count', 'indicators', 'warnings']);
  t.same([data.symbol, data.timestamp, data.count], ['BTCUSDT', 5, 100]);
  t.same(Object.keys(data.indicators), ['rsi', 'ema_200', 'mine']);
  const { params, ...rsi } = data.indicators.rsi;
  t.equal(params.length, 14);
  const value = truth('rsi', given).value?.at(-1);
  t.same(rsi, { name: 'rsi', fields: ['value'], latest: { value } });
  t.equal(data.indicators.ema_200.latest.value, truth('ema:200', given).value?.at(-1));
  t.same(data.warnings, []);
});

t.test('series: the newest rows, aligned with their open times and candles', async (t) => {
  const given = job(['ema:250', 'sma'], { series: true });
  const data = run(given);
  const newest = market(300).slice(-100);
  t.same(
    data.timestamps,
    newest.map(({ timestamp }) => timestamp),
  );
  t.same(
    data.candles.close,
    newest.map(({ close }) => rounded(close)),
  );
  t.same(Object.keys(data.candles), ['open', 'high', 'low', 'close', 'volume']);
  const { value } = data.indicators.ema_250.series;
  const whole = [...(truth('ema:250', given).value ?? [])].slice(-100);
  t.same(
    value,
    whole.map((number) => (Number.isNaN(number) ? null : number)),
  );
  t.equal(value[48], null, 'not yet defined');
  t.type(value[49], 'number');
  t.equal(data.indicators.sma.series.value[0], truth('sma', given).value?.at(-100));
  t.equal(run(job(['sma'], { series: true, candles: false })).candles, undefined);
  t.equal(
    run(job(['sma'], { series: true, limit: 1_000 })).timestamps.length,
    300,
    'all there are',
  );
});

t.test(
  'too few candles for some: null throughout and a warning, the others are there',
  async (t) => {
    const data = run(job(['ema:400', 'sma'], { series: true }));
    t.same(data.indicators.ema_400.latest, { value: null });
    t.same(data.indicators.ema_400.series, { value: Array(100).fill(null) });
    t.type(data.indicators.sma.latest.value, 'number');
    const message = 'ema_400 needs 400 closed candles, there are 300';
    t.same(data.warnings, [{ id: 'ema_400', name: 'ema', needed: 400, available: 300, message }]);
  },
);

t.test('candles that are longer than the period: null and a warning', async (t) => {
  const week = 604_800_000;
  const block = blockOf(market(60, week, Date.UTC(2025, 1, 3)));
  const names = ['pivot_points:standard,day', 'vwap:week', 'vwap:month'];
  const { indicators, warnings } = run(job(names, { block }));
  const [levels, ofWeek, ofMonth] = Object.values<{ latest: object }>(indicators);
  t.match(levels?.latest, { p: null, r1: null });
  t.type(Object.values(ofWeek?.latest ?? {})[0], 'number');
  t.same(ofMonth?.latest, { value: null });
  t.same(
    warnings.map(({ message }: { message: string }) => message),
    [
      'pivot_points_standard_day needs candles that do not reach beyond the day they open in',
      'vwap_month needs candles that do not reach beyond the month they open in',
    ],
  );
});

t.test('every indicator of the catalogue answers with its outputs and no NaN', async (t) => {
  for (const { name, outputs } of catalogue.values()) {
    const text = runJob(job([name], { series: true }));
    t.notMatch(text, /NaN|Infinity|undefined/);
    const { indicators, warnings } = JSON.parse(text);
    t.same(Object.keys(indicators[name].latest), outputs, name);
    t.same(Object.keys(indicators[name].series), outputs, name);
    t.same(warnings, [], `${name} has enough`);
  }
});

t.test('an id may be any word, __proto__ too', async (t) => {
  const text = runJob(job([{ name: 'sma', id: '__proto__' }]));
  t.match(text, /"indicators":\{"__proto__":\{"name":"sma"/);
});

t.test('what is needed, when seeding is forgotten, and what it costs', async (t) => {
  const [ema, sma] = readEntries(['ema:100', 'sma']);
  if (!ema || !sma) throw new Error('no entry');
  t.same([neededBy(ema), settledAfter(ema), settledAfter(sma)], [100, 697, 20]);
  t.throws(() => neededBy({ ...ema, name: 'nonsense' }), RangeError);
  // 2 µs for the entry, 300 candles of 40 ns and 2.5 ns for each of the window, 150 ns a number.
  t.equal(costOf(job(['sma'])), 2 + 300 * 0.09 + 0.15);
  t.equal(costOf(job(['sma'], { series: true })), 2 + 300 * 0.09 + 15);
  t.equal(costOf(job(['sma'], { series: true, limit: 400 })), 2 + 300 * 0.09 + 45);
  t.equal(costOf(job(['donchian', 'sma'])), 4 + 300 * 0.09 * 4 + 0.15 * 4);
});
