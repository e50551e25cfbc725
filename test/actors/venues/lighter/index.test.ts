import t from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import { lighter } from '../../../../actors/venues/lighter/index.ts';
import { levels } from '../../../support/makers.ts';
import { sameRows } from '../../../support/table.ts';
import { askFor, contextOf, fixture, instrumentOf, kindsOf, ownPoll } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = lighter.queries;
const instruments = ownPoll(lighter, 'instruments', 'all');
const derivatives = ownPoll(lighter, 'derivatives', 'all');
const context = contextOf(lighter, 'all');
const nothing = { received: 0, instruments: new Map() };

t.test('candles: the last ones that open before an end', async (t) => {
  const ask = { ...askFor(lighter, 'all', '1'), interval: '1h', limit: 3 };
  const query = { market_id: '1', resolution: '1h', count_back: 3 };
  // 10:00 exclusive, three hours back: bars of 07:00, 08:00 and 09:00.
  t.strictSame(candles.request({ ...ask, before: 36_000_000 }).query, {
    ...query,
    start_timestamp: 25_199_999,
    end_timestamp: 35_999_999,
  });
  // 10:30: bars of 08:00, 09:00 and 10:00, which runs.
  t.strictSame(candles.request({ ...ask, now: 37_800_000 }).query, {
    ...query,
    start_timestamp: 27_000_000,
    end_timestamp: 37_800_000,
  });
  t.strictSame(candles.request(ask).query, {
    ...query,
    start_timestamp: 0,
    end_timestamp: 5_000_000_000_000,
  });
});

t.test('what is followed: active crypto markets in the open', async (t) => {
  t.strictSame(kindsOf(lighter, 'all'), {
    perpetual: '0 1 7 11',
    // 10: inactive, hidden, with trading hours
    other: '8 9 10',
    spot: '2048 2049',
  });
  sameRows(t, instrumentOf(lighter, 'all', '7'))`
    market name     kind      symbol quote scale contract inverse funding_hours tick
    ${'7'} 1000PEPE perpetual PEPE   USDC  1000  1        false   - 0.01/1000 // symbol: 1000PEPE
  `;
  t.match(instrumentOf(lighter, 'all', '2049'), { symbol: 'ETH', quote: 'BTC' });
  const odd = { order_book_details: [{ market_id: '', symbol: 'X' }, null, { market_id: 3 }] };
  t.strictSame(instruments.parse([odd], nothing).dropped, [
    { key: '', code: 'bad_row' },
    { key: '', code: 'bad_row' },
    { key: '3', code: 'bad_row' },
  ]);
});

t.test('funding: a fraction per eight hours, charged every full hour', async (t) => {
  const body = fixture(lighter, 'all-derivatives');
  // Received at 15:06:41 UTC.
  const { rows, dropped } = derivatives.parse([body], context);
  t.strictSame(dropped, [{ key: '11', code: 'bad_row' }], 'a rate of null');
  sameRows(t, rows[0])`
    market symbol quote mark index funding_rate           funding_hours funding_rate_8h        next_funding                 stated
    // funding_rate: not the 0.0003 of another exchange
    ${'0'} ETH    USDC  -    -     0.00009599999999999999 8             0.00009599999999999999 ${Date.UTC(2025, 5, 15, 16)} -
  `;
  t.strictSame(
    rows.slice(1).map((row) => [row.market, row.symbol, row.funding_rate]),
    [
      ['1', 'BTC', -0.00008],
      ['7', 'PEPE', 0],
    ],
  );
  const hour = Date.UTC(2025, 5, 15, 16);
  const [row] = derivatives.parse([body], { ...context, received: hour }).rows;
  t.equal(row?.next_funding, hour + 3_600_000, 'on the hour the next one is ahead');
  const foreign = { funding_rates: [{ market_id: 0, exchange: 'binance', rate: 1 }] };
  t.throws(() => derivatives.parse([foreign], context), ShapeError);
});

t.test('order book: orders of one price are one level', async (t) => {
  const body = fixture(lighter, 'all-order-book');
  t.strictSame(orderBook.parse(body, askFor(lighter, 'all', '0')), {
    bids: [{ price: 2500, quantity: 3 }],
    asks: levels(
      [2500.1, 0.75], // 0.5 + 0.25
      [2500.2, 1.5],
    ),
    stated: null,
  });
  const order = { price: '0.0112', remaining_base_amount: '5', initial_base_amount: '9' };
  const scaled = orderBook.parse({ bids: [order], asks: [] }, askFor(lighter, 'all', '7'));
  t.strictSame(scaled.bids, [{ price: 0.0112 / 1000, quantity: 5000 }]);
});

t.test('candles: base and quote; none is null', async (t) => {
  const ask = askFor(lighter, 'all', '0');
  sameRows(t, candles.parse(fixture(lighter, 'all-candles'), ask))`
    timestamp     open high low  close volume turnover
    1749992400000 2490 2510 2480 2500  10     25010
    1749996000000 2500 2505 2495 2501  2      -
  `;
  t.strictSame(candles.parse({ code: 200, r: '1h', c: null }, ask), []);
  t.throws(() => candles.parse({ code: 200, r: '1h' }, ask), ShapeError);
  const bar = { t: 1_749_996_000_000, o: 1, h: 2, l: 1, c: 2, v: 3, V: 4 };
  const [scaled] = candles.parse({ c: [bar] }, askFor(lighter, 'all', '7'));
  t.match(scaled, { open: 0.001, close: 0.002, volume: 3000, turnover: 4 });
});

wholeVenue(t, lighter, {
  'all-prices: supported_size_decimals = size_decimals': 'one is the older name of the other',
  'all-prices: supported_price_decimals = price_decimals': 'one is the older name of the other',
});
