import t from 'tap';
import { coinbase } from '../../../../actors/venues/coinbase/index.ts';
import { books, live } from '../../../../actors/venues/coinbase/streams.ts';
import { levels } from '../../../support/makers.ts';
import { likeRows, sameRows } from '../../../support/table.ts';
import {
  askFor,
  contextOf,
  derivativesOf,
  fixture,
  instrumentOf,
  kindsOf,
  openInterestOf,
  pricesOf,
} from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = coinbase.queries;
const { prices, derivatives, openInterest } = coinbase.feeds;
const perpetual = contextOf(coinbase, 'perpetual');
const perpetuals = fixture(coinbase, 'perpetual-prices');
const stated = Date.parse('2025-06-15T15:06:40.454Z');

t.test('the markets that are followed', async (t) => {
  t.strictSame(kindsOf(coinbase, 'spot'), {
    spot: 'BTC-USD BTC-USDC USDT-USD ETH-BTC ETH-EUR ONLY-USDC',
    // NEVER-USD: view only; OLD-USD: delisted; AUCT-USD: an auction; TSLA-USD: a share
    other: 'NEVER-USD OLD-USD AUCT-USD TSLA-USD',
  });
  t.strictSame(kindsOf(coinbase, 'perpetual'), {
    perpetual: 'BTC-PERP 1000PEPE-PERP ETH-PERP',
    // BTC-USDC: spot of the international venue
    other: 'OLD-PERP BTC-USDC',
  });
  t.equal(instrumentOf(coinbase, 'perpetual', 'ETH-PERP').funding_hours, null);
});

t.test('instruments', async (t) => {
  sameRows(t, [
    instrumentOf(coinbase, 'spot', 'BTC-USD'),
    instrumentOf(coinbase, 'perpetual', '1000PEPE-PERP'),
  ])`
    market        kind      symbol quote scale contract inverse funding_hours tick
    BTC-USD       spot      BTC    USD   1     1        false   - 0.01
    1000PEPE-PERP perpetual PEPE   USDC  1000  1        false   1 0.01/1000 // funding_hours: 3.6e12 ns
  `;
});

t.test('spot prices: the book that USD and USDC share counts once', async (t) => {
  const { rows, dropped } = pricesOf(coinbase, 'spot');
  t.strictSame(dropped, []);
  const [btc, usdt, only, ...none] = rows;
  sameRows(t, btc)`
    market  kind symbol quote price     bid      ask       high low base            volume          change stated
    BTC-USD spot BTC    USD   100_000.5 99_999.9 100_001.2 -    -   11_005.02587005 1_098_752_587.5 -0.28  -
  `;
  t.match(usdt, { market: 'USDT-USD', price: 0.9999, bid: null, change: null }, '"" is unknown');
  t.match(only, { market: 'ONLY-USDC', price: 2.5, volume: null, change: 1.5 });
  t.strictSame(none, []);
});

t.test('perpetual prices: turnover in USDC, 1000PEPE in PEPE', async (t) => {
  const { rows, dropped } = pricesOf(coinbase, 'perpetual');
  t.strictSame(dropped, []);
  const [btc, pepe, eth, ...none] = rows;
  sameRows(t, [btc, rounded(pepe)])`
    market        kind      symbol quote price     bid        ask        high low base            volume         change stated
    BTC-PERP      perpetual BTC    USDC  100_010.5 100_009.5  100_012    -    -   1_110.4831      110_943_454.25 -      ${stated}
    // price: 0.012 / 1000; base: 416,000,000 x 1000
    1000PEPE-PERP perpetual PEPE   USDC  0.000012  0.00001199 0.00001201 -    -   416_000_000_000 5_000_000      -      ${stated}
  `;
  t.match(eth, { market: 'ETH-PERP', price: 2500, volume: null, stated: null });
  t.strictSame(none, []);
});

t.test('funding: a fraction an hour, until the next full hour', async (t) => {
  const { rows, dropped } = derivativesOf(coinbase, 'perpetual');
  t.strictSame(dropped, []);
  const [btc, pepe, eth] = rows;
  sameRows(t, btc)`
    market   symbol quote mark       index     funding_rate funding_hours funding_rate_8h next_funding                          stated
    // funding_rate_8h: 0.000009 x 8
    BTC-PERP BTC    USDC  100_000.75 99_990.25 0.000009     1             0.000072        ${Date.parse('2025-06-15T16:00:00Z')} ${stated}
  `;
  t.match(rounded(pepe), { mark: 0.00001205, index: 0.00001202, funding_rate_8h: -0.00016 });
  likeRows(t, eth)`
    mark   index funding_rate funding_hours next_funding
    2500.5 -     -            -             -
  `;
});

