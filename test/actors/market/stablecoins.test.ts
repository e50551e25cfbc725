/** Stablecoins: the list and its chart, lies, what stands in. */
import t from 'tap';
import { dayAt, dayLength } from '../../../indicators/market/days.ts';
import { now } from './fixtures.ts';
import { down, marketStage, type Stage } from './stage.ts';

const minute = 60_000;
const today = dayAt(now);
const stable = 'stablecoin-mcap';

/** DefiLlama with so many dollars of USDT, and a chart of 40 days that grows by 1 % a day up to 150 billion. */
function openStable(stage: Stage) {
  const said = { usdt: 1.5e11 };
  stage.upstreams.set('defillama', ({ path }) => {
    if (path === '/stablecoins') {
      const circulating = { peggedUSD: said.usdt };
      const usdt = { id: '1', symbol: 'USDT', name: 'Tether', pegType: 'peggedUSD', circulating };
      const usdc = { ...usdt, id: '2', symbol: 'USDC', circulating: { peggedUSD: 1.5e11 } };
      return { peggedAssets: Number.isNaN(said.usdt) ? [usdc] : [usdt] };
    }
    return Array.from({ length: 41 }, (_, at) => {
      const total = { peggedUSD: 1.5e11 / 1.01 ** (40 - at) };
      return { date: String((today - (40 - at) * dayLength) / 1000), totalCirculatingUSD: total };
    });
  });
  stage.upstreams.set('coinpaprika', () =>
    ['USDT', 'USDC', 'BTC'].map((symbol, at) => ({
      id: symbol.toLowerCase(),
      symbol,
      name: symbol,
      rank: at + 1,
      quotes: { USD: { price: 1, market_cap: 6e10 } },
    })),
  );
  return said;
}

/** Capitalisations of all coins and of Bitcoin as another job published them. */
const publishMarket = (stage: Stage, bitcoin: number, total = 3.4e12) =>
  stage.bus.publish('marketIndicators', 'bitcoin-dominance', {
    name: 'bitcoin-dominance',
    lacks: null,
    source: 'coingecko',
    live: null,
    fields: { total_market_cap_usd: total, btc_market_cap_usd: bitcoin },
    updated_at: now,
    received_at: now,
    stale_after: 1,
  });

t.test('the list against its chart', async (t) => {
  const stage = marketStage();
  openStable(stage);
  await publishMarket(stage, 3e12);
  const context = stage.begin();
  t.equal(await context.run(stable), null);
  const reading = await stage.reading(stable);
  t.match(reading, {
    fields: {
      total_market_cap_usd: 1.5e11,
      usd_pegged_usd: 1.5e11,
      stablecoin_supply_ratio: 20,
      signal: 'expanding',
      top: [{ symbol: 'USDT', share_pct: 100 }],
      partial: false,
    },
    source: 'defillama',
    stale_after: 45 * minute,
    live: { timestamp: today, total_market_cap_usd: 1.5e11, provisional: true },
    inputs: [{ name: 'USDT', value: 1.5e11 }],
  });
  t.ok(Math.abs(Number(reading?.fields?.change_24h_pct) - 1) < 1e-6);
  t.equal(await stage.begin().waits(stable), 15 * minute);
  const chart = await stage.chart(stable);
  t.equal(chart?.rows.length, 40, 'of the days that are over');
  t.equal(chart?.rows.at(-1)?.timestamp, today - dayLength);
  t.equal(chart?.recorded_from, null);
  await stage.clock.advance(15 * minute);
  const next = stage.begin();
  stage.asked.length = 0;
  await next.run(stable);
  t.same(stage.asked, ['defillama /stablecoins'], 'the chart is kept over a restart');
  t.same(await stage.chart(stable), chart);
  t.equal((await stage.reading(stable))?.fields?.stablecoin_supply_ratio, 20);
  t.equal(stage.statuses.get('stablecoin-days/defillama')?.rows, 40);
  stage.asked.length = 0;
  await stage.clock.advance(dayLength - 15 * minute - 1);
  await next.run(stable);
  t.same(stage.asked, ['defillama /stablecoins'], 'and for a day');
  await stage.clock.advance(1);
  await next.run(stable);
  t.match(stage.asked.at(-1), /stablecoincharts/);
  t.equal((await stage.reading(stable))?.fields?.stablecoin_supply_ratio, null, 'a day old');
});

t.test('lies, and the part of the market that stands in', async (t) => {
  const stage = marketStage();
  const said = openStable(stage);
  const context = stage.begin();
  await context.run(stable);
  for (const usdt of [0, -1.5e11, 1.5e10, 1.5e12, Number.NaN]) {
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

t.test('a total is held against a day of the chart that is younger than a week', async (t) => {
  const stage = marketStage();
  const said = openStable(stage);
  const context = stage.begin();
  await context.run(stable);
  said.usdt = 1.5e12;
  const sources: unknown[] = [];
  for (const time of [today + 6 * dayLength - 1, today + 7 * dayLength]) {
    await stage.clock.advance(time - stage.clock.now());
    await context.run(stable);
    sources.push((await stage.reading(stable))?.source);
  }
  t.strictSame(sources, ['coinpaprika', 'defillama']);
});

t.test('the first answer is held against the whole market: above 0.5 %, up to 60 %', async (t) => {
  const stage = marketStage();
  const said = openStable(stage);
  const sources: unknown[] = [];
  for (const usdt of [1.7e10, 1.71e10, 2.04e12, 2.05e12]) {
    said.usdt = usdt;
    await publishMarket(stage, 2e12);
    await stage.begin().run(stable);
    sources.push((await stage.reading(stable))?.source);
    await stage.bus.publish('series', 'stablecoin-days', { columns: {}, at: 0 });
  }
  t.same(sources, ['coinpaprika', 'defillama', 'defillama', 'coinpaprika']);
});

t.test('of the chart the last 400 days are judged, and its end by the list', async (t) => {
  const stage = marketStage();
  openStable(stage);
  const whole = stage.upstreams.get('defillama') ?? down;
  /** Whether a chart of so many days is used of which one day before the last is off. */
  const isUsed = async (off: number, last = 1.5e11) => {
    stage.upstreams.set('defillama', (request) => {
      if (request.path === '/stablecoins') return whole(request);
      return Array.from({ length: 450 }, (_, at) => ({
        date: String((today - (450 - at) * dayLength) / 1000),
        totalCirculatingUSD: { peggedUSD: at === 449 - off ? 1e9 : last },
      })).reverse();
    });
    await stage.bus.publish('series', 'stablecoin-days', { columns: {}, at: 0 });
    await stage.begin().run(stable);
    return (await stage.reading(stable))?.fields?.change_30d_pct === 0;
  };
  t.same(
    [await isUsed(400), await isUsed(399), await isUsed(5), await isUsed(500, 4e10)],
    [true, false, false, false],
  );
});
