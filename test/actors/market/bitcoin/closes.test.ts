/** The history of Bitcoin's closes: filled once, a day a day, never changed. */
import t from 'tap';
import { readCloses } from '../../../../actors/market/bitcoin/stored-closes.ts';
import { dayLength, dayOf } from '../../../../indicators/market/days.ts';
import { bitcoinStage, moveTo, noon, yesterday } from './stage.ts';
import { shades, usualClose } from './world.ts';

const first = dayOf('2010-08-16');
const on = (date: string) => (dayOf(date) - first) / dayLength;

t.test('the first fill: every day once, each from the best source that has it', async (t) => {
  const stage = bitcoinStage();
  stage.live = { price: usualClose(yesterday(stage)), at: noon };
  const life = stage.begin();
  t.equal(await life.do('days'), null);
  const { days, closes, sources, filled } = await stage.closes();
  t.equal(days[0], first);
  t.equal(days.at(-1), yesterday(stage));
  t.equal(days.length, on('2025-06-14') + 1);
  t.ok(
    days.every((day, at) => day === first + at * dayLength),
    'no holes, ascending',
  );
  t.same(filled, []);
  t.same(
    ['2010-08-16', '2011-08-17', '2011-08-18', '2017-08-16', '2017-08-17', '2025-06-14'].map(
      (date) => sources[on(date)],
    ),
    ['blockchain-info', 'blockchain-info', 'bitstamp', 'bitstamp', 'binance', 'binance'],
  );
  for (const at of [0, 400, 2000, days.length - 1]) {
    const wanted = usualClose(days[at] ?? 0) * (shades[sources[at] ?? ''] ?? 0);
    t.ok(Math.abs((closes[at] ?? 0) / wanted - 1) < 1e-9, `close of day ${at}`);
  }
  const pages = ['binance', 'bitstamp', 'bitfinex', 'blockchain-info', 'coingecko'];
  t.same(
    pages.map((id) => stage.world.count(id)),
    [3, 6, 1, 1, 0],
    'pages of each',
  );
  t.equal(life.statuses.get('days binance')?.state, 'up');
});

t.test('a restart asks nothing again; nor does the next round', async (t) => {
  const stage = bitcoinStage();
  await stage.begin().do('days');
  stage.world.asked = [];
  const before = await stage.closes();
  const life = stage.begin();
  t.equal(await life.do('days'), null);
  t.equal(await life.do('days'), null);
  t.equal(stage.world.count(), 0);
  t.same(await stage.closes(), before);
  t.same(life.published, [], 'nothing is written either');
  t.equal(life.statuses.get('days binance')?.rows, before.days.length, 'but shown in the status');
});

t.test('the closes of all sources are read, of a day that of the better one', async (t) => {
  const asked: unknown[] = [];
  const found = [
    {
      key: 'binance',
      times: [2, 3],
      columns: { close: [20, null], at: [7, 7], filled: [1, null] },
    },
    { key: 'bitstamp', times: [1, 2], columns: { close: [10, 99], at: [9, null] } },
  ];
  const read = async (...all: unknown[]) => {
    asked.push(all);
    return found;
  };
  t.strictSame(await readCloses({ read } as never), {
    rows: [
      { day: 1, close: 10, source: 'bitstamp' },
      { day: 2, close: 20, source: 'binance', filled: true },
    ],
    at: 9,
  });
  const keys = ['binance', 'bitstamp', 'bitfinex', 'blockchain-info', 'coingecko'];
  t.strictSame(asked, [['bitcoin-closes', keys, { step: '1d', limit: 10_000 }]]);
});

t.test('00:10 UTC appends exactly one row, 00:09 none', async (t) => {
  const stage = bitcoinStage();
  const life = stage.begin();
  await life.do('days');
  const before = await stage.closes();
  stage.world.asked = [];
  const midnight = dayOf('2025-06-16');
  for (let minute = -3; minute <= 9; minute++) {
    await moveTo(stage, midnight + minute * 60_000);
    t.equal(await life.do('days'), null);
  }
  await moveTo(stage, midnight + 599_999);
  await life.do('days');
  t.equal(stage.world.count(), 0, 'nothing is asked before');
  t.equal((await stage.closes()).days.length, before.days.length);
  for (let minute = 10; minute <= 20; minute++) {
    await moveTo(stage, midnight + minute * 60_000);
    t.equal(await life.do('days'), null);
  }
  const after = await stage.closes();
  t.equal(after.days.length, before.days.length + 1);
  t.equal(after.days.at(-1), dayOf('2025-06-15'));
  t.equal(after.sources.at(-1), 'binance');
  t.same(after.closes.slice(0, -1), before.closes);
  t.same(stage.world.asked, ['binance /api/v3/klines'], 'one request');
});

