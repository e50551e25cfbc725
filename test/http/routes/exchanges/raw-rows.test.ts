/** Instruments and rows of exchanges as the front answers them. */
import t from 'tap';
import type { DerivativeRow, Instrument } from '../../../../actors/topics/index.ts';
import { rawRowRoutes } from '../../../../http/routes/raw-rows.ts';
import { fundingRows, interestRows } from '../../../../http/views/market-rows.ts';
import type { ExchangeDetail } from '../../../../http/views/market-schemas.ts';
import { OpenInterestView } from '../../../../http/views/open-interest.ts';
import { PerpetualsView } from '../../../../http/views/perpetuals.ts';
import { PricesView } from '../../../../http/views/prices.ts';
import { derivativeRow, instrument, interestRow, now, reading } from '../../../support/makers.ts';
import { listedMarkets } from '../../../support/market-names.ts';
import { rowReader } from '../../../support/row-reader.ts';
import { sameRows, tableRow } from '../../../support/table.ts';

const polled = { how: 'polled', every_seconds: 30 } as const;
const registry = ['binance', 'okx', 'kraken'].map(
  (id): ExchangeDetail => ({
    id,
    name: id,
    kinds: ['spot'],
    orderbook_cap: null,
    bar_intervals: [],
    example: 'x',
    capabilities: id === 'kraken' ? {} : { derivatives: polled, open_interest: polled },
  }),
);

const listed = (
  market: string,
  kind: Instrument['kind'],
  over: Partial<Instrument> = {},
): Instrument => instrument({ market, kind, ...over });

function setUp(lists: Readonly<Record<string, Instrument[]>>) {
  const { instruments, markets } = listedMarkets(lists);
  const prices = new PricesView();
  const views = {
    perpetuals: new PerpetualsView(prices),
    openInterest: new OpenInterestView(prices),
  };
  const rows = {
    fundingRows: fundingRows(views.perpetuals),
    interestRows: interestRows(views.openInterest),
  };
  const read = rowReader(rawRowRoutes({ instruments, markets, ...rows, registry }));
  return { ...views, read };
}

t.test('the size of a contract on a thousand coins is in coins', async (t) => {
  const thousands = { symbol: 'SHIB', scale: 1_000, contract: 0.1 };
  const { read } = setUp({ binance: [listed('1000SHIBUSDT', 'perpetual', thousands)] });
  const { instruments } = await read('/v1/instruments');
  t.match(instruments, [{ base: 'SHIB', contract_size: 100, margin_type: 'linear' }]);
});

t.test('instruments and exchanges', async (t) => {
  const { read } = setUp({
    binance: [
      listed('BTCUSDT', 'spot'),
      listed('BTCUSD_PERP', 'perpetual', { quote: 'USD', contract: 100, inverse: true }),
    ],
    okx: [
      listed('BTC-USDT-SWAP', 'perpetual', {
        contract: 0.01,
        funding_hours: 8,
        tick: 0.1,
        max_leverage: 100,
      }),
      listed('BTC-USD-260327-90000-C', 'other'),
      listed('SHIB-USDT', 'spot', { symbol: 'SHIB' }),
    ],
  });
  const get = async (query: string) => {
    const found = await read(`/v1/instruments${query}`);
    return found.instruments?.map(({ market }: { market: string }) => market).join(' ') ?? found;
  };
  const { instruments } = await read('/v1/instruments?symbol=btc-usdt&kind=perpetual');
  sameRows(t, instruments)`
    exchange market        name unified       class  dex kind      base quote settle contract_size margin_type expiry funding_interval_hours tick_size max_leverage
    okx      BTC-USDT-SWAP -    BTC/USDT:USDT crypto -   perpetual BTC  USDT  USDT   0.01          linear      -      8                      0.1       100
  `;
  const [spot, inverse] = (await read('/v1/instruments')).instruments;
  t.match(spot, { unified: 'BTC/USDT', contract_size: null, margin_type: null });
  t.match(inverse, { unified: 'BTC/USD:BTC', contract_size: 100, margin_type: 'inverse' });
  t.equal(await get('?exchange=binance'), 'BTCUSDT BTCUSD_PERP');
  t.equal(await get('?kind=other'), 'BTC-USD-260327-90000-C');
  t.equal(await get('?class=stock'), '');
  t.equal(await get('?class=crypto&kind=perpetual&exchange=okx'), 'BTC-USDT-SWAP');
  t.equal(await get('?exchange=OKX&kind=perpetual'), 'BTC-USDT-SWAP');
  t.equal(await get('?symbol=shib'), 'SHIB-USDT');
  t.equal(await get('?symbol=BTCUSD_PERP'), 'BTCUSD_PERP');
  t.equal(await get('?exchange=binance&kind=other'), '');
  t.match(await get('?symbol=NOPE'), { error: 'unknown_symbol' });
  t.match(await get('?exchange=kraken'), {
    error: 'warming_up',
    message: 'kraken has no list yet',
  });
  t.match(await setUp({}).read('/v1/instruments'), { error: 'warming_up' });
  t.strictSame(await read('/v2/exchanges'), { count: 3, exchanges: registry });
});

