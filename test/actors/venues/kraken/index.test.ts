import t from 'tap';
import { kraken } from '../../../../actors/venues/kraken/index.ts';
import { feedOf, subscriptions } from '../../../../actors/venues/kraken/streams.ts';
import { contextOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { derivatives } = kraken.feeds;
const futures = contextOf(kraken, 'futures');

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
