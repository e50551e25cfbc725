/** Public trades: our own fixtures, damaged messages, genuine recordings where there are any, and the simulator. */
import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import { asRow } from '../../../actors/read.ts';
import { trades } from '../../../actors/venues/binance/streams.ts';
import { type Trade, TradeFold } from '../../../indicators/derivatives/trade-fold.ts';
import { startSimulator } from '../../../scripts/simulator/main.ts';
import { aggTrades } from '../../../scripts/simulator/trades/binance.ts';
import { framesOf, noSessions } from '../../support/book-sessions.ts';
import { FakeClock } from '../../support/clock.ts';
import { absent, recording } from '../../support/recordings.ts';
import { sameRows } from '../../support/table.ts';
import { context, damaged } from './stream-suite.ts';

const { linear } = trades;
const instruments = [
  { market: 'BTCUSDT', symbol: 'BTC' },
  { market: '1000PEPEUSDT', symbol: 'PEPE', scale: 1_000 },
];
const message = (market: string, bought: boolean) => ({
  ...{ e: 'aggTrade', E: 1_750_000_000_900, s: market, a: 77, p: '0.0125', q: '2000' },
  ...{ f: 1, l: 3, T: 1_750_000_000_800, m: !bought },
});
const isSound = ({ id, price, quantity, timestamp }: Trade): boolean =>
  [price, quantity, id].every((one) => one > 0 && Number.isFinite(one)) &&
  Number.isInteger(timestamp);

t.test('a trade in canonical units, with the side of the taker', async (t) => {
  const read = (one: unknown) => linear.parse(one, context(instruments));
  sameRows(t, read(message('1000PEPEUSDT', true))?.rows)`
    market       id timestamp         price     quantity  bought
    1000PEPEUSDT 77 1_750_000_000_800 0.0000125 2_000_000 true
  `;
  t.match(read(message('BTCUSDT', false))?.rows, [{ bought: false }]);
  t.strictSame(read(message('OTHER', true)), { rows: [], dropped: [] });
  for (const one of [{ result: null, id: 1 }, { e: 'kline' }]) t.equal(read(one), null);
  for (const one of [{ error: { code: 2, msg: 'no' }, id: 1 }, 7, 'hello', null, [], {}])
    t.throws(() => read(one), ShapeError);
  const whole = message('BTCUSDT', true);
  t.match(read({ ...whole, a: 1 })?.rows, [{ id: 1 }]);
  const bad = [{ a: 0 }, { a: 1.5 }, { a: -1 }, { p: 0 }, { q: 0 }, { T: 0 }, { m: 'x' }];
  for (const one of [...bad, { p: '1e200', q: '1e200' }])
    t.match(read({ ...whole, ...one }), { rows: [], dropped: [{ code: 'bad_row' }] });
  const messages = [whole];
  const fixture = { instruments, other: [], refused: [], messages, events: [] };
  t.strictSame(damaged<Trade>({ stream: linear, isSound }, fixture), []);
});

t.test('recorded frames', { skip: absent }, async (t) => {
  const read = (file: string, market: string) => {
    const frame = asRow(recording('binance', file)?.response).data;
    return linear.parse(frame, context([{ market, symbol: 'X' }]));
  };
  t.match(read('ws-perp-agg-trade', 'AKROUSDT')?.rows, [
    { id: 14_888_302, price: 0.01731, quantity: 312, bought: false, timestamp: 1_626_992_742_134 },
  ]);
  // Single fills, and what the insurance fund trades, come on another channel.
  for (const file of ['ws-perp-trade', 'ws-perp-trade-insurance-fund'])
    t.equal(read(file, 'BTCUSDT'), null);
});

t.test('a recorded session numbers its trades one by one', { skip: noSessions }, async (t) => {
  const folds = new Map<string, TradeFold>();
  // The second session of the recording is that of USD-M.
  const taken = framesOf('binance', 1).flatMap((frame) => {
    const { data } = asRow(JSON.parse(frame));
    const { s: market, e: kind } = asRow(data);
    if (kind !== 'aggTrade' || typeof market !== 'string') return [];
    const read = linear.parse(data, context([{ market, symbol: 'X' }]));
    const fold = folds.get(market) ?? new TradeFold();
    folds.set(market, fold);
    return read?.rows.map((trade) => fold.take(trade)) ?? [];
  });
  t.ok(taken.length > 10);
  t.strictSame([...new Set(taken)], ['taken']);
});

t.test('the trades of the simulator add up to its candles', async (t) => {
  const clock = new FakeClock(1_790_000_040_000);
  const simulator = await startSimulator({ symbols: 16, clock });
  t.teardown(() => simulator.close());
  const { model } = simulator;
  const to = { host: 'fstream.binance.com', path: '/market/ws' };
  const [market] = model.markets('binance', clock.now(), 'fapi');
  if (!market) throw new Error('there is no market');
  const row = { market: market.id, symbol: market.symbol, scale: market.scale };
  const [asked = ''] = linear.channels(context([row]).instruments);
  const channels = new Set(aggTrades.named(asked, to));
  t.equal(channels.size, 1);
  t.equal(aggTrades.named(asked, { ...to, path: '/ws' }).length, 0, 'without the route none');
  const fold = new TradeFold();
  const start = clock.now();
  const seconds = Array.from({ length: 122 }, (_, second) => start + second * 1_000);
  const told = seconds.flatMap((now) =>
    aggTrades.messages(channels, { now, model, first: false }).flatMap((one) => {
      const read = linear.parse(one, context([row]));
      return read?.rows.map((trade) => fold.take(trade)) ?? [];
    }),
  );
  t.strictSame([told.length, new Set(told)], [244, new Set(['taken'])]);
  const minutes = fold.close(start + 120_000);
  const last = minutes.at(-1);
  const candle = market.stretch(start + 60_000, start + 120_000);
  const sum = (name: 'buy_base' | 'sell_base') =>
    (last?.buckets ?? []).reduce((all, bucket) => all + bucket[name], 0);
  t.equal(last?.timestamp, start + 60_000);
  t.ok(Math.abs(sum('buy_base') / (candle.bought * market.scale) - 1) < 1e-6);
  t.ok(Math.abs(sum('sell_base') / ((candle.quantity - candle.bought) * market.scale) - 1) < 1e-6);
  t.match(last, { high: candle.high / market.scale, low: candle.low / market.scale });
});
