/** Margin on Bitfinex: polled, recorded, and on demand. */
import t from 'tap';
import { failed } from '../../../actors/failure.ts';
import { isCurrency, pointsOf, sizesDoubt } from '../../../actors/market/margin-answer.ts';
import { marginAnswers } from '../../../actors/market/margin-ask.ts';
import { priceRow } from '../../support/makers.ts';
import { around } from '../../support/sources.ts';
import { now } from './fixtures.ts';
import { down, marketStage, type Stage, type Upstream } from './stage.ts';

const minute = 60_000;
const hour = 60 * minute;
const key = 'bitfinex-margin/BTC';
const job = 'bitfinex-margin-btc';

/** Both sides now and in each of 250 hours, and the funding of dollars and the asset. */
function open(stage: Stage) {
  const said = { long: 3_000, short: 1_000, age: 1 };
  const funding = (path: string, time: number) =>
    path.includes('fDOGE')
      ? failed('refused', 'no such currency').failure
      : [9, 1_500].map((used, at) => [
          time - said.age - (1 - at) * hour,
          null,
          null,
          1e-6,
          30,
          null,
          null,
          2_000,
          used,
          null,
          null,
          250,
        ]);
  const upstream: Upstream = ({ path }) => {
    const time = stage.clock.now();
    if (path.includes('/funding/stats/')) return funding(path, time);
    if (path.includes('tNONE')) return [];
    if (path.includes('tBARE') && !path.endsWith('/last')) return [];
    const size = path.includes(':long') ? said.long : said.short;
    if (path.endsWith('/last')) return [time, size];
    return Array.from({ length: 250 }, (_, at) => [
      Math.floor(time / hour) * hour - at * hour,
      size * (1 + 0.01 * (at % 2)),
    ]);
  };
  stage.upstreams.set('bitfinex', upstream);
  stage.tell([priceRow({ price: 100_000 }), priceRow({ symbol: 'DOGE', price: 0.2 })]);
  return said;
}

t.test('both sides and the funding, with the hours that the exchange has', async (t) => {
  const stage = marketStage();
  open(stage);
  const context = stage.begin();
  t.equal(await context.run(job), null);
  t.match(await stage.reading(key), {
    name: 'bitfinex-margin',
    fields: {
      symbol: 'BTC',
      long_size: 3_000,
      short_size: 1_000,
      long_usd: 3e8,
      short_usd: 1e8,
      long_short_ratio: 3,
      long_pct: 75,
      funding: [{ currency: 'USD', utilization_ratio: 0.75 }, { currency: 'BTC' }],
      signal: 'normal',
    },
    source: 'bitfinex',
    updated_at: now,
    live: { timestamp: now, long_size: 3_000, short_size: 1_000, provisional: true },
    stale_after: 3 * minute,
  });
  t.equal(await stage.begin().waits(job), minute);
  const chart = await stage.chart(key);
  t.equal(chart?.recorded_from, now);
  t.equal(chart?.rows.length, 250);
  t.match(chart?.rows[0], { backfilled: true, frr_daily_pct: null });
  const last = chart?.rows.at(-1);
  t.match(last, { timestamp: now, long_size: 3_000, short_size: 1_000 });
  t.ok(Math.abs(Number(last?.frr_daily_pct) - 0.0365) < 1e-9);

  stage.asked.length = 0;
  await stage.clock.advance(minute);
  const next = stage.begin();
  await next.run(job);
  t.equal(stage.asked.filter((each) => each.includes('stats1')).length, 2, 'no hours again');
  stage.asked.length = 0;
  await stage.clock.advance(minute);
  await next.run(job);
  t.equal(stage.asked.length, 2, 'funding is asked every ten minutes');
});

t.test('funding: asked every ten minutes, and counts for three hours', async (t) => {
  const stage = marketStage();
  const said = open(stage);
  const context = stage.begin();
  await context.run(job);
  const currencies = async () => {
    const funding = (await stage.reading(key))?.fields?.funding;
    return Array.isArray(funding) ? funding.length : null;
  };
  const asked = () => stage.asked.filter((each) => each.includes('/funding/')).length;
  t.same([asked(), await currencies()], [2, 2]);
  await stage.clock.advance(10 * minute - 1);
  await context.run(job);
  t.equal(asked(), 2);
  said.age = 3 * hour;
  await stage.clock.advance(1);
  await context.run(job);
  t.same([asked(), await currencies()], [4, 2]);
  await stage.clock.advance(1);
  await context.run(job);
  t.same([asked(), await currencies()], [4, 0]);
  stage.tell([priceRow({ price: 100_000 })]);
  const last = (await stage.reading(key))?.live;
  t.equal(last?.frr_daily_pct, null);
});

t.test('a sample of a day ago is compared with nothing', async (t) => {
  for (const [age, code] of [
    [24 * hour - 1, 'shape'],
    [24 * hour, undefined],
  ] as const) {
    const stage = marketStage();
    const said = open(stage);
    const context = stage.begin();
    await context.run(job);
    Object.assign(said, { long: 300, short: 10_000 });
    await stage.clock.advance(age);
    t.equal((await context.run(job))?.code, code);
  }
});

