import t from 'tap';
import { coinbase } from '../../../../actors/venues/coinbase/index.ts';
import { sameRows } from '../../../support/table.ts';
import { contextOf, fixture, instrumentOf, kindsOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { instruments, prices, derivatives, openInterest } = coinbase.feeds;
const perpetual = contextOf(coinbase, 'perpetual');
const perpetuals = fixture(coinbase, 'perpetual-prices');

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

wholeVenue(t, coinbase);