t.test('open interest: base times mark', async (t) => {
  const { rows, dropped } = openInterestOf(coinbase, 'perpetual');
  t.strictSame(dropped, [{ key: 'ETH-PERP', code: 'bad_row' }], 'without a number');
  sameRows(t, rounded(rows))`
    market        symbol quote units         value            mark       stated
    BTC-PERP      BTC    USDC  1270.75       127_075_953.0625 100_000.75 ${stated} // value: x 100,000.75
    1000PEPE-PERP PEPE   USDC  4_000_000_000 48_200           0.00001205 ${stated} // units: 4,000,000 x 1000; value: 4,000,000 x 0.01205
  `;
});

t.test('1000PEPE-PERP: book and candles in PEPE', async (t) => {
  const ask = askFor(coinbase, 'perpetual', '1000PEPE-PERP');
  const body = fixture(coinbase, 'perpetual-order-book');
  const book = orderBook.parse(body, ask);
  t.strictSame(rounded(book), {
    bids: [{ price: 0.000012, quantity: 500_000 }], // 0.012 / 1000, 500 x 1000
    asks: [{ price: 0.0000121, quantity: 750_000 }],
    stated: Date.parse('2025-06-15T15:06:40.662Z'),
  });
  const bars = candles.parse(fixture(coinbase, 'perpetual-candles'), ask);
  t.equal(bars.length, 2);
  sameRows(t, rounded(bars[0]))`
    timestamp                             open     high     low      close     volume    turnover
    ${Date.parse('2025-06-15T15:00:00Z')} 0.000012 0.000013 0.000011 0.0000125 2_000_000 - // volume: 2000 x 1000
  `;
});

t.test('spot book and candles: low stands before high, open after', async (t) => {
  const ask = askFor(coinbase, 'spot', 'BTC-USD');
  t.strictSame(orderBook.parse(fixture(coinbase, 'spot-order-book'), ask), {
    bids: levels([100_000, 0.5], [99_999.99, 0.25]),
    asks: [{ price: 100_000.01, quantity: 1.5 }],
    stated: Date.parse('2025-06-15T15:06:40.662Z'),
  });
  const bars = candles.parse(fixture(coinbase, 'spot-candles'), ask);
  sameRows(t, bars[0])`
    timestamp         open    high    low    close     volume turnover
    1_749_999_600_000 100_000 100_200 99_900 100_100.5 12.5   -
  `;
  t.equal(bars.length, 2);
});

t.test('perpetuals that all state a pause are closed, until one trades again', async (t) => {
  const states = (state: string) =>
    (perpetuals as Record<string, unknown>[]).map((row) => ({ ...row, trading_state: state }));
  const { parse } = prices.parts.perpetual;
  for (const topic of ['prices', 'derivatives', 'openInterest'] as const) {
    const read = (rows: unknown) => parse([rows], perpetual)[topic];
    const closed = `every perpetual is ${'PAUSED'.padEnd(20, '_')}`;
    const paused = states('PAUSED'.padEnd(21, '_'));
    t.strictSame(read(paused), { rows: [], dropped: [], closed });
    t.notOk('closed' in read(perpetuals), 'some trade');
    const mixed = [...states('PAUSED').slice(1), ...states('HALTED').slice(0, 1)];
    t.equal(read(mixed).closed, 'every perpetual is PAUSED or HALTED');
    const spot = { symbol: 'BTC-USDC', type: 'SPOT', trading_state: 'TRADING' };
    t.equal(read([spot]).closed, 'no perpetual is listed');
    t.notOk('closed' in read([...states('PAUSED'), { symbol: 'X-PERP', type: 'PERP' }]));
    t.throws(() => read([]), { name: 'ShapeError' }, 'an empty list states nothing');
  }
  for (const { parts } of [derivatives, openInterest])
    t.equal(parts.perpetual, prices.parts.perpetual, 'one list has all');
});

t.test('the connections of Coinbase and their subscriptions', async (t) => {
  const [tickers, book] = [live.prices.spot, books.spot];
  for (const stream of [tickers, book])
    t.match(stream, {
      url: 'wss://advanced-trade-ws.coinbase.com',
      pace: 150,
      silence: 30_000,
      opening: ['{"type":"subscribe","channel":"heartbeats"}'],
    });
  const { instruments } = contextOf(coinbase, 'spot');
  const two = new Map([...instruments].filter(([id]) => id === 'BTC-USD' || id === 'USDT-USD'));
  t.strictSame(
    tickers.channels(two).map((message) => JSON.parse(message)),
    [{ type: 'subscribe', channel: 'ticker', product_ids: ['BTC-USD', 'USDT-USD'] }],
  );
  const market = instrumentOf(coinbase, 'spot', 'BTC-USD');
  t.strictSame(
    [book.subscribe(market), book.unsubscribe(market, {})],
    ['subscribe', 'unsubscribe'].map(
      (type) => `{"type":"${type}","channel":"level2","product_ids":["BTC-USD"]}`,
    ),
  );
});

wholeVenue(t, coinbase);
