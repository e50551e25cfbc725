/** Margin on Bitfinex: polled, recorded, and on demand. */
import t from 'tap';
import { failed } from '../../../actors/failure.ts';
import { marginAnswers } from '../../../actors/market/margin-ask.ts';
import { around } from '../../support/sources.ts';
import { now } from './fixtures.ts';
import { createStage, down, priceRow, type Stage, type Upstream } from './stage.ts';

const minute = 60_000;
const hour = 60 * minute;
const key = 'bitfinex-margin/BTC';
const job = 'bitfinex-margin-btc';

/** Both sides now and in each of 250 hours, and the funding of dollars and the asset. */
function open(stage: Stage) {
  const said = { long: 3_000, short: 1_000 };
  const funding = (path: string, time: number) =>
    path.includes('fDOGE')
      ? failed('refused', 'no such currency').failure
      : [[time - 1, null, null, 1e-6, 30, null, null, 2_000, 1_500, null, null, 250]];
  const upstream: Upstream = ({ path }) => {
    const time = stage.clock.now();
    if (path.includes('/funding/stats/')) return funding(path, time);
    if (path.includes('tNONE')) return [];
    const size = path.includes(':long') ? said.long : said.short;
    if (path.endsWith('/last')) return [time, size];
    return Array.from({ length: 250 }, (_, at) => [
      Math.floor(time / hour) * hour - at * hour,
      size * (1 + 0.01 * (at % 2)),
    ]);
  };
  stage.upstreams.set('bitfinex', upstream);
  stage.tell([priceRow('BTC', 100_000), priceRow('DOGE', 0.2)]);
  return said;
}

t.test('both sides and the funding, with the hours that the exchange has', async (t) => {
  const stage = await createStage(t);
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
    live: { long_size: 3_000, provisional: true },
  });
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

t.test('lies and failures leave the last value', async (t) => {
  const stage = await createStage(t);
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
  const stage = await createStage(t);
  open(stage);
  const { margin } = marginAnswers({ ...stage, ...around(stage.clock) });
  const ask = (symbol: string) =>
    margin({ symbol }, { deadline: stage.clock.now() + 10_000, account: 'a' });
  const [one, two] = await Promise.all([ask('DOGE'), ask('DOGE')]);
  t.equal(one, two, 'equal queries share an answer');
  t.match(one, {
    ok: true,
    value: {
      value: {
        reading: {
          fields: { symbol: 'DOGE', long_usd: 600, funding: [{ currency: 'USD' }] },
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
});

t.test('on demand: what is unknown, what fails', async (t) => {
  const stage = await createStage(t);
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
  t.match(answers.at(-1), { ok: false, failure: { code: 'over_budget' } });
});
