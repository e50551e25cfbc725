import t from 'tap';
import { coinbase } from '../../../../actors/venues/coinbase/index.ts';
import { books, live } from '../../../../actors/venues/coinbase/streams.ts';
import { contextOf, instrumentOf } from '../fixtures.ts';

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
