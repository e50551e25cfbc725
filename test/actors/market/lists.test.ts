/** Stablecoins and exchanges: fallbacks, lies, what is kept. */
import t from 'tap';
import { dayAt, dayLength } from '../../../indicators/market/days.ts';
import { now } from './fixtures.ts';
import { createStage, down, type Stage } from './stage.ts';

const today = dayAt(now);
const stable = 'stablecoin-mcap';
const exchanges = 'exchange-transparency';

/** DefiLlama with so many dollars of USDT, and a chart of 40 days that grows by 1 % a day up to 150 billion. */
function openStable(stage: Stage) {
  const said = { usdt: 1.5e11 };
  stage.upstreams.set('defillama', ({ path }) => {
    if (path === '/stablecoins') {
      const circulating = { peggedUSD: said.usdt };
      const usdt = { id: '1', symbol: 'USDT', name: 'Tether', pegType: 'peggedUSD', circulating };
      return { peggedAssets: [usdt] };
    }
    return Array.from({ length: 41 }, (_, at) => {
      const total = { peggedUSD: 1.5e11 / 1.01 ** (40 - at) };
      return { date: String((today - (40 - at) * dayLength) / 1000), totalCirculatingUSD: total };
    });
  });
  stage.upstreams.set('coinpaprika', () =>
    ['USDT', 'USDC', 'BTC'].map((symbol, at) => ({
      ...{ id: symbol.toLowerCase(), symbol, name: symbol, rank: at + 1 },
      quotes: { USD: { price: 1, market_cap: 6e10 } },
    })),
  );
  return said;
}

t.test('stablecoins: the list against its chart', async (t) => {
  const stage = await createStage(t);
  openStable(stage);
  const context = stage.begin();
  t.equal(await context.run(stable), null);
  const reading = await stage.reading(stable);
  t.match(reading, {
    fields: {
      total_market_cap_usd: 1.5e11,
      signal: 'expanding',
      top: [{ symbol: 'USDT', share_pct: 100 }],
      partial: false,
    },
    source: 'defillama',
    live: { timestamp: today, total_market_cap_usd: 1.5e11, provisional: true },
  });
  t.ok(Math.abs(Number(reading?.fields?.change_24h_pct) - 1) < 1e-6);
  const chart = await stage.chart(stable);
  t.equal(chart?.rows.length, 40, 'of the days that are over');
  t.equal(chart?.recorded_from, null);
  await stage.clock.advance(15 * 60_000);
  const next = stage.begin();
  stage.asked.length = 0;
  await next.run(stable);
  t.same(stage.asked, ['defillama /stablecoins'], 'the chart is kept over a restart');
});

t.test('stablecoins: lies, and the part of the market that stands in', async (t) => {
  const stage = await createStage(t);
  const said = openStable(stage);
  const context = stage.begin();
  await context.run(stable);
  for (const usdt of [0, -1.5e11, 1.5e10, 1.5e12]) {
    said.usdt = usdt;
    t.equal(await context.run(stable), null);
    t.match(
      await stage.reading(stable),
      {
        fields: { total_market_cap_usd: 1.2e11, partial: true, change_30d_pct: null },
        source: 'coinpaprika',
        live: null,
      },
      String(usdt),
    );
    said.usdt = 1.5e11;
    await context.run(stable);
    t.match(await stage.reading(stable), { source: 'defillama', fields: { partial: false } });
  }
  stage.upstreams.set('defillama', down);
  stage.upstreams.set('coinpaprika', down);
  t.match(await context.run(stable), { code: 'unavailable' });
  t.equal((await stage.reading(stable))?.fields?.total_market_cap_usd, 1.5e11);
});

t.test('stablecoins: no possible share of the market in the first answer', async (t) => {
  const stage = await createStage(t);
  openStable(stage).usdt = 3e12;
  await stage.bus.publish('marketIndicators', 'bitcoin-dominance', {
    ...{ name: 'bitcoin-dominance', lacks: null, source: 'coingecko', live: null },
    fields: { total_market_cap_usd: 3.4e12, btc_market_cap_usd: 2e12 },
    ...{ updated_at: now, received_at: now, stale_after: 1 },
  });
  await stage.begin().run(stable);
  t.match(await stage.reading(stable), { source: 'coinpaprika' });
});

const cexs = (times: number) => ({
  cexs: Array.from({ length: 6 }, (_, at) => ({
    name: `Exchange ${at}`,
    currentTvl: times * 1e9 * (at + 1),
    ...(at > 0 && { cleanAssetsTvl: times * 1e9 * (at + 1) }),
    spotVolume: 1e8,
  })),
});

t.test('exchanges: scored, recorded daily', async (t) => {
  const stage = await createStage(t);
  stage.upstreams.set('defillama', () => cexs(1));
  const context = stage.begin();
  t.equal(await context.run(exchanges), null);
  t.match(await stage.reading(exchanges), {
    fields: { count: 6, method: 'published_reserves', exchanges: [{ score: 70, grade: 'B' }] },
    source: 'defillama',
  });
  const row = { reserves_usd: 21e9, clean_reserves_usd: 20e9, exchanges_with_reserves: 6 };
  t.match(await stage.chart(exchanges), { rows: [{ timestamp: now, ...row }], recorded_from: now });
  await stage.clock.advance(3_600_000);
  await context.run(exchanges);
  t.equal((await stage.chart(exchanges))?.rows.length, 1);
  await stage.clock.advance(24 * 3_600_000);
  await stage.begin().run(exchanges);
  t.equal((await stage.chart(exchanges))?.rows.length, 2);
});

t.test(
  "exchanges: another's grades while the reserves are missing or no possible ones",
  async (t) => {
    const stage = await createStage(t);
    stage.upstreams.set('defillama', () => cexs(1));
    const grades = Array.from({ length: 6 }, (_, at) => ({
      ...{ id: `e${at}`, name: `E${at}`, trust_score: at + 1, trade_volume_24h_btc: 1 },
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
    t.equal((await stage.chart(exchanges))?.rows.length, 1, 'no point of the series');
  },
);
