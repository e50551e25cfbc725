/** Recorded answers of Phemex, read by us and by ccxt. */
import t from 'tap';
import type { Instrument } from '../../../actors/topics.ts';
import { phemex } from '../../../actors/venues/phemex.ts';
import { absent } from '../../support/recordings.ts';
import { byPath, replayed } from './ccxt.ts';
import { fundingRate, listIn, near, recorded, sameBars, sameBook } from './oracle.ts';

const skip = absent;
type PartName = 'spot' | 'linear' | 'inverse';
type WireRow = Record<string, unknown>;

const rowIn = (body: WireRow, ...keys: string[]): WireRow => {
  let found: WireRow = body;
  for (const key of keys) found = JSON.parse(JSON.stringify(found[key]));
  return found;
};

/** The recorded list, and the products with a recorded ticker or book that it is too short to hold. */
function products(): WireRow {
  const body: WireRow = structuredClone(recorded('phemex', 'products'));
  const data = rowIn(body, 'data');
  const [btcusd = {}, sbtcusdt = {}] = listIn(data, 'products');
  const [btcusdt = {}] = listIn(data, 'perpProductsV2');
  return {
    ...body,
    data: {
      ...data,
      products: [
        ...[btcusd, { ...btcusd, symbol: 'ETHUSD', settleCurrency: 'ETH' }],
        ...[sbtcusdt, { ...sbtcusdt, symbol: 'sETHUSDT', baseCurrency: 'ETH' }],
      ],
      perpProductsV2: [
        ...[btcusdt, { ...btcusdt, symbol: 'ETHUSDT', baseCurrency: 'ETH' }],
        { ...btcusdt, symbol: 'SAMSUNGUSDT', baseCurrency: 'SAMSUNG' },
      ],
    },
  };
}

const load = (more: Readonly<Record<string, unknown>> = {}) =>
  replayed(
    'phemex',
    byPath({
      'public/products': products(),
      'exchange/public/products': { code: 0, data: [] },
      ...more,
    }),
  );

const instruments = (part: PartName): Map<string, Instrument> => {
  const context = { received: 0, instruments: new Map() };
  const { rows, dropped } = phemex.feeds.instruments.parts[part].parse([products()], context);
  t.strictSame(dropped, []);
  return new Map(rows.map((row) => [row.market, row]));
};
const ask = (part: PartName, market: string) => ({
  ...{ part, market },
  instrument: instruments(part).get(market) ?? null,
});
const contextOf = (part: PartName) => ({ received: 0, instruments: instruments(part) });

/** The row with the names that the older linear ticker has, and that ccxt alone reads, beside ours. */
function withBoth(row: WireRow): WireRow {
  const last = row.lastRp ?? row.closeRp;
  const mark = row.markRp ?? row.markPriceRp;
  const index = row.indexRp ?? row.indexPriceRp;
  const ours = { lastRp: last, markRp: mark, indexRp: index };
  return { ...row, ...ours, closeRp: last, markPriceRp: mark, indexPriceRp: index };
}

/** Rows of the WebSocket frame, which names the fields of the linear ticker once for all. */
const frameRows = (): WireRow[] => {
  const frame = recorded('phemex', 'ws-perp-market24h-pack');
  const fields: unknown[] = Array.isArray(frame.fields) ? frame.fields : [];
  return listIn(frame, 'data').map((values) => ({
    ...Object.fromEntries(fields.map((name, i) => [String(name), values[i]])),
    timestamp: frame.timestamp,
  }));
};

t.test('instruments', { skip }, async (t) => {
  const exchange = await load();
  for (const part of ['spot', 'linear', 'inverse'] as const) {
    const found = instruments(part);
    t.ok(found.size > 0);
    for (const ours of found.values()) {
      const theirs = exchange.market(ours.market);
      t.equal(ours.symbol, theirs.base, ours.market);
      t.equal(ours.quote, theirs.quote);
      t.equal(ours.kind !== 'other', theirs.active);
      t.equal(ours.inverse, theirs.inverse ?? false);
      t.equal(ours.scale, 10 ** Number(Reflect.get(theirs, 'priceScale')));
    }
  }
});

t.test('contract sizes and funding hours', { skip }, async (t) => {
  const exchange = await load();
  for (const part of ['linear', 'inverse'] as const) {
    for (const { market, contract, funding_hours } of instruments(part).values()) {
      t.equal(contract, exchange.market(market).contractSize, market);
      t.equal(funding_hours, 8);
    }
  }
});

t.test('spot ticker', { skip }, async (t) => {
  const exchange = await load();
  const row = rowIn(recorded('phemex', 'ticker-spot'), 'result');
  const { rows } = phemex.feeds.prices.parts.spot.parse([{ result: [row] }], contextOf('spot'));
  const theirs = exchange.parseTicker(row);
  near(t, rows[0]?.price, theirs.last, 'last');
  near(t, rows[0]?.volume, theirs.quoteVolume, 'quote volume');
  near(t, rows[0]?.change, theirs.percentage, 'change');
  near(t, rows[0]?.stated, theirs.timestamp, 'time');
});

