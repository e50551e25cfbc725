import t from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import { binance } from '../../../../actors/venues/binance/index.ts';
import {
  connection,
  isAnswer,
  liquidationsAt,
  pricesAt,
  subscription,
} from '../../../../actors/venues/binance/streams.ts';
import { context, listed } from '../stream-suite.ts';

t.test('a connection in the form of Binance and its subscriptions', async (t) => {
  const { acknowledges, ends, ...properties } = connection;
  t.strictSame(properties, {
    keepAlive: { every: 25_000, message: '{"method":"LIST_SUBSCRIPTIONS","id":2}' },
    lifetime: 86_400_000,
  });
  const messages = [{ result: null, id: 1 }, { result: [] }, { id: 1 }, []];
  t.strictSame(messages.map(acknowledges), [1, 0, 0, 0]);
  t.strictSame(messages.map(isAnswer), [true, true, false, false]);
  for (const refusal of [{ error: { msg: 'no' } }, { msg: { msg: 'no' } }])
    t.throws(() => isAnswer(refusal), new ShapeError('refused: no'));
  t.equal(subscription('!x@arr'), '{"method":"SUBSCRIBE","params":["!x@arr"],"id":1}');
  const shutdown = { e: 'serverShutdown', E: 1_770_123_456_789 };
  t.strictSame([shutdown, { e: 'trade' }, [], null].map(ends), [true, false, false, false]);
  const { parse } = pricesAt('wss://x.example/ws');
  t.equal(parse(shutdown, { received: 0, instruments: new Map(), connection: {} }), null);
});

/** Fields as in upstreams/websockets.md 2 and analytics.md 3; SELL closes a long position. */
t.test('orders of liquidations, and what comes beside them', async (t) => {
  const { parse, channels } = liquidationsAt('wss://x.example/ws');
  const instruments = listed([{ market: 'BTCUSDT', symbol: 'BTC', kind: 'perpetual' }]);
  const at = { received: 1_750_000_000_500, instruments, connection: {} };
  t.strictSame(channels(instruments), [
    '{"method":"SUBSCRIBE","params":["!forceOrder@arr"],"id":1}',
  ]);
  const order = {
    ...{ s: 'BTCUSDT', S: 'SELL', o: 'LIMIT', f: 'IOC', q: '0.5', p: '99', ap: '100', X: 'FILLED' },
    ...{ l: '0.2', z: '0.5', T: 1_750_000_000_123 },
  };
  t.match(parse({ e: 'forceOrder', E: 1_750_000_000_200, o: order }, at)?.rows, [
    { contract: 'BTCUSDT', side: 'long', price: 100, timestamp: 1_750_000_000_123 },
  ]);
  for (const message of [
    { e: 'serverShutdown' },
    { e: 'contractInfo', o: order },
    { result: null },
  ])
    t.equal(parse(message, at), null, JSON.stringify(message));
  t.throws(() => parse({ o: order }, at), { name: 'ShapeError' }, 'an event without a name');
});

/** https://developers.binance.com/docs/derivatives/coin-margined-futures/Important-CM-UM-Integration-Notice, D.4 */
t.test(
  'the streams of all markets have those of USD-M and of COIN-M: each part reads its own',
  async (t) => {
    const at = 1_790_000_000_900;
    const dollars = { s: 'ETHUSDT', ps: 'ETHUSDT', st: 1, E: at };
    const coins = { s: 'ETHUSD_PERP', ps: 'ETHUSD', st: 2, E: at };
    const parts = {
      linear: context([{ market: 'ETHUSDT' }]),
      inverse: context([{ market: 'ETHUSD_PERP' }]),
    };
    const found = (
      parsed: { rows: readonly object[]; dropped: readonly object[] } | null | undefined,
    ) => parsed && [parsed.rows.length, parsed.dropped];
    const day = {
      e: '24hrMiniTicker',
      c: '2500',
      o: '2400',
      h: '2600',
      l: '2300',
      v: '90',
      q: '70',
    };
    const prices = [coins, dollars].map((row) => ({ ...row, ...day }));
    const marks = [coins, dollars].map((row) => ({ ...row, p: '2501', i: '2502', r: '0', T: at }));
    const order = {
      S: 'SELL',
      o: 'LIMIT',
      f: 'IOC',
      q: '3',
      p: '9',
      ap: '8',
      X: 'FILLED',
      z: '3',
      T: at,
    };
    for (const part of ['linear', 'inverse'] as const) {
      const where = { ...parts[part], connection: {} };
      t.strictSame(found(binance.live.prices[part].parse(prices, where)?.prices), [1, []], part);
      const read = binance.events.liquidations[part].parse;
      const others = part === 'linear' ? coins : dollars;
      // Beside the order as documented, and in it as it comes.
      const { st } = others;
      for (const message of [
        { e: 'forceOrder', E: at, st, o: { ...order, s: others.s } },
        { e: 'forceOrder', E: at, o: { ...order, s: others.s, st } },
      ])
        t.strictSame(found(read(message, where)), [0, []], `liquidations of ${part}`);
      const own = part === 'linear' ? dollars : coins;
      t.strictSame(found(read({ e: 'forceOrder', E: at, o: { ...order, ...own } }, where)), [
        1,
        [],
      ]);
    }
    const linear = { ...parts.linear, connection: {} };
    const rates = binance.live.derivatives.linear.parse(marks, linear)?.derivatives;
    t.strictSame(found(rates), [1, []]);
  },
);
