/** What the models need besides closes: the coins issued, and the days of other assets. */

import t from 'tap';
import {
  doubtHeight,
  doubtSupply,
  type IssuedDay,
  issuanceForm,
  joinedWith,
  supplyDays,
  withNominal,
} from '../../../../actors/market/bitcoin/chain-days.ts';
import { columnsOf, rowsOf } from '../../../../actors/market/stored-series.ts';
import { dayLength, dayOf } from '../../../../indicators/market/days.ts';
import { subsidyAt, supplyAfter } from '../../../../indicators/market/issuance.ts';
import { bitcoinStage, moveTo, noon, type Stage } from './stage.ts';
import { assetValue, heightOf } from './world.ts';

const hour = 3_600_000;

const kept = async ({ bus }: Stage, key: string) => {
  const { columns = {}, at = 0 } = (await bus.lastOf('series', key)) ?? {};
  const column = (name: string) => columns[name] ?? [];
  return { column, at, last: (name: string) => column(name).at(-1), size: column('day').length };
};

t.test('issuance: the chart once, then a day by its heights', async (t) => {
  const stage = bitcoinStage();
  const life = stage.begin();
  t.equal(await life.do('issuance'), null);
  const whole = await kept(stage, 'btc-issuance');
  t.equal(whole.column('day')[0], dayOf('2010-08-16'));
  t.equal(whole.last('day'), dayOf('2025-06-14'));
  t.same(stage.world.asked, ['blockchain-info /charts/total-bitcoins']);
  await life.do('issuance');
  t.equal(await stage.begin().do('issuance'), null);
  t.equal(stage.world.count(), 1, 'neither the next round nor a restart asks');
  await moveTo(stage, noon + dayLength);
  t.equal(await life.do('issuance'), null);
  const next = await kept(stage, 'btc-issuance');
  t.equal(next.size, whole.size + 1);
  const day = dayOf('2025-06-15');
  const blocks = heightOf(day) - heightOf(day - dayLength);
  t.same(['day', 'blocks', 'height', 'source'].map(next.last), [
    day,
    blocks,
    heightOf(day),
    'mempool',
  ]);
  const coins = Number(next.last('issuance_btc'));
  t.ok(Math.abs(coins - blocks * subsidyAt(heightOf(day))) < 1e-6, 'not off by unclaimed coins');
});

t.test('issuance: without heights the chart, without both a failure', async (t) => {
  const stage = bitcoinStage();
  const life = stage.begin();
  await life.do('issuance');
  stage.world.down.add('mempool');
  await moveTo(stage, noon + dayLength);
  t.equal(await life.do('issuance'), null);
  const by = await kept(stage, 'btc-issuance');
  t.same([by.last('day'), by.last('source')], [dayOf('2025-06-15'), 'blockchain-info']);
  stage.world.down.add('blockchain-info');
  await moveTo(stage, noon + 2 * dayLength);
  t.equal((await life.do('issuance'))?.code, 'unavailable');
  t.equal((await kept(stage, 'btc-issuance')).size, by.size);
  stage.world.down.clear();
  t.equal(await life.do('issuance'), null);
  t.equal((await kept(stage, 'btc-issuance')).last('day'), dayOf('2025-06-16'));
});

t.test('issuance: heights alone begin a series, the chart comes before it later', async (t) => {
  const stage = bitcoinStage();
  stage.world.down.add('blockchain-info');
  const life = stage.begin();
  t.equal(await life.do('issuance'), null);
  t.equal((await kept(stage, 'btc-issuance')).size, 1);
  stage.world.down.clear();
  await moveTo(stage, noon + hour);
  t.equal(await life.do('issuance'), null);
  const whole = await kept(stage, 'btc-issuance');
  t.equal(whole.column('day')[0], dayOf('2010-08-16'));
  t.equal(whole.last('source'), 'mempool', 'the stored day stays');
});

t.test('issuance: heights and supplies that lie', async (t) => {
  const lie = (value: number) => value * 10;
  const stage = bitcoinStage();
  stage.world.lies.set('supply', lie);
  const life = stage.begin();
  t.equal(await life.do('issuance'), null);
  const counted = await kept(stage, 'btc-issuance');
  t.same([counted.size, counted.last('source')], [1, 'mempool'], 'not the chart');
  stage.world.lies.clear();
  await life.do('issuance');
  stage.world.lies.set('mempool', lie);
  await moveTo(stage, noon + dayLength);
  t.equal(await life.do('issuance'), null);
  const found = await kept(stage, 'btc-issuance');
  t.same([found.last('day'), found.last('source')], [dayOf('2025-06-15'), 'blockchain-info']);
  t.equal(life.statuses.get('issuance mempool')?.state, 'failing');
});

