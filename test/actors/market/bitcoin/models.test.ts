/** What the source publishes, and when. */
import t from 'tap';
import { closesModels } from '../../../../actors/market/bitcoin/closes-models.ts';
import { dailyModels } from '../../../../actors/market/bitcoin/daily-models.ts';
import { type ModelsOptions, modelsJob } from '../../../../actors/market/bitcoin/models.ts';
import { isRecord } from '../../../../actors/read.ts';
import type { IndicatorName } from '../../../../actors/topics/indicator-names.ts';
import { dayLength, dayOf } from '../../../../indicators/market/days.ts';
import { bitcoinStage, moveTo, noon, type Stage } from './stage.ts';
import { usualClose } from './world.ts';

const today = dayOf('2025-06-15');
const hour = 3_600_000;
const live = ['ahr999', 'pi-cycle', 'rainbow-chart'] as const;
const cycle = ['two-year-ma', '200-week-ma', 'golden-ratio', 'profitable-days'] as const;
const all: readonly IndicatorName[] = [
  ...live,
  ...cycle,
  ...(['puell-multiple', 'stock-to-flow', 'bitcoin-correlations'] as const),
];

/** A process that has all series. */
async function filled(stage: Stage) {
  const life = stage.begin();
  for (const name of ['days', 'issuance', 'assets'] as const) await life.do(name);
  return life;
}

const fieldsOf = async (stage: Stage, name: IndicatorName) => {
  const reading = await stage.reading(name);
  return reading?.fields ?? {};
};

t.test('the models: the time between two rounds, and the days that each needs', async (t) => {
  const minute = 60_000;
  const [closes, issues] = [
    'daily closes of Bitcoin',
    'days with both a close and the coins issued',
  ];
  t.strictSame(
    [...closesModels, ...dailyModels].map(({ name, cadence, what }) => [name, cadence, what]),
    [
      ...[...live, ...cycle].map((name) => [name, minute, closes]),
      ...['puell-multiple', 'stock-to-flow'].map((name) => [name, hour, issues]),
      ['bitcoin-correlations', 6 * hour, 'days common to Bitcoin and another asset'],
    ],
  );
  t.equal(modelsJob({} as ModelsOptions).every, 5_000);
});

t.test('the charts and the times of each', async (t) => {
  const stage = bitcoinStage();
  stage.live = { price: 120_000, at: noon - 2_000 };
  const life = await filled(stage);
  t.equal(await life.do('models'), null);
  t.same(
    [...life.published.filter((one) => !one.startsWith('series'))].sort(),
    all.flatMap((name) => [`indicatorHistories ${name}`, `marketIndicators ${name}`]).sort(),
  );
  for (const name of all) {
    const { rows = [], recorded_from } = (await stage.chart(name)) ?? {};
    t.equal(recorded_from, null);
    t.ok(rows.length > 100 && rows.length <= 5_000, `${name}: ${rows.length} rows`);
    t.ok(
      rows.every((row, at) => row.timestamp > (rows[at - 1]?.timestamp ?? 0)),
      'ascending',
    );
    t.ok(rows.every((row) => row.provisional === undefined && row.timestamp < today));
  }
  const newest = await stage.reading('ahr999');
  t.same(newest?.source, ['exchanges', 'binance']);
  t.same([newest?.updated_at, newest?.received_at], [noon - 2_000, noon - 2_000]);
  t.equal(newest?.stale_after, 180_000);
  t.equal(newest?.fields?.price_usd, 120_000);
  t.same([newest?.live?.timestamp, newest?.live?.provisional], [today, true]);
  t.equal(newest?.live?.price_usd, 120_000);
  const puell = await stage.reading('puell-multiple');
  t.same(puell?.source, ['binance', 'blockchain-info']);
  t.same([puell?.updated_at, puell?.received_at, puell?.stale_after], [today, noon, 3 * hour]);
  t.equal(puell?.live, null);
});

