/** Ratios of our own exchanges: options to futures, futures to spot. */
import t from 'tap';
import { now } from './fixtures.ts';
import { createStage, down, interestRow, priceRow, type Stage, type Upstream } from './stage.ts';

const minute = 60_000;
const options = 'options-futures-oi-ratio';
const volumes = 'futures-spot-volume-ratio';

/** So many Bitcoin of options at a price, in the list of the coin; one of Ether in that of USDC. */
const deribit =
  (amount: number, price = 100_000): Upstream =>
  ({ query = {} }) => {
    const row = (name: string, size: number, at: number) => [
      { instrument_name: name, open_interest: size, underlying_price: at },
    ];
    if (query.currency === 'BTC') return { result: row('BTC-27JUN25-100000-C', amount, price) };
    if (query.currency === 'ETH') return { result: row('ETH-27JUN25-2500-C', 0, 2_500) };
    return { result: row('ETH_USDC-27JUN25-2500-C', 1, 2_500) };
  };

const okx: Upstream = ({ path, query = {} }) => {
  if (path.endsWith('/index-tickers')) {
    return { data: ['BTC-USD', 'ETH-USD'].map((instId) => ({ instId, idxPx: '100000' })) };
  }
  const family = String(query.instFamily);
  return { data: [{ instId: `${family}-250627-1-C`, oiCcy: family === 'BTC-USD' ? '20' : '0' }] };
};

function open(stage: Stage) {
  stage.upstreams.set('deribit', deribit(80));
  stage.upstreams.set('okx', okx);
  stage.tell([priceRow('BTC', 100_000, { volume: 1e6 })]);
  stage.tellInterest([interestRow('BTC', 15e6), interestRow('ETH', 1e6)]);
  stage.tellInterest([interestRow('BTC', 5e6)], 'bybit');
}

t.test('options: two exchanges against the futures of all', async (t) => {
  const stage = await createStage(t);
  open(stage);
  const context = stage.begin();
  t.equal(await context.run(options), null);
  t.match(await stage.reading(options), {
    fields: {
      symbol: 'BTC',
      ratio: 0.5,
      options_oi_usd: 10e6,
      futures_oi_usd: 20e6,
      by_asset: [
        { symbol: 'BTC', options_exchanges: ['deribit', 'okx'], futures_exchange_count: 2 },
        { symbol: 'ETH', ratio: 0.0025, futures_exchange_count: 1 },
        { symbol: 'SOL', ratio: null, options_oi_usd: null },
      ],
      signal: 'balanced',
      missing_options_exchanges: [],
    },
    source: ['okx', 'deribit'],
    stale_after: 3 * minute,
  });
  t.match(await stage.chart(options), {
    rows: [{ timestamp: now, ratio: 0.5, options_oi_usd: 10e6, futures_oi_usd: 20e6 }],
    recorded_from: now,
  });
});

t.test('options: only one exchange is said to be only one', async (t) => {
  const stage = await createStage(t);
  open(stage);
  stage.upstreams.set('okx', down);
  const context = stage.begin();
  t.equal(await context.run(options), null);
  t.match(await stage.reading(options), {
    fields: { ratio: 0.4, missing_options_exchanges: ['okx'] },
    source: ['deribit'],
    live: null,
  });
  t.same((await stage.chart(options))?.rows, [], 'no point of the series');
  stage.upstreams.set('okx', okx);
  await context.run(options);
  stage.upstreams.set('okx', down);
  await stage.clock.advance(10 * minute);
  await context.run(options);
  t.same(
    (await stage.reading(options))?.fields?.missing_options_exchanges,
    [],
    'what it said ten minutes ago stands in',
  );
  t.equal(stage.statuses.get(`${options}/okx`)?.state, 'failing');
  t.equal(stage.statuses.get(`${options}/deribit`)?.state, 'up');
});

t.test('options: lies', async (t) => {
  for (const lie of [deribit(0), deribit(-80), deribit(800), deribit(8), deribit(80, 1_000_000)]) {
    const stage = await createStage(t);
    open(stage);
    const context = stage.begin();
    await context.run(options);
    stage.upstreams.set('deribit', lie);
    await stage.clock.advance(minute);
    t.equal(await context.run(options), null);
    t.match(await stage.reading(options), { fields: { options_oi_usd: 10e6 } });
    t.equal(stage.statuses.get(`${options}/deribit`)?.last_error?.code, 'shape');
    stage.tellInterest([interestRow('BTC', 15e7)]);
    await stage.clock.advance(minute);
    await context.run(options);
    t.match(await stage.reading(options), { fields: { futures_oi_usd: 5e6 } }, 'without it');
  }
});

t.test(
  'options: an exchange whose markets come one after the other counts with all of them',
  async (t) => {
    const stage = await createStage(t);
    open(stage);
    stage.tellInterest([interestRow('BTC', 1e6)], 'bingx', 'inverse');
    const context = stage.begin();
    await context.run(options);
    stage.tellInterest([interestRow('BTC', 20e6)], 'bingx', 'linear');
    await stage.clock.advance(minute);
    await context.run(options);
    t.match(await stage.reading(options), { fields: { futures_oi_usd: 41e6 } });
    stage.tellInterest([interestRow('BTC', 400e6)], 'bingx', 'linear');
    await stage.clock.advance(minute);
    await context.run(options);
    t.match(
      await stage.reading(options),
      { fields: { futures_oi_usd: 20e6 } },
      'a jump is refused',
    );
  },
);

t.test('options: no futures yet, nobody answers', async (t) => {
  const stage = await createStage(t);
  const context = stage.begin();
  t.match(await context.run(options), { code: 'unavailable' });
  stage.upstreams.set('deribit', deribit(80));
  t.match(await context.run(options), { code: 'unavailable', message: /no open interest/ });
  t.equal(await stage.reading(options), undefined);
});

/** Turnover of both kinds of market, by exchange. */
function tellVolumes(stage: Stage, spot: number, futures: number, source = 'binance') {
  const perpetual = { kind: 'perpetual' as const, volume: futures };
  stage.tell([priceRow('BTC', 100_000, { volume: spot })], source, 'spot');
  stage.tell([priceRow('BTC', 100_000, perpetual)], source, 'linear');
}

const gecko =
  (futures: number, spot: number): Upstream =>
  ({ path }) => [
    { id: 'one', trade_volume_24h_btc: path.includes('derivatives') ? futures : spot },
  ];

t.test('volumes: of the exchanges, those that jump left out', async (t) => {
  const stage = await createStage(t);
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
  });
  await stage.clock.advance(minute);
  tellVolumes(stage, 1_000, 400);
  t.equal(await context.run(volumes), null);
  t.match(await stage.reading(volumes), {
    fields: { ratio: 12, spot_volume_24h_usd: 100, excluded_exchanges: ['binance'] },
  });
  t.equal((await stage.chart(volumes))?.recorded_from, now);
});

t.test('volumes: CoinGecko stands in, seldom, and is no part of the series', async (t) => {
  const stage = await createStage(t);
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
  await stage.clock.advance(minute);
  await context.run(volumes);
  t.equal(stage.asked.length, asked);
  await stage.clock.advance(5 * minute);
  stage.upstreams.set('coingecko', gecko(0, 100));
  t.match(await context.run(volumes), { code: 'shape' });
  tellVolumes(stage, 100, 400);
  await context.run(volumes);
  t.match(await stage.reading(volumes), { source: 'exchanges', fields: { ratio: 4 } });
});