t.test('supplies and heights that cannot be', async (t) => {
  const day = dayOf('2025-06-14');
  const value = supplyAfter(heightOf(day));
  const before = { day: day - dayLength, value: value - 450 };
  const doubt = (last: number) => doubtSupply([before, { day, value: last }]);
  t.equal(doubt(value), null);
  for (const lie of [0, -value, value * 10, value / 10, value + 30_000]) t.ok(doubt(lie), `${lie}`);
  t.ok(doubtSupply([{ day, value: value / 10 }]), 'a digit less in all of them');
  t.ok(doubtSupply([]));
  const height = heightOf(day);
  t.equal(doubtHeight({ day, height }, height - 144), null);
  for (const lie of [0, height * 10, height / 10, height - 200, height + 2_000])
    t.ok(doubtHeight({ day, height: lie }, height - 144), `${lie}`);
  t.ok(doubtHeight({ day, height: height * 10 }, null), 'nothing known before');
  t.ok(doubtHeight(undefined, null));
  const intended = ((day - dayOf('2009-01-03')) / dayLength + 1) * 144;
  const found = [1.14, 1.16].map((part) => doubtHeight({ day, height: part * intended }, null));
  t.strictSame(found.map(Boolean), [false, true], 'blocks come a little faster than intended');
});

t.test('issuance: a stored row is read as it was written', async (t) => {
  const { columns, read } = issuanceForm;
  t.equal(columns.join(' '), 'day issuance_btc supply_btc height blocks source');
  const row = { day: 1, issuance_btc: 0, supply_btc: 1, height: 0, blocks: null, source: 'a' };
  const stored = (one: IssuedDay) => rowsOf({ columns: columnsOf([one], columns) }).map(read)[0];
  for (const one of [row, { ...row, blocks: 2 }]) t.strictSame(stored(one), one);
  const bad = [{ day: 0 }, { issuance_btc: -1 }, { supply_btc: 0 }, { height: -1 }, { source: '' }];
  for (const one of bad) t.equal(stored({ ...row, ...one }), null, JSON.stringify(one));
});

t.test('issuance: nine days are asked by their heights, more by the chart', async (t) => {
  for (const [days, source] of [
    [9, 'mempool'],
    [10, 'blockchain-info'],
  ] as const) {
    const stage = bitcoinStage();
    const life = stage.begin();
    await life.do('issuance');
    await moveTo(stage, noon + days * dayLength);
    t.equal(await life.do('issuance'), null);
    t.equal((await kept(stage, 'btc-issuance')).last('source'), source);
  }
});

t.test('a chart with several points a day and holes', async (t) => {
  const day = (at: number) => dayOf('2025-06-01') + at * dayLength;
  const points = [
    [4.25, 145],
    [0.125, 99],
    [0.75, 110],
    [0.75, 110],
    [2, 122.5],
    [3.5, 137.5],
  ] as const;
  t.same(
    supplyDays(points.map(([at, value]) => ({ at: day(at), value }))).map((row) => [
      (row.day - day(0)) / dayLength,
      row.value,
    ]),
    [
      [0, 112.5],
      [1, 122.5],
      [2, 132.5],
      [3, 142.5],
    ],
    'at the ends of days, between two points',
  );
  const issue = (at: number, supply: number, source: string) => ({
    day: day(at),
    issuance_btc: 450,
    supply_btc: supply,
    height: 900_000,
    blocks: null,
    source,
  });
  const stored = [issue(2, 19_900_000, 'a'), issue(3, 19_900_450, 'a')];
  const chart = [1, 2, 3, 4].map((at) => issue(at, 19_899_100 + 450 * at, 'b'));
  t.same(
    joinedWith(stored, chart).map((row) => row.source),
    ['b', 'a', 'a', 'b'],
  );
  const far = [issue(1, 1_990_000, 'b')];
  t.same(joinedWith(stored, far), stored, 'what does not meet the stored days is not taken');
  const nominal = withNominal(stored, day(5));
  t.same(
    nominal.slice(2).map((row) => [row.source, row.issuance_btc, row.height]),
    [
      ['computed', 450, 900_144],
      ['computed', 450, 900_288],
    ],
  );
  const [last] = stored.slice(-1);
  const lengths = [7, 8].map(
    (more) => withNominal(stored, (last?.day ?? 0) + more * dayLength).length,
  );
  t.strictSame(lengths, [stored.length + 7, stored.length], 'not for longer than a week');
});

