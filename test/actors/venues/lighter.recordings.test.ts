/** Recorded answers of Lighter, read by us and by ccxt. */
import type { Exchange } from 'ccxt';
import t from 'tap';
import { lighter } from '../../../actors/venues/lighter.ts';
import { absent } from '../../support/recordings.ts';
import { byPath, replayed } from './ccxt.ts';
import { listIn, near, recorded, sameBars } from './oracle.ts';

const skip = absent;
const { instruments, prices, derivatives, openInterest } = lighter.feeds;
const lists = {
  'order-book-details': 'order_book_details',
  'spot-order-book-details': 'spot_order_book_details',
} as const;

/** ccxt has no parser of one market: it reads the answer as a whole. */
async function load(): Promise<Exchange> {
  const rows = Object.entries(lists).map(([name, key]) => [
    key,
    listIn(recorded('lighter', name), key),
  ]);
  const answer = { code: 200, ...Object.fromEntries(rows) };
  return replayed('lighter', byPath({ orderBookDetails: answer }));
}

function contextOf(name: keyof typeof lists) {
  const none = { received: 0, instruments: new Map() };
  const { rows, dropped } = instruments.parts.all.parse([recorded('lighter', name)], none);
  t.strictSame(dropped, []);
  const received = Date.UTC(2026, 4, 5, 1, 40);
  return { received, instruments: new Map(rows.map((row) => [row.market, row])) };
}

t.test('instruments and tickers, perpetual and spot', { skip }, async (t) => {
  const exchange = await load();
  for (const name of ['order-book-details', 'spot-order-book-details'] as const) {
    const body = recorded('lighter', name);
    const context = contextOf(name);
    const { rows, dropped } = prices.parts.all.parse([body], context);
    t.strictSame(dropped, []);
    t.equal(rows.length, 1);
    for (const [i, row] of rows.entries()) {
      const ours = context.instruments.get(row.market);
      const market = exchange.safeMarket(row.market);
      t.equal(ours?.symbol, market.base);
      t.equal(ours?.quote, market.quote);
      t.equal(ours?.kind, market.swap ? 'perpetual' : 'spot');
      t.equal(ours?.kind !== 'other', market.active);
      t.equal(ours?.contract, market.contractSize ?? 1);
      t.equal(ours?.inverse, market.inverse ?? false);
      const theirs = exchange.parseTicker(listIn(body, lists[name])[i] ?? {});
      near(t, row.price, theirs.last, 'last');
      near(t, row.volume, theirs.quoteVolume, 'quote volume');
      near(t, row.change, theirs.percentage, 'change');
    }
  }
});

t.test('open interest', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('lighter', 'order-book-details');
  const { rows, dropped } = openInterest.parts.all.parse([body], contextOf('order-book-details'));
  t.strictSame(dropped, []);
  const theirs = exchange.parseTicker(listIn(body, 'order_book_details')[0] ?? {});
  t.equal(rows[0]?.units, 27350.8981);
  t.equal(theirs.info.open_interest, 27350.8981, 'ccxt leaves it as it is');
  near(t, rows[0]?.value, 27350.8981 * 2361.31, 'at the last price');
});

t.test('funding', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('lighter', 'funding-rates');
  const { rows, dropped } = derivatives.parts.all.parse([body], contextOf('order-book-details'));
  t.strictSame(dropped, []);
  const theirs = exchange.parseFundingRates(listIn(body, 'funding_rates'))['ETH/USDC:USDC'];
  near(t, rows[0]?.funding_rate, theirs?.fundingRate, 'rate');
  near(t, rows[0]?.funding_rate_8h, theirs?.fundingRate, 'rate of 8 hours');
  t.equal(rows[0]?.next_funding, Date.UTC(2026, 4, 5, 2));
});

t.test('order book', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('lighter', 'order-book');
  const ask = { market: '0', part: 'all', instrument: null };
  const ours = lighter.queries.orderBook.parse(body, ask);
  const keys = ['bids', 'asks', 'price', 'remaining_base_amount'];
  const theirs = exchange.parseOrderBook(body, 'ETH/USDC:USDC', undefined, ...keys);
  for (const side of ['bids', 'asks'] as const) {
    t.equal(ours[side].length, 1);
    near(t, ours[side][0]?.price, theirs[side][0]?.[0], side);
    near(t, ours[side][0]?.quantity, theirs[side][0]?.[1], `${side} quantity`);
  }
});

t.test('candles', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('lighter', 'candles');
  const ours = lighter.queries.candles.parse(body, { market: '0', part: 'all', instrument: null });
  sameBars(t, ours, exchange.parseOHLCVs(listIn(body, 'c'), exchange.market('ETH/USDC:USDC')));
  t.equal(ours[0]?.turnover, 178530.793575);
});
