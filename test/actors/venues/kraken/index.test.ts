import t from 'tap';
import { kraken } from '../../../../actors/venues/kraken/index.ts';
import { feedOf, subscriptions } from '../../../../actors/venues/kraken/streams.ts';
import { sameRows } from '../../../support/table.ts';
import { contextOf, instrumentOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { derivatives } = kraken.feeds;
const futures = contextOf(kraken, 'futures');

t.test('XBT and the X and Z prefixes: ids keep them, symbols and quotes do not', async (t) => {
  const named = (id: string) => {
    const { symbol, quote, kind } = instrumentOf(kraken, 'spot', id);
    return [symbol, quote, kind];
  };
  t.strictSame(instrumentOf(kraken, 'spot', 'XXBTZUSD'), {
    market: 'XXBTZUSD',
    kind: 'spot',
    symbol: 'BTC',
    quote: 'USD',
    scale: 1,
    contract: 1,
    inverse: false,
    funding_hours: null,
    decimals: { price: 1, quantity: 8 },
    tick: 0.1,
    wire: 'BTC/USD',
  });
  t.strictSame(named('XBTUSDT'), ['BTC', 'USDT', 'spot']);
  t.strictSame(named('XDGUSD'), ['DOGE', 'USD', 'spot']);
  t.strictSame(named('XETHXXBT'), ['ETH', 'BTC', 'spot']);
  t.strictSame(named('XETHZEUR'), ['ETH', 'EUR', 'spot']);
  t.strictSame(named('USDTZUSD'), ['USDT', 'USD', 'spot']);
  t.strictSame(named('LUNAUSD'), ['LUNC', 'USD', 'spot'], 'the old LUNA');
  t.strictSame(named('OLDUSD'), ['OLD', 'USD', 'other'], 'cancel_only');
  t.strictSame(named('AAPLxUSD'), ['AAPLX', 'USD', 'other'], 'a share');
});

t.test('what is followed of the futures: perpetuals of coins that trade', async (t) => {
  const kinds = Object.fromEntries([...futures.instruments].map(([id, { kind }]) => [id, kind]));
  t.strictSame(kinds, {
    PI_XBTUSD: 'perpetual',
    PF_XBTUSD: 'perpetual',
    PF_XDGUSD: 'perpetual',
    PF_PEPEUSD: 'perpetual',
    PF_OLDUSD: 'other', // not tradeable
    PF_AAPLXUSD: 'other', // tradfi
    PF_EURUSD: 'other', // a currency
    FI_XBTUSD_250926: 'other', // dated
  });
  sameRows(t, instrumentOf(kraken, 'futures', 'PI_XBTUSD'))`
    market    kind      symbol quote scale contract inverse funding_hours tick
    PI_XBTUSD perpetual BTC    USD   1     1        true    1 0.5
  `;
  t.match(instrumentOf(kraken, 'futures', 'PF_XDGUSD'), { symbol: 'DOGE', inverse: false });
});

t.test('the next funding follows from our clock where the answer has no time', async (t) => {
  const body = { result: 'success', tickers: [{ symbol: 'PF_XBTUSD', markPrice: 1 }] };
  const received = Date.parse('2025-06-15T15:59:59Z');
  const [row] = derivatives.parts.futures.parse([body], { ...futures, received }).derivatives.rows;
  t.match(row, { next_funding: Date.parse('2025-06-15T16:00:00Z'), stated: null });
});

t.test('a message names 200 products at most, an alert is a refusal', async (t) => {
  const products = Array.from({ length: 401 }, (_, i) => `PF_${i}`);
  const [heartbeat, ...messages] = subscriptions('ticker', products).map((one) => JSON.parse(one));
  t.match(heartbeat, { event: 'subscribe', feed: 'heartbeat' });
  t.strictSame(
    messages.map(({ product_ids }) => product_ids.length),
    [200, 200, 1],
  );
  t.throws(() => feedOf({ event: 'alert', message: 'no feed' }), { message: /refused: no feed/ });
});

// https://docs.kraken.com/api/docs/websocket-v2/ticker: an acknowledgement for each symbol of the request.
t.test('each pair of a subscription is acknowledged by itself', async (t) => {
  const { acknowledges } = kraken.live.prices.spot;
  const said = { method: 'subscribe', success: true, result: { channel: 'ticker' }, req_id: 1 };
  t.equal(acknowledges?.(said), 1);
  for (const other of [
    { ...said, success: false },
    { ...said, method: 'unsubscribe' },
    { method: 'pong' },
  ])
    t.equal(acknowledges?.(other), 0);
});

wholeVenue(t, kraken);