t.test('inverse ticker', { skip }, async (t) => {
  const exchange = await load();
  const row = rowIn(recorded('phemex', 'ticker-inverse'), 'result');
  const body = { result: [row] };
  const [price] = phemex.feeds.prices.parts.inverse.parse([body], contextOf('inverse')).rows;
  const theirs = exchange.parseTicker(row);
  near(t, price?.price, theirs.last, 'last');
  // ccxt takes the turnover in the coin that settles for one in quote; contracts are 1 USD each.
  near(t, price?.volume, theirs.baseVolume, 'contracts');
  near(t, price?.change, theirs.percentage, 'change');
  const [ours] = phemex.feeds.derivatives.parts.inverse.parse([body], contextOf('inverse')).rows;
  // Without the market ccxt leaves integers as they are; with it they come as text.
  const rate = fundingRate(exchange, row, exchange.market('ETHUSD'));
  near(t, ours?.mark, Number(rate.markPrice), 'mark');
  near(t, ours?.index, Number(rate.indexPrice), 'index');
  near(t, ours?.funding_rate, Number(rate.fundingRate), 'rate');
  const [interest] = phemex.feeds.openInterest.parts.inverse.parse(
    [body],
    contextOf('inverse'),
  ).rows;
  // ccxt reads that of linear contracts only.
  near(t, interest?.value, 1_298_050, 'contracts of 1 USD');
  near(t, interest?.units, 1_298_050 / 232.9232, 'base');
});

t.test('linear tickers', { skip }, async (t) => {
  const exchange = await load();
  const native = [
    rowIn(recorded('phemex', 'ticker-linear-v2'), 'result'),
    ...listIn(recorded('phemex', 'tickers-linear-v3-row'), 'result'),
    ...frameRows(),
  ].map(withBoth);
  t.equal(native.length, 4);
  for (const row of native) {
    const { price, derivative, interest } = {
      price: phemex.feeds.prices.parts.linear.parse([{ result: [row] }], contextOf('linear')),
      derivative: phemex.feeds.derivatives.parts.linear.parse(
        [{ result: [row] }],
        contextOf('linear'),
      ),
      interest: phemex.feeds.openInterest.parts.linear.parse(
        [{ result: [row] }],
        contextOf('linear'),
      ),
    };
    t.strictSame([price.dropped, derivative.dropped, interest.dropped], [[], [], []]);
    const theirs = exchange.parseTicker(row);
    near(t, price.rows[0]?.price, theirs.last, `${row.symbol} last`);
    near(t, price.rows[0]?.volume, theirs.quoteVolume, 'quote volume');
    near(t, price.rows[0]?.stated, theirs.timestamp, 'time');
    const rate = fundingRate(exchange, row);
    near(t, derivative.rows[0]?.mark, rate.markPrice, 'mark');
    near(t, derivative.rows[0]?.index, rate.indexPrice, 'index');
    near(t, derivative.rows[0]?.funding_rate, rate.fundingRate, 'rate');
    const open = exchange.parseOpenInterest(row);
    near(t, interest.rows[0]?.units, open.openInterestAmount, 'open interest');
    near(
      t,
      interest.rows[0]?.value,
      Number(open.openInterestAmount) * Number(rate.markPrice),
      'value',
    );
  }
});

t.test('order books', { skip }, async (t) => {
  for (const [part, name, market] of [
    ['spot', 'order-book-spot', 'sETHUSDT'],
    ['linear', 'order-book-linear', 'BTCUSDT'],
  ] as const) {
    const body = recorded('phemex', name);
    const exchange = await load({ orderbook: body });
    const theirs = await exchange.fetchOrderBook(exchange.market(market).symbol, 20);
    const ours = phemex.queries.orderBook.parse(body, ask(part, market));
    near(t, ours.stated, theirs.timestamp, 'time');
    sameBook(t, ours, theirs);
  }
});

t.test('candles', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('phemex', 'candles-spot');
  const ours = phemex.queries.candles.parse(body, ask('spot', 'sETHUSDT'));
  const rows = listIn(rowIn(body, 'data'), 'rows');
  sameBars(t, ours, exchange.parseOHLCVs(rows, exchange.market('sETHUSDT')));
  // ccxt has no turnover: the last number of a row, scaled as USDT is.
  for (const [i, bar] of ours.entries())
    near(t, bar.turnover, Number(rows[i]?.[8]) / 1e8, 'turnover');
});

t.test('the refusals', { skip }, async (t) => {
  const { fault } = phemex.apis.rest;
  t.match(fault(500, recorded('phemex', 'error-md-invalid')), { code: 'unknown_instrument' });
  t.match(fault(200, recorded('phemex', 'error-missing-parameter')), { code: 'refused' });
});
