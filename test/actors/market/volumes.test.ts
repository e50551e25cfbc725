/** Futures to spot of our own exchanges, and what stands in. */
import t from 'tap';
import { LastAccepted } from '../../../actors/market/context.ts';
import { rules } from '../../../indicators/market/plausible.ts';
import { priceRow } from '../../support/makers.ts';
import { now } from './fixtures.ts';
import { marketStage, type Stage, type Upstream } from './stage.ts';

const minute = 60_000;
const volumes = 'futures-spot-volume-ratio';

/** Turnover of both kinds of market, by exchange. */
function tellVolumes(stage: Stage, spot: number, futures: number, source = 'binance') {
  const perpetual = { kind: 'perpetual' as const, volume: futures };
  stage.tell([priceRow({ price: 100_000, volume: spot })], source, 'spot');
  stage.tell([priceRow({ price: 100_000, ...perpetual })], source, 'linear');
}

const gecko =
  (futures: number, spot: number): Upstream =>
  ({ path }) => [
    { id: 'one', trade_volume_24h_btc: path.includes('derivatives') ? futures : spot },
  ];

t.test('of the exchanges, those that jump left out', async (t) => {
  const stage = marketStage();
  tellVolumes(stage, 100, 400);
  tellVolumes(stage, 100, 800, 'okx');
  const context = stage.begin();
  t.equal(await context.run(volumes), null);
  t.match(await stage.reading(volumes), {
    fields: {
      ratio: 6,
      futures_volume_24h_usd: 1200,
      spot_volume_24h_usd: 200,
      by_exchange: [{ exchange: 'binance', ratio: 4 }, { exchange: 'okx' }],
      by_asset: [{ symbol: 'BTC', ratio: 6 }],
      signal: 'leverage_driven',
      excluded_exchanges: [],
    },
    source: 'exchanges',
    updated_at: now,
    received_at: now,
    stale_after: 3 * minute,
    live: { timestamp: now, ratio: 6, provisional: true },
  });
  t.match(stage.statuses.get(`${volumes}/exchanges`), { state: 'up', rows: 4 });
  await stage.clock.advance(minute);
  tellVolumes(stage, 1_000, 400);
  t.equal(await context.run(volumes), null);
  t.match(await stage.reading(volumes), {
    fields: { ratio: 12, spot_volume_24h_usd: 100, excluded_exchanges: ['binance'] },
  });
  const row = { ratio: 6, futures_volume_24h_usd: 1200, spot_volume_24h_usd: 200 };
  const chart = { rows: [{ timestamp: now, ...row }], recorded_from: now };
  t.match(await stage.chart(volumes), chart);
  const next = stage.begin();
  await next.run(volumes);
  t.match(await stage.chart(volumes), chart, 'read back after a restart');
});

t.test('an exchange of which a part is dead is left out and named', async (t) => {
  const stage = marketStage();
  tellVolumes(stage, 100, 400);
  tellVolumes(stage, 100, 800, 'okx');
  const context = stage.begin();
  await stage.clock.advance(10 * minute);
  tellVolumes(stage, 100, 400);
  stage.tell([priceRow({ price: 100_000, volume: 100 })], 'okx', 'spot');
  t.equal(await context.run(volumes), null);
  t.match(await stage.reading(volumes), {
    fields: { ratio: 4, spot_volume_24h_usd: 100, excluded_exchanges: ['okx'] },
  });
});

t.test('without futures turnover of our own exchanges there is no ratio of our own', async (t) => {
  const stage = marketStage();
  tellVolumes(stage, 100, 0);
  const context = stage.begin();
  t.match(await context.run(volumes), { code: 'unavailable' });
  t.equal(stage.statuses.get(`${volumes}/exchanges`)?.state, 'failing');
  await stage.clock.advance(minute);
  tellVolumes(stage, 100, 400);
  t.equal(await context.run(volumes), null, 'a sum is not held against none');
});

t.test('a sum is held against the last one of the hour', async (t) => {
  const last = new LastAccepted(rules.turnover);
  const hour = 60 * minute;
  t.same(
    [
      last.accepts('a', 100, now),
      last.accepts('a', 801, now),
      last.accepts('b', 801, now),
      last.accepts('a', 800, now + hour),
      last.accepts('a', 99, now + 2 * hour),
      last.accepts('a', 99, now + 2 * hour + 1),
    ],
    [true, false, true, true, false, true],
    'eight times at most, each key by itself; an hour later anything',
  );
});

t.test('CoinGecko is the fallback, asked seldom, and not part of the series', async (t) => {
  const stage = marketStage();
  stage.upstreams.set('coingecko', gecko(300, 100));
  const context = stage.begin();
  t.equal(await context.run(volumes), null);
  t.match(await stage.reading(volumes), {
    fields: { ratio: 3, futures_volume_24h_usd: null, signal: 'balanced' },
    source: 'coingecko',
    live: null,
  });
  t.same((await stage.chart(volumes))?.rows, []);
  const asked = stage.asked.length;
  await stage.clock.advance(5 * minute - 1);
  t.equal(await context.run(volumes), null);
  t.equal(stage.asked.length, asked);
  await stage.clock.advance(1);
  stage.tell([priceRow({ price: 100_000, volume: 100 })]);
  await context.run(volumes);
  t.equal(stage.asked.length, 2 * asked, 'every five minutes');
  t.match(await stage.reading(volumes), {
    fields: { ratio: 3, futures_volume_24h_usd: 3e7, spot_volume_24h_usd: 1e7 },
  });
  for (const [futures, spot] of [
    [0, 100],
    [5, 100],
    [10_000, 100],
  ] as const) {
    await stage.clock.advance(5 * minute);
    stage.upstreams.set('coingecko', gecko(futures, spot));
    t.match(await context.run(volumes), { code: 'shape' }, `${futures} to ${spot}`);
  }
  await stage.clock.advance(5 * minute);
  stage.upstreams.set('coingecko', gecko(6, 100));
  t.equal(await context.run(volumes), null);
  tellVolumes(stage, 100, 400);
  await context.run(volumes);
  t.match(await stage.reading(volumes), { source: 'exchanges', fields: { ratio: 4 } });
  t.equal(stage.statuses.get(`${volumes}/coingecko`)?.state, 'standby');
});
