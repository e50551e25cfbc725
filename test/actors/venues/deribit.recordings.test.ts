/** Recorded answers of Deribit, read by us and by ccxt. */
import t from 'tap';
import { deribit } from '../../../actors/venues/deribit.ts';
import { absent } from '../../support/recordings.ts';
import { byPath, replayed } from './ccxt.ts';
import { near, recorded, sameBars, sameBook } from './oracle.ts';

const skip = absent;
const body = (name: string) => recorded('deribit', name);
const load = () =>
  replayed(
    'deribit',
    byPath({
      get_instruments: body('instruments'),
      get_book_summary_by_currency: body('book-summary-perpetual'),
      get_book_summary_by_instrument: body('book-summary-perpetual'),
      get_order_book: body('order-book'),
      get_tradingview_chart_data: body('candles'),
    }),
  );
const symbol = 'BTC/USD:BTC';
const instruments = () => {
  const context = { received: 0, instruments: new Map() };
  const { rows, dropped } = deribit.feeds.instruments.parts.inverse.parse(
    [body('instruments')],
    context,
  );
  t.strictSame(dropped, []);
  return new Map(rows.map((row) => [row.market, row]));
};
const ask = () => ({
  market: 'BTC-PERPETUAL',
  part: 'inverse',
  instrument: instruments().get('BTC-PERPETUAL') ?? null,
});

t.test('instruments', { skip }, async (t) => {
  const exchange = await load();
  const found = instruments();
  t.equal(found.size, 3);
  for (const ours of found.values()) {
    const theirs = exchange.safeMarket(ours.market);
    t.equal(ours.symbol, theirs.base);
    t.equal(ours.quote, theirs.quote);
    // Dated futures and options are not followed.
    t.equal(ours.kind === 'perpetual', theirs.swap);
    if (theirs.swap) t.equal(ours.inverse, theirs.inverse);
    // ccxt takes `contract_size` for a multiplier; amounts are dollars already.
    if (theirs.swap) t.strictSame([ours.contract, theirs.contractSize], [1, 10]);
  }
});

t.test('the book summary: price, funding, open interest', { skip }, async (t) => {
  const exchange = await load();
  const context = { received: 0, instruments: instruments() };
  const bodies = [body('book-summary-perpetual')];
  const { prices, derivatives, openInterest } = deribit.feeds;
  const price = prices.parts.inverse.parse(bodies, context).rows[0];
  const theirs = (await exchange.fetchTickers(undefined, { code: 'BTC' }))[symbol];
  near(t, price?.price, theirs?.last, 'last');
  near(t, price?.volume, theirs?.quoteVolume, 'quote volume');
  near(t, price?.stated, theirs?.timestamp, 'time');
  t.equal(price?.change, -3.2032, 'ccxt leaves price_change unread');
  const derivative = derivatives.parts.inverse.parse(bodies, context).rows[0];
  near(t, derivative?.mark, theirs?.markPrice, 'mark');
  // ccxt reads funding from another endpoint; these are the fields of the body.
  t.match(derivative, { funding_rate: 1.2966e-4, funding_rate_8h: 1.2966e-4, index: 87047.2 });
  const interest = openInterest.parts.inverse.parse(bodies, context).rows[0];
  const their = await exchange.fetchOpenInterest(symbol);
  near(t, interest?.value, their.openInterestValue, 'open interest, USD');
  near(t, interest?.units, 9_978_911_260 / 87_102.01, 'ccxt gives no base amount');
});

t.test('the order book', { skip }, async (t) => {
  const exchange = await load();
  const ours = deribit.queries.orderBook.parse(body('order-book'), ask());
  const theirs = await exchange.fetchOrderBook(symbol);
  near(t, ours.stated, theirs.timestamp, 'time');
  // ccxt leaves dollars as they are.
  sameBook(t, ours, theirs, (dollars, price) => dollars / price);
});

t.test('candles', { skip }, async (t) => {
  const exchange = await load();
  const ours = deribit.queries.candles.parse(body('candles'), ask());
  sameBars(t, ours, await exchange.fetchOHLCV(symbol, '1m'));
  t.strictSame(
    ours.map((bar) => bar.turnover),
    [257_490, 250_000, 20_200, 8_370, 8_910],
    'cost, which ccxt leaves out',
  );
});

t.test('the refusal', { skip }, async (t) => {
  const refused = deribit.apis.rest.fault(400, body('error-invalid-params'));
  t.match(refused, { code: 'refused', message: 'Deribit error -32602' });
});
