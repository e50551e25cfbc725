/** Recorded answers of WhiteBIT, read by us and by ccxt. */
import t from 'tap';
import type { Instrument } from '../../../actors/topics.ts';
import { whitebit } from '../../../actors/venues/whitebit.ts';
import { absent } from '../../support/recordings.ts';
import { listing } from './ccxt.ts';
import { handMade, listIn, near, recorded, sameBars, sameBook } from './oracle.ts';

const skip = absent;
const wire = (name: string, stock: string, money: string, type: string) => ({
  ...{ name, stock, money, type, stockPrec: '3', moneyPrec: '2' },
  ...{ makerFee: '0.1', takerFee: '0.1', tradesEnabled: true },
});

const load = () => {
  // The recorded list holds none of the other recorded markets.
  const more = [
    wire('BCH_RUB', 'BCH', 'RUB', 'spot'),
    wire('ETH_BTC', 'ETH', 'BTC', 'spot'),
    wire('BTC_USDT', 'BTC', 'USDT', 'spot'),
    wire('0G_PERP', '0G', 'PERP', 'futures'),
  ];
  return listing('whitebit', [...listIn(recorded('whitebit', 'markets'), ''), ...more]);
};

const known = (instrument: Instrument) => ({
  received: 0,
  instruments: new Map([[instrument.market, instrument]]),
});
const zeroG = known(handMade('0G_PERP', { kind: 'perpetual', symbol: '0G' }));

t.test('instruments', { skip }, async (t) => {
  const exchange = await load();
  const { rows, dropped } = whitebit.feeds.instruments.parts.spot.parse(
    [recorded('whitebit', 'markets')],
    { received: 0, instruments: new Map() },
  );
  t.strictSame(dropped, []);
  t.equal(rows.length, 1);
  for (const ours of rows) {
    const theirs = exchange.safeMarket(ours.market);
    t.equal(ours.symbol, theirs.base, ours.market);
    t.equal(ours.quote, theirs.quote);
    t.equal(ours.kind !== 'other', theirs.active);
    t.equal(ours.contract, theirs.contractSize ?? 1);
    t.equal(ours.inverse, theirs.inverse ?? false);
  }
});

t.test('spot tickers', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('whitebit', 'tickers-spot');
  // The recorded market quotes in RUB, which we do not follow: taken as if in USDT.
  const context = known(handMade('BCH_RUB'));
  const { rows, dropped } = whitebit.feeds.prices.parts.spot.parse([body], context);
  t.strictSame(dropped, []);
  t.equal(rows.length, 1);
  const theirs = exchange.parseTicker(listIn(Object.values(body), '')[0] ?? {});
  near(t, rows[0]?.price, theirs.last, 'last');
  near(t, rows[0]?.volume, theirs.quoteVolume, 'quote volume');
  near(t, rows[0]?.change, theirs.percentage, 'change');
});

t.test('futures: prices, funding, open interest in one body', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('whitebit', 'futures');
  const native = listIn(body, 'result')[0] ?? {};
  const { prices, derivatives, openInterest } = whitebit.feeds;
  const price = prices.parts.futures.parse([body], zeroG);
  const funding = derivatives.parts.futures.parse([body], zeroG);
  const interest = openInterest.parts.futures.parse([body], zeroG);
  t.strictSame([...price.dropped, ...funding.dropped, ...interest.dropped], []);
  const ticker = exchange.parseTicker(native);
  near(t, price.rows[0]?.price, ticker.last, 'last');
  near(t, price.rows[0]?.volume, ticker.quoteVolume, 'quote volume');
  const theirs = exchange.parseFundingRates([native])['0G/USDT:USDT'];
  near(t, funding.rows[0]?.funding_rate, theirs?.fundingRate, 'rate');
  // Its funding rates look for `indexPrice`, which is not on the wire; its tickers read
  // `index_price`.
  near(t, funding.rows[0]?.index, ticker.indexPrice, 'index');
  t.equal(`${funding.rows[0]?.funding_hours}h`, '4h', '240 minutes');
  near(t, funding.rows[0]?.funding_rate_8h, -0.00001556, 'rate of 8 hours');
  near(t, funding.rows[0]?.next_funding, theirs?.fundingTimestamp, 'next funding');
  // ccxt reads no open interest here; the recording has no mark price yet, so that the last is its
  // price.
  near(t, interest.rows[0]?.units, 3721488, 'open interest');
  near(t, interest.rows[0]?.value, 3721488 * 0.6065, 'value');
});

t.test('order book', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('whitebit', 'order-book');
  const ask = { market: 'BTC_USDT', part: 'spot', instrument: null };
  const ours = whitebit.queries.orderBook.parse(body, ask);
  const theirs = exchange.parseOrderBook(body, 'BTC/USDT', 1594391413000);
  t.strictSame([ours.bids.length, ours.asks.length], [1, 1]);
  sameBook(t, ours, theirs);
  near(t, ours.stated, theirs.timestamp, 'time');
});

t.test('candles', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('whitebit', 'candles');
  const ask = { market: 'ETH_BTC', part: 'spot', instrument: null };
  const ours = whitebit.queries.candles.parse(body, ask);
  sameBars(t, ours, exchange.parseOHLCVs(listIn(body, 'result'), exchange.market('ETH_BTC')));
  t.strictSame(
    ours.map((bar) => bar.turnover),
    [0.154686629, 0.201921167, 0.503114696],
  );
});

t.test('the refusals', { skip }, async (t) => {
  const { fault } = whitebit.apis.rest;
  const unknown = recorded('whitebit', 'error-unknown-market');
  t.match(fault(422, unknown), { code: 'unknown_instrument' });
  t.match(fault(451, recorded('whitebit', 'error-region')), { code: 'blocked' });
});
