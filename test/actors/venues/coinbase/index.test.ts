import t from 'tap';
import { Subscriptions } from '../../../../actors/sources/streams/subscriptions.ts';
import { coinbase } from '../../../../actors/venues/coinbase/index.ts';
import { contextOf, fixture } from '../fixtures.ts';
import { listed } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const { instruments, prices, derivatives, openInterest } = coinbase.feeds;
const perpetual = contextOf(coinbase, 'perpetual');
const perpetuals = fixture(coinbase, 'perpetual-prices');

// The error is in the form of Coinbase Exchange; documents of Advanced Trade have none.
t.test(
  'a product that is not known takes its message along, and the rest is asked for',
  async (t) => {
    const { channels, acknowledges, refuses } = coinbase.trades.spot;
    const products = ['BTC-USD', 'GIBBERISH-USD', 'ETH-USD'];
    const sent = channels(listed(products.map((market) => ({ market }))));
    const error = { type: 'error', message: 'Failed to subscribe' };
    const reason = 'GIBBERISH-USD is not a valid product';
    const rest =
      '{"type":"subscribe","channel":"market_trades","product_ids":["BTC-USD","ETH-USD"]}';
    t.strictSame(refuses?.({ ...error, reason }, sent), { of: sent[0], rest });
    t.equal(refuses?.(error, sent), null, 'without a name');
    t.equal(refuses?.({ channel: 'subscriptions', message: 'BTC-USD' }, sent), null);
    const subscriptions = { ticker: ['BTC-USD'], market_trades: ['BTC-USD', 'ETH-USD'] };
    const said = { channel: 'subscriptions', sequence_num: 2, events: [{ subscriptions }] };
    t.equal(acknowledges?.(said), 2);
    t.equal(acknowledges?.({ ...said, events: [{ subscriptions: { heartbeats: ['x'] } }] }), 0);
    for (const other of [{ channel: 'heartbeats' }, { events: null }, { events: [] }])
      t.equal(acknowledges?.({ ...said, ...other }), 0);
  },
);

t.test(
  'each answer names all products, and a message that is refused for the moment is missing',
  async (t) => {
    const stream = coinbase.trades.spot;
    const products = Array.from({ length: 120 }, (_, i) => `C${i}-USD`);
    const subscriptions = new Subscriptions(stream);
    subscriptions.want(stream.channels(listed(products.map((market) => ({ market })))));
    for (const count of [50, 100]) {
      const market_trades = products.slice(0, count);
      const events = [{ subscriptions: { market_trades } }];
      subscriptions.hear({ channel: 'subscriptions', events });
    }
    subscriptions.hear({ type: 'error', message: 'rate limit exceeded' });
    t.strictSame([subscriptions.acknowledged, subscriptions.isPartial], [100, true]);
  },
);

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
