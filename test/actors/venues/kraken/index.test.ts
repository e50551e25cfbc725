import t from 'tap';
import type { InstrumentMap } from '../../../../actors/sources/define.ts';
import { kraken } from '../../../../actors/venues/kraken/index.ts';
import { feedOf, subscriptions } from '../../../../actors/venues/kraken/streams.ts';
import { sameRows } from '../../../support/table.ts';
import { bodiesOf, contextOf, received } from '../fixtures.ts';
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
  const messages = subscriptions('ticker', products).map((one) => JSON.parse(one));
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

// https://docs.kraken.com/exchange/api-reference/unified-ws/instrument: the form of spot, whose fields for orders are named for derivatives.
t.test('a pair is followed in every state in which it trades', async (t) => {
  // https://docs.kraken.com/api/docs/rest-api/get-tradable-asset-pairs
  const states = {
    online: 'spot',
    post_only: 'spot',
    limit_only: 'spot',
    reduce_only: 'spot',
    cancel_only: 'other',
    delisted: 'other',
  };
  const pairs = Object.keys(states).map((status) => [
    status,
    { wsname: 'ABC/USD', pair_decimals: 4, lot_decimals: 8, status },
  ]);
  const { rows } = kraken.feeds.instruments.parts.spot.parse(
    [{ error: [], result: Object.fromEntries(pairs) }],
    { received, instruments: new Map() },
  ).instruments;
  t.strictSame(Object.fromEntries(rows.map(({ market, kind }) => [market, kind])), states);
});

t.test('the list of the unified stream, in place of that of the old API', async (t) => {
  const { parse } = kraken.feeds.instruments.parts.futures;
  const read = (instruments: InstrumentMap) =>
    parse([bodiesOf(kraken, 'unified-instruments')[0]], { received, instruments }).instruments;
  const anew = read(new Map());
  sameRows(
    t,
    anew.rows.map(({ market, kind, symbol, contract, inverse, tick, decimals, expiry }) => ({
      market,
      kind,
      symbol,
      contract,
      tick,
      inverse: inverse === true,
      digits: decimals?.quantity,
      expiry: expiry ?? 0,
    })),
  )`
    market           kind      symbol contract tick    inverse digits expiry
    PF_XBTUSD        perpetual BTC    1        0.5     false   4      0
    PI_XBTUSD        perpetual BTC    1        0.5     true    0      0
    PF_AAPLXUSD      perpetual AAPLX.STOCK 1   0.01    false   2      0
    PF_NEWUSD        perpetual NEW    1        0.00025 false   1      0
    PF_OLDUSD        other     OLD    1        0.01    false   1      0
    FF_XBTUSD_270326 future    BTC    1        0.5     false   4      ${Date.UTC(2027, 2, 26, 15)}
  `;
  t.strictSame(anew.dropped, [{ key: 'PF_BROKENUSD', code: 'bad_row' }]);
  const { rows } = read(futures.instruments);
  const share = rows.find(({ market }) => market === 'PF_AAPLXUSD');
  t.match(share, { symbol: 'AAPLX.STOCK', asset_class: 'stock' }, 'what the old list said stays');
});

wholeVenue(t, kraken);
