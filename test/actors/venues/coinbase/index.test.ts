import t from 'tap';
import { coinbase } from '../../../../actors/venues/coinbase/index.ts';
import { contextOf, fixture } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { instruments, prices, derivatives, openInterest } = coinbase.feeds;
const perpetual = contextOf(coinbase, 'perpetual');
const perpetuals = fixture(coinbase, 'perpetual-prices');

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