t.test('assets: each from its first source, and not again for six hours', async (t) => {
  const stage = bitcoinStage();
  const life = stage.begin();
  t.equal(await life.waits('assets'), 0 - noon + 6 * hour, 'due at once');
  t.equal(await life.do('assets'), null);
  t.same(stage.world.asked, [
    ...Array(6).fill('fred /graph/fredgraph.csv'),
    ...Array(2).fill('binance /api/v3/klines'),
    'frankfurter /v1/2015-06-16..2025-06-14',
  ]);
  const source = async (id: string) => (await kept(stage, `asset-${id}`)).last('source');
  t.same(await Promise.all(['sp500', 'us10y', 'usd_broad_index', 'dxy', 'gold'].map(source)), [
    'fred',
    'fred',
    'fred',
    'frankfurter',
    'binance',
  ]);
  t.equal((await kept(stage, 'asset-vix')).last('value'), assetValue('vix', dayOf('2025-06-13')));
  stage.world.asked = [];
  await moveTo(stage, noon + hour);
  const restarted = stage.begin();
  t.equal(await restarted.waits('assets'), 5 * hour);
  t.equal(restarted.statuses.get('assets fred')?.state, 'up', 'known before it is asked again');
  t.equal(await restarted.do('assets'), null);
  t.equal(stage.world.count(), 0);
  await moveTo(stage, noon + 3 * hour - 1);
  await restarted.do('assets');
  t.equal(stage.world.count(), 0, 'what was renewed in this round of six hours is not asked');
  await moveTo(stage, noon + 3 * hour);
  await restarted.do('assets');
  t.equal(stage.world.count(), 9);
});

t.test('assets: a change that lasts three days is accepted', async (t) => {
  const stage = bitcoinStage();
  const life = stage.begin();
  await life.do('assets');
  const before = (await kept(stage, 'asset-sp500')).last('value');
  stage.world.lies.set('fred', (value) => value * 10);
  stage.world.down.add('yahoo');
  await moveTo(stage, noon + 3 * dayLength - 1);
  t.equal((await life.do('assets'))?.code, 'unavailable');
  t.equal((await kept(stage, 'asset-sp500')).last('value'), before);
  await moveTo(stage, noon + 3 * dayLength);
  t.match(await life.do('assets'), { message: /no source has us10y$/ }, 'but no yield of 40 %');
  const now = await kept(stage, 'asset-sp500');
  t.equal(now.last('value'), 10 * assetValue('sp500', Number(now.last('day'))));
});

t.test('assets: a first start without any source is tried again soon', async (t) => {
  const stage = bitcoinStage();
  for (const id of ['fred', 'yahoo', 'binance', 'frankfurter']) stage.world.down.add(id);
  const life = stage.begin();
  t.equal((await life.do('assets'))?.retryAfter, 60_000);
  stage.world.down.clear();
  await moveTo(stage, noon + 60_000);
  t.equal(await life.do('assets'), null);
});

/** Only FRED has it. */
const noBroadIndex = { code: 'unavailable', message: 'assets: no source has usd_broad_index' };

t.test('assets: the second source, and the last values without any', async (t) => {
  const stage = bitcoinStage();
  const life = stage.begin();
  await life.do('assets');
  const before = await kept(stage, 'asset-sp500');
  stage.world.lies.set('fred', (value) => value * 10);
  await moveTo(stage, noon + 6 * hour);
  t.match(await life.do('assets'), noBroadIndex);
  t.equal((await kept(stage, 'asset-sp500')).last('source'), 'yahoo', 'FRED lies');
  t.equal(life.statuses.get('assets fred')?.state, 'failing');
  for (const id of ['fred', 'yahoo', 'binance', 'frankfurter']) stage.world.down.add(id);
  await moveTo(stage, noon + 12 * hour);
  const failure = await life.do('assets');
  t.equal(failure?.code, 'unavailable');
  t.equal(failure?.retryAfter, 15 * 60_000, 'not at once');
  t.equal((await kept(stage, 'asset-sp500')).last('value'), before.last('value'));
});

t.test('assets: FRED says zero on one day', async (t) => {
  const stage = bitcoinStage();
  stage.world.lies.set('fred', (value, day) => (day === dayOf('2025-03-03') ? 0 : value));
  const life = stage.begin();
  t.match(await life.do('assets'), noBroadIndex);
  t.equal((await kept(stage, 'asset-sp500')).last('source'), 'yahoo');
});
