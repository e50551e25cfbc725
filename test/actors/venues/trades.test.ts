/** Public trades: our own fixtures, damaged messages, genuine recordings where there are any, and the simulator. */
import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import { asRow } from '../../../actors/read.ts';
import type { TradeStream } from '../../../actors/sources/streams/stream.ts';
import type { Instrument } from '../../../actors/topics/index.ts';
import { trades } from '../../../actors/venues/binance/streams.ts';
import { trades as bybitTrades } from '../../../actors/venues/bybit/streams.ts';
import { trades as okxTrades } from '../../../actors/venues/okx/streams.ts';
import { TradeFold } from '../../../indicators/derivatives/trade-fold.ts';
import { framesOf, noSessions } from '../../support/book-sessions.ts';
import { absent, recording } from '../../support/recordings.ts';
import { sameRows } from '../../support/table.ts';
import { context } from './stream-suite.ts';
import { flawsOf } from './suite/damage.ts';

const { linear } = trades;
const instruments = [
  { market: 'BTCUSDT', symbol: 'BTC' },
  { market: '1000PEPEUSDT', symbol: 'PEPE', scale: 1_000 },
];
const message = (market: string, bought: boolean) => ({
  ...{ e: 'aggTrade', E: 1_750_000_000_900, s: market, a: 77, p: '0.0125', q: '2000' },
  ...{ f: 1, l: 3, T: 1_750_000_000_800, m: !bought },
});
/** What is wrong with what a stream makes of a message that is damaged in one place. */
const faults = (stream: TradeStream, rows: Partial<Instrument>[], message: unknown) =>
  flawsOf({
    ...{ name: 'trades', bodies: [message] },
    parse: ([one]) => stream.parse(one, { ...context(rows), connection: {} }),
  });

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
  t.strictSame(faults(linear, instruments, whole), []);
});

t.test('OKX: contracts times their size, the numbers that a row stands for', async (t) => {
  const { swap, spot } = okxTrades;
  const rows = [
    { market: 'BTC-USDT-SWAP', symbol: 'BTC', contract: 0.01 },
    { market: 'BTC-USD-SWAP', symbol: 'BTC', contract: 100, inverse: true },
    { market: 'SATS-USDT-SWAP', symbol: 'SATS', contract: 1_000_000, scale: 1 },
  ];
  const sent = (instId: string, more: object = {}) => ({
    arg: { channel: 'trades', instId },
    data: [
      {
        ...{ instId, tradeId: '130639474', px: '50000', sz: '3', side: 'sell' },
        ...{ ts: '1750000000800', count: '2', ...more },
      },
    ],
  });
  const read = (one: unknown) => swap.parse(one, context(rows));
  // 3 contracts of 0.01 BTC; 3 contracts of 100 dollars at 50,000; 3 of a million.
  sameRows(t, read(sent('BTC-USDT-SWAP'))?.rows)`
    market        id        timestamp         price quantity bought count
    BTC-USDT-SWAP 130639474 1_750_000_000_800 50000 0.03     false  2
  `;
  t.match(read(sent('BTC-USD-SWAP', { side: 'buy' }))?.rows, [{ quantity: 0.006, bought: true }]);
  t.match(read(sent('SATS-USDT-SWAP', { px: '0.0000003' }))?.rows, [{ quantity: 3_000_000 }]);
  t.notOk('count' in (read(sent('BTC-USDT-SWAP', { count: '1' }))?.rows[0] ?? {}));
  t.strictSame(read(sent('OTHER')), { rows: [], dropped: [] });
  t.strictSame([spot, swap], [swap, swap]);
  for (const one of ['pong', { event: 'subscribe', arg: {} }]) t.equal(read(one), null);
  t.throws(() => read({ event: 'error', code: '60012' }), ShapeError);
  const bad = [
    { px: '0' },
    { sz: '-1' },
    { side: '' },
    { ts: '' },
    { tradeId: 'x' },
    { count: '0' },
  ];
  for (const one of bad)
    t.match(read(sent('BTC-USDT-SWAP', one)), { rows: [], dropped: [{ code: 'bad_row' }] });
  t.strictSame(faults(swap, rows, sent('BTC-USDT-SWAP')), []);
  t.strictSame(swap.channels(context(rows.slice(0, 1)).instruments), [
    '{"op":"subscribe","args":[{"channel":"trades","instId":"BTC-USDT-SWAP"}]}',
  ]);
});

