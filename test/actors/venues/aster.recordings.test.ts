/** Recorded answers of Aster, read by us and by ccxt. */
import t from 'tap';
import { aster } from '../../../actors/venues/aster.ts';
import { absent, recording } from '../../support/recordings.ts';
import { listing } from './ccxt.ts';
import { fundingRate, handMade, listIn, near, recorded, sameBars, sameBook } from './oracle.ts';

const skip = absent;
const { feeds, queries } = aster;
const received = 1_750_146_971_000;
/** The recorded list holds the venue's test symbol only. */
const btc = handMade('BTCUSDT', { kind: 'perpetual', symbol: 'BTC' });
const context = { received, instruments: new Map([['BTCUSDT', btc]]) };
const ask = { market: 'BTCUSDT', part: 'linear', instrument: btc };

const load = () => {
  const [row = {}] = listIn(recorded('aster', 'exchange-info-symbols'), 'symbols');
  const names = { symbol: 'BTCUSDT', baseAsset: 'BTC', quoteAsset: 'USDT' };
  return listing('aster', [row, { ...row, ...names }]);
};

t.test('instruments', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('aster', 'exchange-info-symbols');
  const nothing = { received, instruments: new Map() };
  const { rows, dropped } = feeds.instruments.parts.linear.parse([body], nothing);
  t.strictSame(dropped, []);
  t.equal(rows.length, 1);
  for (const ours of rows) {
    const theirs = exchange.safeMarket(ours.market, undefined, undefined, 'swap');
    t.equal(ours.symbol, theirs.base);
    t.equal(ours.quote, theirs.quote);
    t.equal(ours.contract, theirs.contractSize);
    t.equal(ours.inverse, theirs.inverse);
    // TEST… are the venue's own: it asks nobody to trade them.
    t.strictSame([ours.kind, theirs.active], ['other', true]);
  }
});

t.test('tickers', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('aster', 'tickers-perp');
  const { rows, dropped } = feeds.prices.parts.linear.parse([body], context);
  t.strictSame(dropped, []);
  const native = listIn(body, '');
  t.equal(rows.length, native.length);
  for (const [i, row] of rows.entries()) {
    const theirs = exchange.parseTicker(native[i] ?? {});
    near(t, row.price, theirs.last, 'last');
    near(t, row.volume, theirs.quoteVolume, 'volume');
    near(t, row.stated, theirs.timestamp, 'time');
    // The library takes the rounded 1.755 of the wire.
    near(t, row.change, (107037.7 / 105192 - 1) * 100, 'change');
  }
});

t.test('mark, index, funding', { skip }, async (t) => {
  const exchange = await load();
  const index = recorded('aster', 'premium-index');
  const info = recorded('aster', 'funding-info');
  const { rows, dropped } = feeds.derivatives.parts.linear.parse([index, info], context);
  t.strictSame(dropped, []);
  const theirs = fundingRate(exchange, listIn(index, '')[0]);
  const [row] = rows;
  near(t, row?.funding_rate, theirs.fundingRate, 'rate');
  near(t, row?.mark, theirs.markPrice, 'mark');
  near(t, row?.index, theirs.indexPrice, 'index');
  near(t, row?.next_funding, theirs.nextFundingTimestamp, 'next');
  near(t, row?.stated, theirs.timestamp, 'time');
  t.equal(theirs.interval, undefined, 'the library joins no intervals');
  t.equal(row?.funding_hours, 8, 'BTCUSDT is not in the recorded info');
  const listed = ['INJUSDT', 'ZORAUSDT'].map((market) => handMade(market, { kind: 'perpetual' }));
  const two = { received, instruments: new Map(listed.map((i) => [i.market, i])) };
  const rates = listed.map(({ market: symbol }) => ({ symbol, lastFundingRate: '0.0001' }));
  t.match(feeds.derivatives.parts.linear.parse([rates, info], two).rows, [
    { market: 'INJUSDT', funding_hours: 8, funding_rate_8h: 0.0001 },
    { market: 'ZORAUSDT', funding_hours: 4, funding_rate_8h: 0.0002 },
  ]);
});

t.test('order book', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('aster', 'order-book');
  const ours = queries.orderBook.parse(body, ask);
  const theirs = exchange.parseOrderBook(body, 'BTCUSDT');
  t.equal(ours.stated, body.T);
  t.strictSame([ours.bids.length, ours.asks.length], [1, 1]);
  sameBook(t, ours, theirs);
});

t.test('candles', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('aster', 'candles');
  const ours = queries.candles.parse(body, ask);
  sameBars(t, ours, exchange.parseOHLCVs(listIn(body, '')));
  t.equal(ours[0]?.turnover, 2434.19055334, 'the library reads no turnover');
});

t.test('the refusal', { skip }, async (t) => {
  const { status = 0, response } = recording('aster', 'error-invalid-symbol') ?? {};
  t.match(aster.apis.linear.fault(status, response), { code: 'unknown_instrument', status: 400 });
});