t.test('frames of streams go between two charts', async (t) => {
  const life = await filled(bitcoinStage());
  const charts = () => life.published.filter((one) => one.startsWith('indicatorHistories')).length;
  let [isOver, before, most] = [false, 0, 0];
  const look = () => {
    most = Math.max(most, charts() - before);
    before = charts();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await life.do('models');
  isOver = true;
  t.same([charts(), most], [all.length, 1], 'charts, and those of one turn of the event loop');
});

t.test('coins of days without data count as 144 blocks each, for a week', async (t) => {
  const stage = bitcoinStage();
  const life = await filled(stage);
  stage.world.down.add('blockchain-info');
  for (const late of [1, 2, 7, 8]) {
    await moveTo(stage, noon + late * dayLength);
    await life.do('days');
    await life.do('models');
    const { updated_at, source, fields } = (await stage.reading('puell-multiple')) ?? {};
    t.equal(updated_at, today + Math.min(late, 7) * dayLength, `${late} days late`);
    t.ok(source?.includes('computed'));
    // A block has 3.125 coins since April 2024.
    t.match(fields, { daily_issuance_btc: 144 * 3.125, blocks: null });
  }
});

t.test('correlations: every asset, with its source', async (t) => {
  const stage = bitcoinStage();
  const life = await filled(stage);
  await life.do('models');
  const reading = await stage.reading('bitcoin-correlations');
  const assets = reading?.fields?.assets;
  const rows = Array.isArray(assets) ? assets.filter(isRecord) : [];
  t.same(
    rows.map(({ id, source, last_date }) => [id, source, last_date]),
    [
      ...['sp500', 'nasdaq', 'dow_jones'].map((id) => [id, 'fred', '2025-06-13']),
      ['gold', 'binance', '2025-06-14'],
      ['dxy', 'frankfurter', '2025-06-13'],
      ...['usd_broad_index', 'us10y', 'vix'].map((id) => [id, 'fred', '2025-06-13']),
    ],
  );
  t.ok(rows.every(({ correlation_365d }) => Math.abs(Number(correlation_365d)) <= 1));
  t.ok(rows.every(({ correlation_30d, strength }) => correlation_30d !== null && strength));
  t.same(reading?.source, ['binance', 'fred', 'frankfurter']);
  t.equal(reading?.updated_at, today, "gold's newest day ends then");
  t.equal(reading?.stale_after, 18 * hour);
});

t.test('every minute the live ones alone; charts when a day is new', async (t) => {
  const stage = bitcoinStage();
  stage.live = { price: 120_000, at: noon };
  const life = await filled(stage);
  await life.do('models');
  life.published.length = 0;
  await moveTo(stage, noon + 55_000);
  t.equal(await life.do('models'), null);
  t.same(life.published, [], 'not within the minute');
  await moveTo(stage, noon + 60_000);
  stage.live = { price: 121_000, at: noon + 60_000 };
  await life.do('models');
  t.same(
    life.published,
    [...live, ...cycle].map((name) => `marketIndicators ${name}`),
  );
  t.equal((await fieldsOf(stage, 'rainbow-chart')).price_usd, 121_000);
  const before = await stage.chart('ahr999');
  await moveTo(stage, today + dayLength + 660_000);
  stage.live = { price: 122_000, at: stage.clock.now() };
  for (const name of ['days', 'issuance'] as const) await life.do(name);
  life.published.length = 0;
  await life.do('models');
  t.equal(life.published.filter((one) => one.startsWith('indicatorHistories')).length, all.length);
  const after = await stage.chart('ahr999');
  t.equal(after?.rows.at(-1)?.timestamp, today);
  t.same(after?.rows.slice(-101, -1), before?.rows.slice(-100));
});

t.test('without a live price the last close stands, with its own time', async (t) => {
  const stage = bitcoinStage();
  const life = await filled(stage);
  await life.do('models');
  const reading = await stage.reading('ahr999');
  t.same(reading?.source, ['binance']);
  t.equal(reading?.updated_at, today, 'the end of yesterday');
  t.equal(reading?.received_at, noon);
  t.equal(reading?.live, null);
  t.equal(reading?.fields?.price_usd, usualClose(today - dayLength));
  stage.live = { price: 1_000_000, at: noon };
  await life.do('models');
  t.equal((await stage.reading('ahr999'))?.updated_at, today, 'an impossible price is none');
});

t.test('a live price that goes away leaves the last reading, until a close is newer', async (t) => {
  const stage = bitcoinStage();
  stage.live = { price: 120_000, at: noon };
  await (await filled(stage)).do('models');
  const before = await stage.reading('ahr999');
  stage.live = null;
  const life = await filled(stage);
  await moveTo(stage, noon + hour);
  t.equal(await life.do('models'), null);
  t.same(await stage.reading('ahr999'), before, 'of an earlier process too');
  await moveTo(stage, today + dayLength + 600_000);
  await life.do('days');
  await life.do('models');
  const after = await stage.reading('ahr999');
  t.equal(after?.updated_at, today + dayLength);
  t.equal(after?.fields?.price_usd, usualClose(today));
});

t.test('after midnight the live price stands for the close that is late', async (t) => {
  const stage = bitcoinStage();
  const life = await filled(stage);
  const midnight = today + dayLength;
  await moveTo(stage, midnight + 300_000);
  stage.live = { price: 123_000, at: midnight + 299_000 };
  await life.do('days');
  await life.do('models');
  const reading = await stage.reading('pi-cycle');
  t.same([reading?.live?.timestamp, reading?.live?.price_usd], [today, 123_000]);
  t.equal(reading?.updated_at, midnight + 299_000);
});

t.test('half a history: what is too little, by number', async (t) => {
  const stage = bitcoinStage();
  const early = today - 120 * dayLength;
  const others = ['bitstamp', 'bitfinex', 'blockchain-info', 'coingecko'];
  for (const id of others) stage.world.down.add(id);
  for (let day = dayOf('2017-08-17'); day < early; day += dayLength) stage.world.holes.add(day);
  const life = await filled(stage);
  await life.do('models');
  const has = 120;
  const what = 'daily closes of Bitcoin';
  t.same((await stage.reading('ahr999'))?.lacks, { what, needs: 200, has });
  t.same((await stage.reading('pi-cycle'))?.lacks, { what, needs: 351, has });
  t.equal((await stage.reading('ahr999'))?.fields, null);
  t.equal((await stage.reading('rainbow-chart'))?.lacks, null, 'one day is enough');
  const puell = (await stage.reading('puell-multiple'))?.lacks;
  t.same([puell?.needs, puell?.has], [365, 1]);
  t.equal(await stage.chart('ahr999'), undefined);
});

t.test('correlations of too few days', async (t) => {
  const stage = bitcoinStage();
  const others = ['bitstamp', 'bitfinex', 'blockchain-info', 'coingecko'];
  for (const id of others) stage.world.down.add(id);
  const early = today - 10 * dayLength;
  for (let day = dayOf('2017-08-17'); day < early; day += dayLength) stage.world.holes.add(day);
  const life = await filled(stage);
  await life.do('models');
  const lacks = (await stage.reading('bitcoin-correlations'))?.lacks;
  t.same([lacks?.needs, lacks?.has], [16, 10], 'gold trades on every day');
});
