/** Recorded answers of WOO X, read by us and by ccxt. */
import t from 'tap';
import { isRecord } from '../../../actors/read.ts';
import { woo } from '../../../actors/venues/woo.ts';
import { absent } from '../../support/recordings.ts';
import { listing } from './ccxt.ts';
import { fundingRate, handMade, listIn, near, recorded, sameBars, sameBook } from './oracle.ts';

const skip = absent;
const nothing = { received: 0, instruments: new Map() };
const rowsOf = (name: string) => listIn(recorded('woo', name).data, 'rows');
const btc = handMade('PERP_BTC_USDT', { kind: 'perpetual', symbol: 'BTC', funding_hours: 8 });
const known = { received: 0, instruments: new Map([[btc.market, btc]]) };
const spot = { market: 'SPOT_BTC_USDT', part: 'spot', instrument: handMade('SPOT_BTC_USDT') };

/** The recorded list holds one pair; the others are known by their ids. */
const load = () => {
  const more = ['SPOT_BTC_USDT', 'PERP_BTC_USDT'].map((symbol) => ({ symbol, status: 'TRADING' }));
  return listing('woo', [...rowsOf('instruments'), ...more]);
};

t.test('instruments', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('woo', 'instruments');
  const { rows, dropped } = woo.feeds.instruments.parts.spot.parse([body], nothing);
  t.strictSame(dropped, []);
  t.equal(rows.length, 1);
  for (const ours of rows) {
    const theirs = exchange.safeMarket(ours.market);
    t.equal(ours.symbol, theirs.base);
    t.equal(ours.quote, theirs.quote);
    t.equal(ours.kind === 'spot', theirs.spot && theirs.active);
  }
});

t.test('funding hours of the instruments', { skip }, async (t) => {
  const exchange = await load();
  const list = { data: { rows: [{ symbol: 'PERP_BTC_USDT', status: 'TRADING' }] } };
  const rates = recorded('woo', 'funding-current');
  const { rows } = woo.feeds.instruments.parts.perp.parse([list, rates], nothing);
  const theirs = fundingRate(exchange, rowsOf('funding-current')[0]);
  t.equal(`${rows[0]?.funding_hours}h`, theirs.interval);
});

t.test('futures', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('woo', 'futures');
  const [native] = rowsOf('futures');
  const theirs = exchange.parseTicker({ ...native, timestamp: body.timestamp });
  const prices = woo.feeds.prices.parts.perp.parse([body], known);
  t.strictSame(prices.dropped, []);
  const [price] = prices.rows;
  near(t, price?.price, theirs.last, 'last');
  near(t, price?.volume, theirs.quoteVolume, 'quote volume');
  near(t, price?.change, theirs.percentage, 'change');
  near(t, price?.stated, theirs.timestamp, 'time');
  const [ours] = woo.feeds.derivatives.parts.perp.parse([body], known).rows;
  const rate = fundingRate(exchange, native);
  near(t, ours?.funding_rate, rate.fundingRate, 'rate');
  near(t, ours?.next_funding, rate.fundingTimestamp, 'next funding');
  near(t, ours?.mark, theirs.markPrice, 'mark');
  near(t, ours?.index, theirs.indexPrice, 'index');
  // ccxt does not read the open interest: 221.3498 BTC at a mark price of 63,028.
  const [interest] = woo.feeds.openInterest.parts.perp.parse([body], known).rows;
  near(t, interest?.units, 221.3498, 'base');
  near(t, interest?.value, 221.3498 * 63_028, 'value');
});

t.test('spot price out of candles', { skip }, async (t) => {
  // One minute without a trade, as if it were an hour.
  const body = recorded('woo', 'candles');
  const { rows, dropped } = woo.feeds.prices.parts.spot.parse([body], nothing);
  t.strictSame(dropped, []);
  t.match(rows, [{ market: 'SPOT_BTC_USDT', price: 108994.16, volume: 0, stated: 1751622205410 }]);
});

t.test('order book', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('woo', 'order-book');
  const ours = woo.queries.orderBook.parse(body, spot);
  const data = isRecord(body.data) ? body.data : {};
  const theirs = exchange.parseOrderBook(
    data,
    'BTC/USDT',
    Number(body.timestamp),
    ...(['bids', 'asks', 'price', 'quantity'] as const),
  );
  near(t, ours.stated, theirs.timestamp, 'time');
  t.strictSame([ours.bids.length, ours.asks.length], [1, 1]);
  sameBook(t, ours, theirs);
});

t.test('candles', { skip }, async (t) => {
  const exchange = await load();
  const ours = woo.queries.candles.parse(recorded('woo', 'candles'), spot);
  sameBars(t, ours, exchange.parseOHLCVs(rowsOf('candles'), exchange.market('SPOT_BTC_USDT')));
  t.equal(ours[0]?.turnover, 0);
});

t.test('the refusals', { skip }, async (t) => {
  const { fault } = woo.apis.rest;
  t.match(fault(400, recorded('woo', 'error-invalid-symbol')), { code: 'unknown_instrument' });
  t.match(fault(200, recorded('woo', 'error-gateway-200')), { code: 'unavailable' });
});
