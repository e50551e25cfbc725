/** Channels in messages, and the messages that end them, in the forms that the exchanges document. */
import t from 'tap';
import type { Wiring } from '../../../../actors/sources/streams/stream.ts';
import { channelsIn, ending, without } from '../../../../actors/sources/streams/subscriptions.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import { venues } from '../../../../actors/venues/registry.ts';
import { listed } from '../../venues/stream-suite.ts';

t.test('a message has one channel, or a list of them', (t) => {
  const channels: [message: string, channels: string[]][] = [
    ['ping', ['ping']],
    ['{"sub":"market.tickers","id":"1"}', ['{"sub":"market.tickers","id":"1"}']],
    ['{"op":"subscribe","args":["a","b"]}', ['"a"', '"b"']],
    [
      '{"op":"subscribe","args":[{"channel":"tickers","instId":"A"}]}',
      ['{"channel":"tickers","instId":"A"}'],
    ],
    ['{"method":"subscribe","params":{"channel":"book","symbol":["A/B"],"depth":5}}', ['"A/B"']],
    ['{"method":"x.subscribe","params":[]}', ['{"method":"x.subscribe","params":[]}']],
    [
      '{"method":"market_subscribe","params":["A","B"]}',
      ['{"method":"market_subscribe","params":["A","B"]}'],
    ],
  ];
  for (const [message, found] of channels) t.strictSame(channelsIn(message), found);
  t.end();
});

t.test('a message without some of its channels', (t) => {
  const message = '{"op":"subscribe","args":["a","b","c"]}';
  const out = (...names: string[]) => without(message, (one) => names.includes(one));
  t.equal(out(), message);
  t.equal(out('"a"', '"c"'), '{"op":"subscribe","args":["b"]}');
  t.equal(out('"a"', '"b"', '"c"'), null);
  t.equal(
    without('A', (one) => one === 'A'),
    null,
  );
  t.end();
});

t.test('the message that ends a subscription, as documented', (t) => {
  const documented: [subscribes: string, ends: string | null][] = [
    // Binance, Aster, Backpack; https://developers.binance.com/docs/binance-spot-api-docs/web-socket-streams
    [
      '{"method":"SUBSCRIBE","params":["a@trade"],"id":1}',
      '{"method":"UNSUBSCRIBE","params":["a@trade"],"id":1}',
    ],
    // OKX, Bybit, Bitget
    ['{"op":"subscribe","args":["tickers.A"]}', '{"op":"unsubscribe","args":["tickers.A"]}'],
    // Gate
    [
      '{"time":0,"channel":"spot.tickers","event":"subscribe","payload":["A"]}',
      '{"time":0,"channel":"spot.tickers","event":"unsubscribe","payload":["A"]}',
    ],
    // HTX: market data, notifications
    ['{"sub":"market.a.detail","id":"1"}', '{"unsub":"market.a.detail","id":"1"}'],
    [
      '{"op":"sub","topic":"public.*.funding_rate"}',
      '{"op":"unsub","topic":"public.*.funding_rate"}',
    ],
    // KuCoin, WOO X
    [
      '{"id":"1","action":"SUBSCRIBE","channel":"ticker"}',
      '{"id":"1","action":"UNSUBSCRIBE","channel":"ticker"}',
    ],
    // MEXC
    [
      '{"method":"sub.funding.rate","param":{"symbol":"A"}}',
      '{"method":"unsub.funding.rate","param":{"symbol":"A"}}',
    ],
    // BingX
    [
      '{"id":"A","reqType":"sub","dataType":"A@ticker"}',
      '{"id":"A","reqType":"unsub","dataType":"A@ticker"}',
    ],
    // Deribit
    [
      '{"method":"public/subscribe","params":{"channels":["ticker.A"]}}',
      '{"method":"public/unsubscribe","params":{"channels":["ticker.A"]}}',
    ],
    // Bitstamp
    [
      '{"event":"bts:subscribe","data":{"channel":"live_trades_a"}}',
      '{"event":"bts:unsubscribe","data":{"channel":"live_trades_a"}}',
    ],
    // Phemex
    [
      '{"method":"market24h.subscribe","params":[]}',
      '{"method":"market24h.unsubscribe","params":[]}',
    ],
    ['{"subscribe":"SUB/USD"}', '{"unsubscribe":"SUB/USD"}'],
    ['A', null],
  ];
  for (const [subscribes, ends] of documented) t.equal(ending(subscribes), ends);
  t.end();
});

t.test('every stream of an exchange can end the channels of a market', (t) => {
  const markets = listed([{ market: 'BTC-USDT', symbol: 'BTC' }]);
  const all: readonly Venue[] = Object.values(venues);
  for (const { id, live, trades = {} } of all) {
    const byTopic = [live?.prices, live?.derivatives, live?.openInterest, live?.funding];
    const streams: readonly (Wiring | undefined)[] = [
      ...byTopic.flatMap((parts) => Object.values(parts ?? {})),
      ...Object.values(trades),
    ];
    for (const { channels, unsubscribe } of streams.flatMap((one) => one ?? [])) {
      // There a message replaces the one before it.
      if (unsubscribe || id === 'whitebit') continue;
      for (const message of channels(markets)) t.ok(ending(message), `${id}: ${message}`);
    }
  }
  t.end();
});