const tenfold = (close: number) => close * 10;

t.test("a source that lies: the next one's close is stored", async (t) => {
  const stage = bitcoinStage();
  const life = stage.begin();
  await life.do('days');
  stage.world.lies.set('binance', tenfold);
  await moveTo(stage, noon + dayLength);
  t.equal(await life.do('days'), null);
  const { days, closes, sources } = await stage.closes();
  t.equal(sources.at(-1), 'bitstamp');
  t.equal(days.at(-1), dayOf('2025-06-15'));
  t.ok(Math.abs((closes.at(-1) ?? 0) / (usualClose(dayOf('2025-06-15')) * 1.001) - 1) < 1e-9);
  t.equal(life.statuses.get('days binance')?.state, 'failing');
  t.equal(life.statuses.get('days bitstamp')?.state, 'up');
});

for (const known of [true, false]) {
  const how = known ? 'the live price tells' : 'the others outvote it';
  t.test(`the first fill with a source that lies: ${how}`, async (t) => {
    const stage = bitcoinStage();
    if (known) stage.live = { price: usualClose(yesterday(stage)), at: noon };
    stage.world.lies.set('binance', tenfold);
    const life = stage.begin();
    t.equal(await life.do('days'), null);
    const { closes, sources } = await stage.closes();
    t.notOk(sources.includes('binance'));
    t.equal(sources.at(-1), 'bitstamp');
    t.ok(closes.every((close) => close > 0));
    t.equal(life.statuses.get('days binance')?.state, 'failing');
  });
}

t.test('only Binance answers: half a history, whose older days come later', async (t) => {
  const stage = bitcoinStage();
  const others = ['bitstamp', 'bitfinex', 'blockchain-info'];
  for (const id of others) stage.world.down.add(id);
  const life = stage.begin();
  t.equal(await life.do('days'), null);
  const half = await stage.closes();
  t.equal(half.days[0], dayOf('2017-08-17'));
  stage.world.asked = [];
  await moveTo(stage, noon + 60_000);
  await life.do('days');
  t.equal(stage.world.count(), 0, 'not again within the hour');
  stage.world.down.clear();
  // What leads up to another price is not taken.
  for (const id of others) stage.world.lies.set(id, (close) => close * 10);
  await moveTo(stage, noon + 3_700_000);
  await life.do('days');
  t.same((await stage.closes()).days[0], half.days[0], 'ten times off');
  stage.world.lies.clear();
  await moveTo(stage, noon + 2 * 3_700_000);
  await life.do('days');
  const whole = await stage.closes();
  t.equal(whole.days[0], first);
  t.same(whole.closes.slice(-half.closes.length), half.closes, 'stored days stay');
  t.equal(whole.days.length, on('2025-06-14') + 1);
  stage.world.asked = [];
  await moveTo(stage, noon + 3 * 3_700_000);
  await life.do('days');
  t.equal(stage.world.count(), 0, 'whole: asked no more');
});

t.test('the last resort, and no source at all', async (t) => {
  const stage = bitcoinStage();
  const all = ['binance', 'bitstamp', 'bitfinex', 'blockchain-info', 'coingecko'];
  for (const id of all) stage.world.down.add(id);
  const life = stage.begin();
  t.equal((await life.do('days'))?.code, 'unavailable');
  t.same(await stage.closes(), { days: [], closes: [], sources: [], filled: [] });
  stage.world.down.delete('coingecko');
  t.equal(await life.do('days'), null);
  const { days, sources } = await stage.closes();
  t.equal(days.length, 365);
  t.equal(sources[0], 'coingecko');
});

t.test('a history away during the fill: what it holds stands, or is filled later', async (t) => {
  const stage = bitcoinStage();
  stage.deaf = true;
  const life = stage.begin();
  t.equal((await life.do('days'))?.code, 'timeout');
  stage.deaf = false;
  stage.world.asked = [];
  t.equal(await life.do('days'), null);
  t.equal(stage.world.count(), 0, 'the fill was kept');
  const before = await stage.closes();
  t.equal(before.days[0], first);
  // Another process that cannot read it at first, and fills anew from sources that say something else.
  stage.world.close = (day) => usualClose(day) * 1.1;
  // Those of the ten seconds in which a source that begins asks again, and one more.
  stage.blind = 22;
  const other = stage.begin();
  t.equal(await other.do('days'), null);
  t.ok(stage.world.count() > 0, 'it did ask');
  t.same(await stage.closes(), before);
});
