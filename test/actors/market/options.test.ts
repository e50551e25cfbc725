/** Options to futures of our own exchanges. */
import t from 'tap';
import { optionRow } from '../../indicators/options/rows.ts';
import { interestRow, priceRow } from '../../support/makers.ts';
import { now } from './fixtures.ts';
import { marketStage, type Stage } from './stage.ts';

const minute = 60_000;
const options = 'options-futures-oi-ratio';

/** The chains of an exchange by list: of each option its asset, what is open, and its forward. */
function tellOptions(
  stage: Stage,
  source: string,
  lists: Readonly<Record<string, readonly (readonly [string, number, number])[]>>,
) {
  const at = stage.clock.now();
  for (const [part, own] of Object.entries(lists)) {
    const rows = own.map(([symbol, open_interest, underlying]) =>
      optionRow({ symbol, open_interest, underlying }),
    );
    stage.newest.accept('options', { source, part, asked: at, received: at, rows });
  }
}

/** So many Bitcoin of options at a price, in the list of the coin; one of Ether in that of USDC. */
const tellDeribit = (stage: Stage, amount: number, price = 100_000) =>
  tellOptions(stage, 'deribit', {
    BTC: [['BTC', amount, price]],
    ETH: [['ETH', 0, 2_500]],
    USDC: [['ETH', 1, 2_500]],
  });

const tellOkx = (stage: Stage) =>
  tellOptions(stage, 'okx', { BTC: [['BTC', 20, 100_000]], ETH: [['ETH', 0, 2_500]] });

function open(stage: Stage) {
  tellDeribit(stage, 80);
  tellOkx(stage);
  stage.tell([priceRow({ price: 100_000, volume: 1e6 }), priceRow({ symbol: 'SOL', price: 150 })]);
  stage.tellInterest([interestRow({ value: 15e6 }), interestRow({ symbol: 'ETH', value: 1e6 })]);
  stage.tellInterest([interestRow({ value: 5e6 })], 'bybit');
}

t.test('two exchanges against the futures of all', async (t) => {
  const stage = marketStage();
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
    updated_at: now,
    received_at: now,
    live: { timestamp: now, ratio: 0.5, provisional: true },
  });
  const inputs = (await stage.reading(options))?.inputs ?? [];
  const bitcoin = inputs.filter(({ of }) => of === 'BTC');
  t.same(bitcoin.map(({ name, side, value }) => `${side} ${name} ${value}`).sort(), [
    'above deribit 8000000',
    'above okx 2000000',
    'below binance 15000000',
    'below bybit 5000000',
  ]);
  t.match(stage.statuses.get(`${options}/deribit`), { state: 'up', rows: 3 });
  const chart = {
    rows: [{ timestamp: now, ratio: 0.5, options_oi_usd: 10e6, futures_oi_usd: 20e6 }],
    recorded_from: now,
  };
  t.match(await stage.chart(options), chart);
  await stage.begin().run(options);
  t.match(await stage.chart(options), chart, 'read back after a restart');
});

t.test('only one exchange is said to be only one', async (t) => {
  const stage = marketStage();
  open(stage);
  const context = stage.begin();
  t.equal(await context.run(options), null);
  await stage.clock.advance(10 * minute);
  tellDeribit(stage, 80);
  await context.run(options);
  t.same(
    (await stage.reading(options))?.fields?.missing_options_exchanges,
    [],
    'the chains of ten minutes ago are used',
  );
  await stage.clock.advance(minute);
  tellDeribit(stage, 80);
  stage.tell([priceRow({ price: 100_000, volume: 1e6 })]);
  stage.tellInterest([interestRow({ value: 20e6 })]);
  t.equal(await context.run(options), null);
  t.match(await stage.reading(options), {
    fields: { options_oi_usd: 8e6, missing_options_exchanges: ['okx'] },
    source: ['deribit'],
    live: null,
  });
  t.same((await stage.chart(options))?.rows.length, 1, 'no point of the series');
  t.equal(stage.statuses.get(`${options}/okx`)?.state, 'failing');
  t.equal(stage.statuses.get(`${options}/deribit`)?.state, 'up');
  t.strictSame(stage.asked, [], 'no request of its own');
});

t.test('an exchange counts with all of its lists', async (t) => {
  const stage = marketStage();
  open(stage);
  const other = marketStage();
  tellOptions(other, 'deribit', { BTC: [['BTC', 80, 100_000]] });
  t.match(await other.begin().run(options), { code: 'unavailable', message: /no exchange/ });
  t.equal(other.statuses.get(`${options}/deribit`)?.state, 'failing');
});

t.test('values that cannot be', async (t) => {
  for (const [amount, price] of [[0], [800], [8], [80, 210_000]] as const) {
    const stage = marketStage();
    open(stage);
    const context = stage.begin();
    await context.run(options);
    await stage.clock.advance(minute);
    tellDeribit(stage, amount, price);
    if (amount === 0) tellOptions(stage, 'deribit', { USDC: [['ETH', 0, 2_500]] });
    t.equal(await context.run(options), null);
    t.match(await stage.reading(options), { fields: { options_oi_usd: 10e6 } });
    t.equal(stage.statuses.get(`${options}/deribit`)?.last_error?.code, 'shape');
    stage.tellInterest([interestRow({ value: 15e7 })]);
    await stage.clock.advance(minute);
    await context.run(options);
    t.match(await stage.reading(options), { fields: { futures_oi_usd: 5e6 } }, 'without it');
  }
});

t.test('an exchange whose markets come one after the other counts with all of them', async (t) => {
  const stage = marketStage();
  open(stage);
  stage.tellInterest([interestRow({ value: 1e6 })], 'bingx', 'inverse');
  const context = stage.begin();
  await context.run(options);
  stage.tellInterest([interestRow({ value: 20e6 })], 'bingx', 'linear');
  await stage.clock.advance(minute);
  await context.run(options);
  t.match(await stage.reading(options), { fields: { futures_oi_usd: 41e6 } });
  stage.tellInterest([interestRow({ value: 400e6 })], 'bingx', 'linear');
  await stage.clock.advance(minute);
  await context.run(options);
  t.match(await stage.reading(options), { fields: { futures_oi_usd: 20e6 } }, 'a jump is refused');
});

t.test('no futures yet, no source answers', async (t) => {
  const stage = marketStage();
  const context = stage.begin();
  t.match(await context.run(options), { code: 'unavailable' });
  tellDeribit(stage, 80);
  t.match(await context.run(options), { code: 'unavailable', message: /no open interest/ });
  t.equal(await stage.reading(options), undefined);
});
