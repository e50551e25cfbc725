/** Exchanges by what they publish: scores, lies, what stands in. */
import t from 'tap';
import { isRecord } from '../../../actors/read.ts';
import { now } from './fixtures.ts';
import { down, marketStage, type Stage } from './stage.ts';

const exchanges = 'exchange-transparency';

const cexs = (times: number) => ({
  cexs: Array.from({ length: 6 }, (_, at) => ({
    name: `Exchange ${at}`,
    currentTvl: times * 1e9 * (at + 1),
    ...(at > 0 && { cleanAssetsTvl: times * 1e9 * (at + 1) }),
    spotVolume: 1e8,
  })),
});

/** The exchanges in the order of the answer. */
async function ranking(stage: Stage) {
  const all = (await stage.reading(exchanges))?.fields?.exchanges;
  return (Array.isArray(all) ? all : []).filter(isRecord).map(({ exchange }) => exchange);
}

t.test('scored, recorded daily', async (t) => {
  const stage = marketStage();
  stage.upstreams.set('defillama', () => cexs(1));
  const context = stage.begin();
  t.equal(await context.run(exchanges), null);
  t.match(await stage.reading(exchanges), {
    fields: { count: 6, method: 'published_reserves', exchanges: [{ score: 70, grade: 'B' }] },
    source: 'defillama',
    stale_after: 3 * 3_600_000,
    live: { reserves_usd: 21e9, provisional: true },
  });
  t.same(
    await ranking(stage),
    ['exchange-1', 'exchange-2', 'exchange-3', 'exchange-4', 'exchange-5', 'exchange-0'],
    'by score, then by name',
  );
  const row = { reserves_usd: 21e9, clean_reserves_usd: 20e9, exchanges_with_reserves: 6 };
  t.match(await stage.chart(exchanges), { rows: [{ timestamp: now, ...row }], recorded_from: now });
  t.equal(await stage.begin().waits(exchanges), 3_600_000);
  await stage.clock.advance(3_600_000);
  await context.run(exchanges);
  t.equal((await stage.chart(exchanges))?.rows.length, 1);
  await stage.clock.advance(24 * 3_600_000);
  await stage.begin().run(exchanges);
  t.match((await stage.chart(exchanges))?.rows, [row, row], 'read back after a restart');
});

t.test("another's grades while the reserves are missing or no possible ones", async (t) => {
  const stage = marketStage();
  stage.upstreams.set('defillama', () => cexs(1));
  const grades = Array.from({ length: 6 }, (_, at) => ({
    id: `e${at}`,
    name: `E${at}`,
    trust_score: at + 1,
    trade_volume_24h_btc: 1,
  }));
  stage.upstreams.set('coingecko', () => grades);
  const context = stage.begin();
  await context.run(exchanges);
  for (const times of [10, 0.1, 0, -1]) {
    stage.upstreams.set('defillama', () => cexs(times));
    t.equal(await context.run(exchanges), null);
    t.match(await stage.reading(exchanges), {
      fields: {
        count: 6,
        method: 'trust_score',
        exchanges: [{ exchange: 'e5', score: 60, grade: 'B', reserves_usd: null }],
      },
      source: 'coingecko',
    });
  }
  t.same(await ranking(stage), ['e5', 'e4', 'e3', 'e2', 'e1', 'e0']);
  t.equal((await stage.reading(exchanges))?.live, null);
  t.equal((await stage.chart(exchanges))?.rows.length, 1, 'no point of the series');
  stage.upstreams.set('coingecko', () => []);
  t.match(await context.run(exchanges), { code: 'shape' }, 'nor is an empty list one of grades');
  stage.upstreams.set('coingecko', down);
  stage.upstreams.set('defillama', () => cexs(10));
  await stage.clock.advance(7 * 24 * 3_600_000 - 1);
  t.match(await context.run(exchanges), { code: 'shape' }, 'ten times those of a week ago');
  await stage.clock.advance(1);
  t.equal(await context.run(exchanges), null, 'a longer time may bring any change');
});
