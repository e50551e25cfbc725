/** Dominance: the order of the sources, lies, a series for each. */
import t from 'tap';
import { isRecord } from '../../../actors/read.ts';
import { priceRow } from '../../support/makers.ts';
import { body, now } from './fixtures.ts';
import { down, marketStage, type Stage } from './stage.ts';

const minute = 60_000;
const key = 'bitcoin-dominance';

/** All three answer; the test sets the answer of CoinGecko. */
function open(stage: Stage) {
  const said = { share: 61.25, total: 3.4e12, lag: 0 };
  stage.upstreams.set('coingecko', () => ({
    data: {
      total_market_cap: { usd: said.total },
      total_volume: { usd: 1e11 },
      market_cap_percentage: { btc: said.share, eth: 8.75 },
      updated_at: (stage.clock.now() - said.lag) / 1000,
    },
  }));
  stage.upstreams.set('coinpaprika', () => {
    const found = body('coinpaprika/global');
    return isRecord(found) ? { ...found, last_updated: stage.clock.now() / 1000 } : found;
  });
  stage.upstreams.set('coinlore', () => body('coinlore/global'));
  return said;
}

t.test('the first that answers, with the series of its own', async (t) => {
  const stage = marketStage();
  open(stage);
  const context = stage.begin();
  t.equal(await context.run(key), null);
  t.match(await stage.reading(key), {
    source: 'coingecko',
    fields: { dominance_pct: 61.25, others_pct: 30, trend: null },
    updated_at: now,
    received_at: now,
    stale_after: 15 * minute,
    lacks: null,
    live: { timestamp: now, dominance_pct: 61.25, provisional: true },
  });
  t.match(await stage.chart(key), {
    rows: [{ timestamp: now, dominance_pct: 61.25 }],
    recorded_from: now,
  });
  t.same(stage.asked, ['coingecko /api/v3/global']);

  await stage.clock.advance(5 * minute);
  await context.run(key);
  t.equal(stage.count('indicatorHistories', key), 1, 'the chart has not changed');
  await stage.clock.advance(60 * minute);
  stage.upstreams.set('coingecko', down);
  await context.run(key);
  t.match(await stage.reading(key), { source: 'coinpaprika', fields: { dominance_pct: 62.1 } });
  t.match(await stage.chart(key), {
    rows: [{ timestamp: now + 65 * minute, dominance_pct: 62.1 }],
    recorded_from: now + 65 * minute,
  });
  t.equal(stage.statuses.get('bitcoin-dominance/coingecko')?.state, 'failing');

  open(stage);
  await stage.clock.advance(60 * minute);
  await context.run(key);
  const chart = await stage.chart(key);
  t.equal(chart?.rows.length, 2, 'not mixed with the other');
  t.equal(chart?.recorded_from, now);
  t.equal(stage.statuses.get('bitcoin-dominance/coinpaprika')?.state, 'standby');
});

t.test('a source with implausible values is refused, and the next one used', async (t) => {
  const stage = marketStage();
  const said = open(stage);
  const context = stage.begin();
  const lies = [
    { share: 0 },
    { share: -61 },
    { share: 612.5 },
    { share: 6.125 },
    { total: 0 },
    { total: -1 },
    { total: 3.4e11 },
    { total: 3.4e13 },
    { lag: 60 * minute + 1_000 },
  ];
  await context.run(key);
  for (const lie of lies) {
    Object.assign(said, { share: 61.25, total: 3.4e12, lag: 0 }, lie);
    await stage.clock.advance(minute);
    t.equal(await context.run(key), null);
    t.equal((await stage.reading(key))?.source, 'coinpaprika', JSON.stringify(lie));
  }
  Object.assign(said, { share: 61.25, total: 3.4e12, lag: 60 * minute });
  await context.run(key);
  t.equal((await stage.reading(key))?.source, 'coingecko');
  Object.assign(said, { share: 50, total: 3.4e11, lag: 0 });
  await stage.clock.advance(24 * 60 * minute - 1);
  await context.run(key);
  t.equal((await stage.reading(key))?.source, 'coinpaprika', 'held against those of a day');
  await stage.clock.advance(24 * 60 * minute);
  await context.run(key);
  t.equal((await stage.reading(key))?.source, 'coingecko', 'and against none that are older');
});

t.test('off by a digit in the first answer of all: the live price shows it', async (t) => {
  for (const lie of [{ share: 6.125 }, { total: 3.4e13 }]) {
    const stage = marketStage();
    Object.assign(open(stage), lie);
    stage.tell([priceRow({ price: 105_000 })]);
    await stage.begin().run(key);
    t.equal((await stage.reading(key))?.source, 'coinpaprika');
  }
});
