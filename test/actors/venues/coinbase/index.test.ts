import t from 'tap';
import { coinbase } from '../../../../actors/venues/coinbase/index.ts';
import { books, live } from '../../../../actors/venues/coinbase/streams.ts';
import { likeRows, sameRows } from '../../../support/table.ts';
import { contextOf, derivativesOf, fixture, instrumentOf, kindsOf } from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const { instruments, prices, derivatives, openInterest } = coinbase.feeds;
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
    t.strictSame(read([]), { rows: [], dropped: [], closed: 'no perpetual is listed' });
    t.match(read(undefined), { rows: [], closed: /does not give its list/ });
    t.throws(() => read({ error: 'x' }), { name: 'ShapeError' });
  }
  const listOf = (body: unknown) =>
    instruments.parts.perpetual.parse([body], perpetual).instruments;
  t.strictSame(listOf([]), { rows: [], dropped: [], closed: 'no perpetual is listed' });
  t.match(listOf(undefined), { rows: [], closed: /does not give its list/ });
  t.ok(listOf(perpetuals).rows.length > 0);
  const requests = prices.parts.perpetual.requests({ markets: [], now: 0 });
  t.ok(
    requests.every(({ optional }) => optional),
    'a refusal is no outage',
  );
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