t.test('Bybit: trades without numbers, block trades left out', async (t) => {
  const { linear: contracts } = bybitTrades;
  const rows = [{ market: 'BTCUSDT' }, { market: '1000PEPEUSDT', scale: 1_000 }];
  const sent = (...data: object[]) => ({
    ...{ topic: 'publicTrade.BTCUSDT', type: 'snapshot', ts: 1_750_000_000_900 },
    data: data.map((more) => ({
      ...{ T: 1_750_000_000_800, s: 'BTCUSDT', S: 'Buy', v: '0.5', p: '50000' },
      ...{ i: 'a9188a0a', BT: false, RPI: true, seq: 7, ...more },
    })),
  });
  const read = (one: unknown) => contracts.parse(one, context(rows));
  sameRows(t, read(sent({}, { BT: true }, { S: 'Sell', s: '1000PEPEUSDT', p: '0.01' }))?.rows)`
    market       id name     timestamp         price   quantity bought
    BTCUSDT      -  a9188a0a 1_750_000_000_800 50000   0.5      true
    1000PEPEUSDT -  a9188a0a 1_750_000_000_800 0.00001 500      false
  `;
  for (const one of [{ S: 'None' }, { v: '' }, { p: '0' }, { T: null }])
    t.match(read(sent(one)), { rows: [], dropped: [{ key: 'BTCUSDT', code: 'bad_row' }] });
  t.equal(read({ success: true, op: 'subscribe', ret_msg: '' }), null);
  t.throws(() => read({ success: false, op: 'subscribe', ret_msg: 'no' }), ShapeError);
  t.strictSame(faults(contracts, rows, sent({})), []);
  t.strictSame(bybitTrades.spot.channels(context(rows).instruments), [
    '{"op":"subscribe","req_id":"2","args":["publicTrade.BTCUSDT","publicTrade.1000PEPEUSDT"]}',
  ]);
});

t.test('recorded frames', { skip: absent }, async (t) => {
  const read = (file: string, market: string) => {
    const frame = asRow(recording('binance', file)?.response).data;
    return linear.parse(frame, context([{ market, symbol: 'X' }]));
  };
  t.match(read('ws-perp-agg-trade', 'AKROUSDT')?.rows, [
    { id: 14_888_302, price: 0.01731, quantity: 312, bought: false, timestamp: 1_626_992_742_134 },
  ]);
  const of = (source: string, file: string, stream: TradeStream, row: Partial<Instrument>) =>
    stream.parse(recording(source, file)?.response, context([row]))?.rows;
  t.match(of('okx', 'ws-perp-trade', okxTrades.swap, { market: 'BTC-USDT-SWAP', contract: 0.01 }), [
    {
      id: 148_266_905,
      price: 48_938.5,
      quantity: 0.05,
      bought: true,
      timestamp: 1_640_131_236_050,
    },
  ]);
  t.match(of('okx', 'ws-spot-trade', okxTrades.spot, { market: 'CRV-USDT' }), [
    { id: 21_300_150, price: 3.973, quantity: 13.491146, bought: true },
  ]);
  t.match(of('okx', 'ws-trade-count', okxTrades.spot, { market: 'BTC-USD' }), [
    { id: 130_639_474, count: 3, quantity: 0.12060306 },
  ]);
  t.match(of('bybit', 'ws-perp-linear-trade', bybitTrades.linear, { market: 'BTCUSDT' }), [
    { id: null, price: 65_114.2, quantity: 0.004, bought: false, timestamp: 1_786_310_819_680 },
  ]);
  t.match(of('bybit', 'ws-spot-trade', bybitTrades.spot, { market: 'BTCUSDT' }), [
    { id: null, price: 65_140.5, quantity: 0.002705, bought: true },
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
