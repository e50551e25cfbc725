/** Recorded answers of Bitfinex, read by us and by ccxt. */
import t from 'tap';
import type { Instrument } from '../../../actors/topics.ts';
import { bitfinex } from '../../../actors/venues/bitfinex.ts';
import { absent } from '../../support/recordings.ts';
import { byPath, replayed } from './ccxt.ts';
import { near, recorded, sameBars, sameBook } from './oracle.ts';

const skip = absent;
const body = (name: string) => recorded('bitfinex', name);
/** The recorded lists, and the pairs of the other recordings. */
const lists = () => [
  [...Object.values(body('pairs-spot')[0] ?? {}), ['BTCUSD', []]],
  [...Object.values(body('pairs-futures')[0] ?? {}), ['BTCF0:USTF0', []]],
];
const load = () =>
  replayed(
    'bitfinex',
    byPath({
      'conf/{config}': lists(),
      tickers: body('tickers'),
      'status/deriv': body('deriv-status'),
      'book/{symbol}/{precision}': body('orderbook'),
      'candles/trade:{timeframe}:{symbol}/hist': body('candles'),
    }),
  );
const instruments = (): Map<string, Instrument> => {
  const context = { received: 0, instruments: new Map() };
  const names = [
    ['UST', 'USDt'],
    ['ALG', 'ALGO'],
  ];
  const parsed = bitfinex.feeds.instruments.parts.all.parse([[...lists(), names, []]], context);
  t.strictSame(parsed.dropped, []);
  return new Map(parsed.rows.map((row) => [row.market, row]));
};
const context = () => ({ received: 0, instruments: instruments() });
const ask = () => ({
  market: 'tBTCUSD',
  part: 'all',
  instrument: instruments().get('tBTCUSD') ?? null,
});

t.test('instruments', { skip }, async (t) => {
  const exchange = await load();
  const found = instruments();
  t.equal(found.size, 8);
  for (const ours of found.values()) {
    const theirs = exchange.safeMarket(ours.market);
    // ccxt looks `ALGF0` up in its names, before it takes the F0 off.
    t.equal(ours.symbol, theirs.base === 'ALG' ? 'ALGO' : theirs.base);
    t.equal(ours.quote, theirs.quote);
    t.equal(ours.kind, theirs.swap ? 'perpetual' : 'spot');
    t.equal(ours.contract, theirs.contractSize ?? 1);
    t.equal(ours.inverse, theirs.inverse ?? false);
  }
});

t.test('tickers', { skip }, async (t) => {
  const exchange = await load();
  const { rows, dropped } = bitfinex.feeds.prices.parts.all.parse([body('tickers')], context());
  t.strictSame(dropped, []);
  const theirs = (await exchange.fetchTickers())['BTC/USD'];
  near(t, rows[0]?.price, theirs?.last, 'last');
  near(t, rows[0]?.change, theirs?.percentage, 'change');
  // ccxt gives no quote volume; ours is this, for want of one on the wire.
  near(t, rows[0]?.volume, (theirs?.baseVolume ?? 0) * (theirs?.last ?? 0), 'volume');
});

t.test('funding and open interest', { skip }, async (t) => {
  const exchange = await load();
  const symbol = 'BTC/USDT:USDT';
  const { derivatives, openInterest } = bitfinex.feeds;
  const ours = derivatives.parts.all.parse([body('deriv-status')], context()).rows[0];
  const theirs = (await exchange.fetchFundingRates([symbol]))[symbol];
  near(t, ours?.funding_rate, theirs?.fundingRate, 'rate');
  near(t, ours?.mark, theirs?.markPrice, 'mark');
  near(t, ours?.next_funding, theirs?.nextFundingTimestamp, 'next funding');
  near(t, ours?.stated, theirs?.timestamp, 'time');
  // ccxt takes the mid price of the contract itself (column 3) for its index; column 4 is the spot price.
  t.strictSame([ours?.index, theirs?.indexPrice], [29_277.5, 29_297.851276225]);
  const interest = openInterest.parts.all.parse([body('deriv-status')], context()).rows[0];
  const their = await exchange.fetchOpenInterest(symbol);
  near(t, interest?.units, their.openInterestAmount, 'open interest');
  near(t, interest?.value, 9636.07644994 * 29_278.8925, 'ccxt gives no value');
});

t.test('the order book', { skip }, async (t) => {
  const exchange = await load();
  const ours = bitfinex.queries.orderBook.parse(body('orderbook'), ask());
  const theirs = await exchange.fetchOrderBook('BTC/USD', 25, { precision: 'P0' });
  t.equal(ours.bids.length, 1);
  sameBook(t, ours, theirs);
});

t.test('candles', { skip }, async (t) => {
  const exchange = await load();
  const ours = bitfinex.queries.candles.parse(body('candles'), ask());
  sameBars(t, ours, await exchange.fetchOHLCV('BTC/USD', '1m'));
});

t.test('the refusal', { skip }, async (t) => {
  t.match(bitfinex.apis.rest.fault(429, body('error-ratelimit')), { code: 'rate_limited' });
});
