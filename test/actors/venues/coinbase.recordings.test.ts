/**
 * Recorded answers of Coinbase, read by us and by ccxt. Not read: what we do not ask for (candles of Advanced
 * Trade, lists, books, tickers and statistics of Exchange, US futures, quotes and funding history).
 */
import t from 'tap';
import { coinbase } from '../../../actors/venues/coinbase.ts';
import { absent, recording } from '../../support/recordings.ts';
import { offline } from './ccxt.ts';
import { listIn, near, recorded, sameBars, sameBook } from './oracle.ts';

const skip = absent;
const nothing = { received: 0, instruments: new Map() };
const { instruments, prices, derivatives, openInterest } = coinbase.feeds;
const { orderBook, candles } = coinbase.queries;

t.test('spot products', { skip }, async (t) => {
  const body = recorded('coinbase', 'products');
  const exchange = await offline('coinbase');
  const listed = instruments.parts.spot.parse([body], nothing);
  const { rows, dropped } = prices.parts.spot.parse([body], nothing);
  t.strictSame([listed.dropped, dropped], [[], []]);
  const native = listIn(body, 'products');
  t.strictSame(
    listed.rows.map((row) => [row.market, row.symbol, row.quote, row.kind]),
    native.map((row) => [row.product_id, row.base_currency_id, row.quote_currency_id, 'spot']),
  );
  // ccxt lists BTC-USDC beside BTC-USD, whose volume it repeats.
  const counted = native.filter((row) => row.alias === '');
  t.equal(rows.length, counted.length);
  for (const [i, row] of rows.entries()) {
    const theirs = exchange.parseTicker(counted[i] ?? {});
    near(t, row.price, theirs.last, `${row.market} last`);
    near(t, row.volume, theirs.quoteVolume, `${row.market} volume`);
    near(t, row.change, theirs.percentage, `${row.market} change`);
  }
});

t.test('perpetuals', { skip }, async (t) => {
  const body = recorded('coinbase', 'intx-instruments');
  const exchange = await offline('coinbaseinternational');
  const [wire = {}] = listIn(body, '');
  const market = Object(exchange).parseMarket(wire);
  const [listed] = instruments.parts.perpetual.parse([body], nothing).rows;
  t.match(listed, {
    market: market.id,
    symbol: market.base,
    quote: market.quote,
    kind: 'perpetual',
  });
  t.equal(listed?.contract, market.contractSize);
  const [row] = prices.parts.perpetual.parse([body], nothing).rows;
  const [rate] = derivatives.parts.perpetual.parse([body], nothing).rows;
  const [interest] = openInterest.parts.perpetual.parse([body], nothing).rows;
  const theirs = exchange.parseTicker(Object(wire.quote));
  near(t, rate?.mark, theirs.markPrice, 'mark');
  near(t, rate?.index, theirs.indexPrice, 'index');
  near(t, row?.stated, theirs.timestamp, 'time');
  // ccxt reads none of these.
  near(t, row?.price, 2490.39, 'trade_price');
  near(t, row?.volume, 110943454.279785, 'notional_24hr');
  near(t, rate?.funding_rate, 0.000009, 'predicted_funding, per hour');
  near(t, rate?.funding_rate_8h, 0.000072, 'per 8 hours');
  near(t, interest?.units, 1270.749, 'open_interest, base');
  near(t, interest?.value, 1270.749 * 2490.8, 'base x mark');
});

t.test('order book', { skip }, async (t) => {
  const body = recorded('coinbase', 'product-book');
  const exchange = await offline('coinbase');
  const book = Object(body.pricebook);
  const ours = orderBook.parse(body, { market: 'BTC-USD', part: 'spot', instrument: null });
  sameBook(
    t,
    ours,
    exchange.parseOrderBook(book, 'BTC/USD', undefined, 'bids', 'asks', 'price', 'size'),
  );
  near(t, ours.stated, exchange.parse8601(book.time), 'time');
});

t.test('candles', { skip }, async (t) => {
  const body = recorded('coinbase', 'exchange-candles');
  const exchange = await offline('coinbaseexchange');
  const ascending = (rows: ReturnType<typeof candles.parse>) =>
    rows.sort((a, b) => a.timestamp - b.timestamp);
  const spot = candles.parse(body, { market: 'ETH-BTC', part: 'spot', instrument: null });
  sameBars(t, ascending(spot), exchange.parseOHLCVs(listIn(body, '')));
  const charts = recorded('coinbase', 'intx-candles');
  const other = await offline('coinbaseinternational');
  const ask = { market: 'BTC-PERP', part: 'perpetual', instrument: null };
  sameBars(
    t,
    ascending(candles.parse(charts, ask)),
    other.parseOHLCVs(listIn(charts, 'aggregations')),
  );
});

t.test('the refusal', { skip }, async (t) => {
  const { status = 0, response } = recording('coinbase', 'intx-error') ?? {};
  t.match(coinbase.apis.international.fault(status, response), { code: 'refused', status: 400 });
});
