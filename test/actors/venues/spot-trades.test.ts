/** Public trades of spot markets by stream, as each exchange documents its messages (upstreams/websockets.md 11, 12, 13, 18). */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { isRecord } from '../../../actors/read.ts';
import type { TradeStream } from '../../../actors/sources/streams/stream.ts';
import { bitfinex } from '../../../actors/venues/bitfinex/index.ts';
import { bitstamp } from '../../../actors/venues/bitstamp/index.ts';
import { coinbase } from '../../../actors/venues/coinbase/index.ts';
import { kraken } from '../../../actors/venues/kraken/index.ts';
import { TradeFold } from '../../../indicators/derivatives/trade-fold.ts';
import { listed } from './stream-suite.ts';

const sessions = fileURLToPath(new URL('../../../../shared/wire-sessions', import.meta.url));
const noSessions = existsSync(sessions) ? false : `no sessions in ${sessions}`;

function reading(stream: TradeStream | undefined, markets: Parameters<typeof listed>[0]) {
  if (stream === undefined) throw new Error('no stream of trades');
  const instruments = listed(markets);
  const connection = {};
  return {
    sent: stream.channels(instruments).map((one): unknown => JSON.parse(one)),
    read: (message: unknown, by = connection) =>
      stream.parse(message, { instruments, connection: by, received: 1_790_000_000_000 }),
  };
}

/** `btcusd` and so on are names of the exchanges; all are of Bitcoin against the dollar. */
const bitcoin = (market: string) =>
  reading(
    {
      tBTCUSD: bitfinex.trades?.all,
      btcusd: bitstamp.trades?.markets,
      'BTC-USD': coinbase.trades?.spot,
      XXBTZUSD: kraken.trades?.spot,
    }[market],
    [{ market, symbol: 'BTC', quote: 'USD', kind: 'spot' }],
  );
const at = Date.parse('2026-08-09T21:05:48.167Z');

t.test('Kraken: numbered, the side of the taker, and pairs by their names', async (t) => {
  const { sent, read } = bitcoin('XXBTZUSD');
  const params = { channel: 'trade', symbol: ['BTC/USD'], snapshot: false };
  t.strictSame(sent, [{ method: 'subscribe', params }]);
  const row = { symbol: 'BTC/USD', side: 'sell', price: 65000.1, qty: 0.25, ord_type: 'market' };
  const traded = { ...row, trade_id: 7, timestamp: '2026-08-09T21:05:48.167634Z' };
  const message = { channel: 'trade', type: 'update', data: [traded, { ...traded, side: 'buy' }] };
  const about = { market: 'XXBTZUSD', id: 7, timestamp: at, price: 65000.1, quantity: 0.25 };
  t.strictSame(read(message)?.rows, [
    { ...about, bought: false },
    { ...about, bought: true },
  ]);
  t.equal(read({ ...message, type: 'snapshot' }), null, 'trades of the past');
  t.equal(read({ channel: 'heartbeat' }), null);
  t.equal(read({ method: 'subscribe', success: true }), null);
  t.throws(() => read({ method: 'subscribe', success: false, error: 'Currency pair' }));
});

t.test('Coinbase: numbered, the side of the maker, the newest first', async (t) => {
  const { sent, read } = bitcoin('BTC-USD');
  t.strictSame(sent, [{ type: 'subscribe', channel: 'market_trades', product_ids: ['BTC-USD'] }]);
  const row = (trade_id: string, side: string) => ({
    ...{ product_id: 'BTC-USD', trade_id, price: '65083.67', size: '0.01034361', side },
    time: '2026-08-09T21:05:48.167634Z',
  });
  const trades = [row('9', 'SELL'), row('8', 'BUY')];
  const message = { channel: 'market_trades', events: [{ type: 'update', trades }] };
  const about = { market: 'BTC-USD', timestamp: at, price: 65083.67, quantity: 0.01034361 };
  t.strictSame(read(message)?.rows, [
    { ...about, id: 8, bought: false },
    { ...about, id: 9, bought: true },
  ]);
  const past = { channel: 'market_trades', events: [{ type: 'snapshot', trades }] };
  t.strictSame(read(past)?.rows, [], 'trades of the past');
  t.equal(read({ channel: 'heartbeats', events: [] }), null);
  t.throws(() => read({ type: 'error', message: 'no' }));
});