t.test('the sides of an answer: what they can be, and which belong together', async (t) => {
  const side = (name: 'long' | 'short', size: number, time = now) => ({ side: name, size, time });
  const before = { timestamp: now, long_size: 10, short_size: 10 };
  const doubts = [
    sizesDoubt([side('long', 1)], null, now),
    sizesDoubt([side('short', 1)], null, now),
    sizesDoubt([side('long', 0), side('short', 0)], null, now),
    sizesDoubt([side('long', 0), side('short', 1)], null, now),
    sizesDoubt([side('long', 1, now - 9 * hour), side('short', 1)], null, now + 6 * hour),
    sizesDoubt([side('long', 1), side('short', 1)], null, now + 6 * hour + 1),
    sizesDoubt([side('long', 80), side('short', 80)], before, now),
    sizesDoubt([side('long', 81), side('short', 10)], before, now),
    sizesDoubt([side('long', 10), side('short', 1.2)], before, now),
  ];
  const missing = 'one side is missing';
  const right = [missing, missing, 'nothing is held', null, null, 'older than six hours', null];
  t.same(doubts, [...right, 'too_far', 'too_far']);
  const rows = [
    side('long', 2, 20),
    side('long', 1, 10),
    side('short', 4, 20),
    side('short', 3, 10),
  ];
  t.same(pointsOf([...rows, side('long', 9, 30), side('short', 9, 40)]), [
    { timestamp: 10, long_size: 1, short_size: 3 },
    { timestamp: 20, long_size: 2, short_size: 4 },
  ]);
  t.same(['A', 'AB', '1INCH', 'A'.repeat(10), 'A'.repeat(11), 'ab', 'A-B'].map(isCurrency), [
    false,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

t.test('implausible values and failures leave the last value', async (t) => {
  const stage = marketStage();
  const said = open(stage);
  const context = stage.begin();
  await context.run(job);
  for (const lie of [{ long: 0 }, { long: -3_000 }, { short: 10_000 }, { long: 300 }]) {
    Object.assign(said, { long: 3_000, short: 1_000 }, lie);
    t.match(await context.run(job), { code: 'shape' }, JSON.stringify(lie));
  }
  t.match(await stage.reading(key), { fields: { long_size: 3_000 }, received_at: now });
  Object.assign(said, { long: 2_000, short: 2_000 });
  t.equal(await context.run(job), null, 'equal sides are no lie');
  stage.upstreams.set('bitfinex', down);
  t.match(await context.run(job), { code: 'unavailable' });
  t.match(await stage.reading(key), { fields: { long_size: 2_000 }, received_at: now });
});

t.test('on demand: any asset, kept for a minute', async (t) => {
  const stage = marketStage();
  open(stage);
  const deadlines = new Set<number | undefined>();
  const client: typeof stage.client = (id) => ({
    ...stage.client(id),
    send(request, options) {
      deadlines.add(options.deadline);
      return stage.client(id).send(request, options);
    },
  });
  const { margin } = marginAnswers({ ...stage, client, ...around(stage.clock) });
  const ask = (symbol: string) =>
    margin({ symbol }, { deadline: stage.clock.now() + 10_000, account: 'a' });
  const [one, two] = await Promise.all([ask('DOGE'), ask('DOGE')]);
  t.equal(one, two, 'equal queries share an answer');
  t.match(one, {
    ok: true,
    value: {
      value: {
        reading: {
          fields: {
            symbol: 'DOGE',
            long_usd: 600,
            funding: [{ currency: 'USD', utilization_ratio: 0.75 }],
          },
          live: { timestamp: now, provisional: true },
          stale_after: 3 * minute,
        },
        history: { recorded_from: null },
      },
    },
  });
  t.equal(one.ok && one.value.value.history.rows.length, 250);
  const asked = stage.asked.length;
  t.equal(asked, 6);
  await stage.clock.advance(59_000);
  t.equal(await ask('DOGE'), one);
  t.equal(stage.asked.length, asked);
  await stage.clock.advance(1_000);
  t.not(await ask('DOGE'), one);
  t.equal(stage.asked.length, asked + 4, 'the hours are kept for an hour');
  await stage.clock.advance(hour - minute);
  await ask('DOGE');
  t.equal(stage.asked.length, asked + 10);
  for (const count of [16, 22]) {
    await ask('BARE');
    t.equal(stage.asked.length, asked + count, 'that there are none is not kept');
    await stage.clock.advance(minute);
  }
  t.strictSame([...deadlines], [5_000], 'a request has half of the time');
});

t.test('on demand: what is unknown, what fails', async (t) => {
  const stage = marketStage();
  open(stage);
  const { margin } = marginAnswers({ ...stage, ...around(stage.clock) });
  const ask = (symbol: string) =>
    margin({ symbol }, { deadline: stage.clock.now() + 10_000, account: 'a' });
  const unknown = { ok: false, failure: { code: 'unknown_instrument' } };
  t.match(await ask('./x'), unknown);
  t.same(stage.asked, [], 'no word of a client gets into a path unread');
  t.match(await ask('NONE'), unknown);
  const asked = stage.asked.length;
  t.match(await ask('NONE'), unknown);
  t.equal(stage.asked.length, asked, 'that it is unknown is kept too');
  stage.upstreams.set('bitfinex', down);
  t.match(await ask('DOGE'), { ok: false, failure: { code: 'unavailable' } });
  open(stage);
  t.ok((await ask('DOGE')).ok, 'a failure is not kept');
  const answers = await Promise.all(Array.from({ length: 17 }, (_, at) => ask(`A${at}`)));
  t.match(answers.at(-1), { ok: false, failure: { code: 'over_budget', retryAfter: 1_000 } });
});