t.test('delisted markets as they were, the newest first', async (t) => {
  const gone = (market: string, at: number, over: Partial<Instrument> = {}) => {
    const { kind = 'spot', ...others } = over;
    return listed(market, 'other', { ...others, delisted: { at: now - at, kind } });
  };
  const { read } = setUp({
    binance: [
      listed('BTCUSDT', 'spot'),
      listed('OPTION', 'other'),
      gone('LUNAUSDT', 9, { symbol: 'LUNA' }),
    ],
    okx: [
      gone('LUNA-USD-SWAP', 5, { symbol: 'LUNA', quote: 'USD', inverse: true, kind: 'perpetual' }),
      gone('TSLA-USDT', 7, { symbol: 'TSLA.STOCK', asset_class: 'stock' }),
    ],
  });
  const { instruments } = await read('/v1/instruments/delisted');
  sameRows(t, instruments)`
    exchange market        unified         class  kind      base       quote delisted_at
    okx      LUNA-USD-SWAP LUNA/USD:LUNA   crypto perpetual LUNA       USD   1699999999995
    okx      TSLA-USDT     TSLA.STOCK/USDT stock  spot      TSLA.STOCK USDT  1699999999993
    binance  LUNAUSDT      LUNA/USDT       crypto spot      LUNA       USDT  1699999999991
  `;
  const get = async (query: string) => {
    const found = await read(`/v1/instruments/delisted?${query}`);
    return found.instruments.map(({ market }: { market: string }) => market).join(' ');
  };
  t.equal(await get('symbol=luna'), 'LUNA-USD-SWAP LUNAUSDT');
  t.equal(await get('symbol=LUNA/USDT'), 'LUNAUSDT');
  t.equal(await get('exchange=okx&class=crypto'), 'LUNA-USD-SWAP');
  t.equal(await get('kind=spot'), 'TSLA-USDT LUNAUSDT');
  t.equal(await get('symbol=BTC'), '');
  t.match(await read('/v1/instruments/delisted?symbol=NOPE'), { error: 'unknown_symbol' });
  t.match(await setUp({}).read('/v1/instruments/delisted'), { error: 'warming_up' });
});

const okx = <Row>(rows: Row[], received = now) =>
  reading(rows, { source: 'okx', part: 'swap', received });

t.test('funding rates and open interest of one exchange', async (t) => {
  const { read, ...views } = setUp({
    okx: [
      listed('BTC-USDT-SWAP', 'perpetual'),
      listed('ETH-USDT-SWAP', 'perpetual', { symbol: 'ETH' }),
      listed('SOL-USDT-SWAP', 'perpetual', { symbol: 'SOL' }),
    ],
  });
  t.match(await read('/v2/funding-rates?exchange=okx'), { error: 'warming_up' });
  const row = (market: string, symbol: string): DerivativeRow =>
    derivativeRow({ market, symbol, index: 99, next_funding: now + 5 });
  const rows = [
    row('BTC-USDT-SWAP', 'BTC'),
    { ...row('ETH-USDT-SWAP', 'ETH'), received: now - 599_000 },
  ];
  views.perpetuals.accept('derivatives', okx(rows), now);
  const all = await read('/v2/funding-rates?exchange=okx');
  t.match(all, { exchange: 'okx', count: 2, stale_count: 0 });
  t.same(
    all.items[0],
    tableRow`
    market        symbol quote mark_price index_price funding_rate predicted_rate
    BTC-USDT-SWAP BTC    USDT  100        99          0.0001       -

    interval_hours funding_rate_8h premium next_funding_time venue_time updated_at
    4              0.0002          -       ${now + 5}        -          ${now}
  `,
  );
  const one = async (symbol: string) => {
    const data = await read(`/v2/funding-rates?exchange=okx&symbol=${symbol}`);
    return [data.count, data.items[0]?.market];
  };
  for (const name of ['btc', 'BTC-USDT-SWAP', 'BTC/USDT:USDT', 'btc_usdt']) {
    t.same(await one(name), [1, 'BTC-USDT-SWAP'], name);
  }
  t.match(await read('/v2/funding-rates?exchange=okx&symbol=ETH-USDT-SWOP'), {
    error: 'unknown_symbol',
    message: /the nearest is ETH-USDT-SWAP/,
  });
  for (const name of ['SOL', 'SOL-USDT-SWAP']) {
    t.same(await one(name), [0, undefined], 'it is listed, and nothing of it has come');
  }
  views.perpetuals.expire(now + 2_000);
  t.match(await read('/v2/funding-rates?exchange=okx'), { count: 1, stale_count: 1 });
  views.perpetuals.accept('derivatives', okx([row('X', 'X')], now - 1), now);
  t.match(await read('/v2/funding-rates?exchange=okx'), { items: [{ symbol: 'BTC' }] });

  const open = interestRow({ market: 'BTC-USDT-SWAP', stated: now });
  views.openInterest.accept(okx([open]), now);
  t.match((await read('/v2/open-interest?exchange=okx&symbol=BTC')).items, [
    { open_interest_base: 5, open_interest_value: 500, mark_price: 100, venue_time: now },
  ]);
});
