/** Recorded answers of Bitstamp, read by us and by ccxt. */
import t from 'tap';
import { isRecord } from '../../../actors/read.ts';
import { bitstamp } from '../../../actors/venues/bitstamp.ts';
import { absent, recording } from '../../support/recordings.ts';
import { byPath, replayed } from './ccxt.ts';
import { fundingRate, handMade, listIn, near, recorded, sameBars, sameBook } from './oracle.ts';

const skip = absent;
const { instruments, prices, derivatives, openInterest } = bitstamp.feeds;
const nothing = { received: 0, instruments: new Map() };

/** The recorded list, and one pair with a recorded ticker. */
function context() {
  const { rows } = instruments.parts.markets.parse([recorded('bitstamp', 'markets')], nothing);
  const dai = handMade('daiusd', { symbol: 'DAI', quote: 'USD' });
  return { received: 0, instruments: new Map([...rows, dai].map((row) => [row.market, row])) };
}

const load = () => replayed('bitstamp', byPath({ 'markets/': recorded('bitstamp', 'markets') }));

t.test('instruments', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('bitstamp', 'markets');
  const { rows, dropped } = instruments.parts.markets.parse([body], nothing);
  t.strictSame(dropped, []);
  t.equal(rows.length, 2);
  for (const ours of rows) {
    const theirs = exchange.safeMarket(ours.market);
    t.equal(ours.symbol, theirs.base, ours.market);
    t.equal(ours.quote, theirs.quote);
    t.equal(ours.kind, theirs.spot ? 'spot' : 'perpetual');
    t.equal(ours.kind !== 'other', theirs.active);
    t.equal(ours.inverse, theirs.inverse ?? false);
    // ccxt has no contract size; the recorded one is "1.00000000".
    t.equal(ours.contract, 1);
  }
});

t.test('tickers', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('bitstamp', 'tickers');
  const { rows, dropped } = prices.parts.markets.parse([body], context());
  t.strictSame(dropped, []);
  t.equal(rows.length, 3);
  for (const [i, row] of rows.entries()) {
    const native = listIn(body, '')[i] ?? {};
    const theirs = exchange.parseTicker(native);
    near(t, row.price, theirs.last, `${row.market} last`);
    near(t, row.volume, theirs.quoteVolume, 'quote volume');
    near(t, row.stated, theirs.timestamp, 'time');
    // ccxt takes the change since the UTC midnight; the venue rounds that of 24 h to 0.01 %.
    const rounded = native.percent_change_24;
    if (rounded === '') t.equal(row.change, null);
    else t.ok(Math.abs((row.change ?? Number.NaN) - Number(rounded)) < 0.005 + 1e-9, 'change');
  }
});

t.test('marks and funding', { skip }, async (t) => {
  const exchange = await load();
  const rate = recorded('bitstamp', 'funding-current');
  const bodies = [recorded('bitstamp', 'tickers'), rate];
  const { rows, dropped } = derivatives.parts.markets.parse(bodies, context());
  t.strictSame(dropped, []);
  const [ours] = rows;
  const market = exchange.market('btcusd-perp');
  const theirs = fundingRate(exchange, rate, market);
  near(t, ours?.funding_rate, theirs.fundingRate, 'rate');
  near(t, ours?.next_funding, theirs.fundingTimestamp, 'next funding');
  near(t, ours?.stated, theirs.timestamp, 'time');
  // ccxt looks for the two in the funding rate, where only the WebSocket has them.
  near(t, ours?.mark, 84904.06679064, 'mark');
  near(t, ours?.index, 84911.57133333334, 'index');
});

t.test('open interest', { skip }, async (t) => {
  const { rows, dropped } = openInterest.parts.markets.parse(
    [recorded('bitstamp', 'tickers')],
    context(),
  );
  t.strictSame(dropped, []);
  // ccxt does not read it. The venue values the units at the mark price.
  t.match(rows, [{ market: 'btcusd-perp', units: 8.99503, value: 763714.6279038105 }]);
  near(t, rows[0]?.value, 8.99503 * 84904.06679064, 'value');
});

t.test('order book', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('bitstamp', 'order-book');
  const ask = { market: 'btcusd', part: 'markets', instrument: null };
  const ours = bitstamp.queries.orderBook.parse(body, ask);
  const time = Math.floor(Number(body.microtimestamp) / 1000);
  const theirs = exchange.parseOrderBook(body, 'BTC/USD', time);
  near(t, ours.stated, theirs.timestamp, 'time');
  t.strictSame([ours.bids.length, ours.asks.length], [3, 3]);
  sameBook(t, ours, theirs);
});

t.test('candles', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('bitstamp', 'candles');
  const ask = { market: 'btcusd', part: 'markets', instrument: null };
  const rows = isRecord(body.data) ? listIn(body.data, 'ohlc') : [];
  const ours = bitstamp.queries.candles.parse(body, ask);
  sameBars(t, ours, exchange.parseOHLCVs(rows, exchange.market('btcusd')));
});

t.test('the refusal', { skip }, async (t) => {
  const refusal = recording('bitstamp', 'error-not-found');
  const ours = bitstamp.apis.rest.fault(404, refusal?.response);
  t.match(ours, { code: 'unknown_instrument' });
});