t.test('Bitstamp: 0 where the taker bought, microseconds, numbers of all markets', async (t) => {
  const { sent, read } = bitcoin('btcusd');
  t.strictSame(sent, [{ event: 'bts:subscribe', data: { channel: 'live_trades_btcusd' } }]);
  const data = { id: 216000477, amount: 0.0792, price: 3805.44, type: 0 };
  const message = {
    data: { ...data, timestamp: '1641343699', microtimestamp: '1641343699596000' },
    ...{ channel: 'live_trades_btcusd', event: 'trade' },
  };
  t.strictSame(read(message)?.rows, [
    {
      ...{ market: 'btcusd', id: null, name: '216000477', timestamp: 1_641_343_699_596 },
      ...{ price: 3805.44, quantity: 0.0792, bought: true },
    },
  ]);
  t.match(read({ ...message, data: { ...message.data, type: 1 } })?.rows, [{ bought: false }]);
  t.match(read({ ...message, data: { ...message.data, type: 2 } }), {
    rows: [],
    dropped: [{ key: 'btcusd', code: 'bad_row' }],
  });
  t.equal(read({ event: 'bts:subscription_succeeded', channel: 'live_trades_btcusd' }), null);
  const { ends } = bitstamp.trades?.markets ?? {};
  t.same(
    [{ event: 'bts:request_reconnect' }, message].map((one) => ends?.(one)),
    [true, false],
  );
});

t.test('Bitfinex: each trade once, under the number of its subscription', async (t) => {
  const { sent, read } = bitcoin('tBTCUSD');
  t.strictSame(sent, [{ event: 'subscribe', channel: 'trades', symbol: 'tBTCUSD' }]);
  const subscribed = { event: 'subscribed', channel: 'trades', chanId: 17, symbol: 'tBTCUSD' };
  t.equal(read(subscribed), null);
  const row = [452025730, 1_590_593_199_934, -0.005, 9135.5];
  t.strictSame(read([17, 'te', row])?.rows, [
    {
      ...{ market: 'tBTCUSD', id: null, name: '452025730', timestamp: 1_590_593_199_934 },
      ...{ price: 9135.5, quantity: 0.005, bought: false },
    },
  ]);
  for (const other of [
    [17, 'tu', row],
    [17, 'hb'],
    [17, [row, row]],
    { event: 'info', version: 2 },
  ])
    t.equal(read(other), null, JSON.stringify(other));
  t.match(read([18, 'te', row])?.dropped ?? [], [], 'of a channel that is not ours');
  t.throws(() => read({ event: 'error', code: 10300, msg: 'symbol: invalid' }));
});

t.test('a recorded session of Coinbase: no number is missing', { skip: noSessions }, async (t) => {
  const { read } = bitcoin('BTC-USD');
  const fold = new TradeFold();
  const taken: string[] = [];
  for (const line of readFileSync(`${sessions}/coinbase.jsonl`, 'utf8').split('\n')) {
    if (!line.includes('market_trades')) continue;
    const event: unknown = JSON.parse(line);
    if (!isRecord(event) || event.t !== 'recv') continue;
    const found = read(JSON.parse(`${event.data}`));
    for (const trade of found?.rows ?? [])
      if (trade.market === 'BTC-USD') taken.push(fold.take(trade));
  }
  t.ok(taken.length > 10);
  t.ok(
    taken.every((one) => one === 'taken'),
    taken.join(' '),
  );
});
