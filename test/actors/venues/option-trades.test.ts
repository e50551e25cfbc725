/** The streams of trades of options: messages of our own in the documented form, broken ones, and the simulator. */
import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import { deribit } from '../../../actors/venues/deribit/index.ts';
import { okx } from '../../../actors/venues/okx/index.ts';
import { Model } from '../../../scripts/simulator/model.ts';
import { venues as simulated } from '../../../scripts/simulator/registry.ts';
import { FakeClock } from '../../support/clock.ts';
import { sameRows } from '../../support/table.ts';

const { inverse, linear } = deribit.events.optionTrades;
const { swap } = okx.events.optionTrades;
const context = { received: 1_750_000_000_500, instruments: new Map() };
const expiry = Date.UTC(2025, 5, 27, 8);

const ofDeribit = (...data: readonly unknown[]) => ({
  jsonrpc: '2.0',
  method: 'subscription',
  params: { channel: 'trades.option.ETH.100ms', data },
});
const inEther = {
  trade_seq: 7,
  trade_id: 'ETH-11',
  timestamp: 1_750_000_000_123,
  tick_direction: 1,
  price: 0.025,
  mark_price: 0.0125,
  index_price: 4_000,
  iv: 62.5,
  instrument_name: 'ETH-27JUN25-4400-C',
  direction: 'sell',
  amount: 40,
  contracts: 40,
};
const inDollars = {
  ...inEther,
  trade_id: 'XRP_USDC-12',
  instrument_name: 'XRP_USDC-27JUN25-0d525-P',
  price: 0.125,
  mark_price: 0.25,
  index_price: 0.5,
  amount: 1_000,
  direction: 'buy',
  block_trade_id: 'BLOCK-9',
};

const ofOkx = (...data: readonly unknown[]) => ({
  arg: { channel: 'option-trades', instType: 'OPTION', instFamily: 'BTC-USD' },
  data,
});
const inBitcoin = {
  fillVol: '0.4375',
  fwdPx: '100_100',
  idxPx: '100000',
  instFamily: 'BTC-USD',
  instId: 'BTC-USD-250627-110000-P',
  markPx: '0.031',
  optType: 'P',
  px: '0.03',
  side: 'buy',
  sz: '250',
  tradeId: '38',
  ts: '1750000000321',
};

t.test('Deribit: prices in the coin at the index of the trade, or in dollars', async (t) => {
  sameRows(t, inverse.parse(ofDeribit(inEther, inDollars), context)?.rows)`
    contract                 symbol expiry    strike type settle side price    price_base
    ETH-27JUN25-4400-C       ETH    ${expiry} 4400   call ETH    sell 100      0.025
    XRP_USDC-27JUN25-0d525-P XRP    ${expiry} 0.525  put  USDC   buy  0.125    -

    quantity mark index iv    block timestamp         id
    40       50   4000  0.625 false 1_750_000_000_123 ETH-11
    1000     0.25 0.5   0.625 true  1_750_000_000_123 XRP_USDC-12
  `;
  t.strictSame(
    [inverse, linear].map((one) => one.channels(new Map()).map((sent) => JSON.parse(sent).params)),
    [
      [{ channels: ['trades.option.BTC.100ms', 'trades.option.ETH.100ms'] }],
      [{ channels: ['trades.option.USDC.100ms'] }],
    ],
  );
});

t.test('OKX: contracts of a hundredth of a Bitcoin and of a tenth of an Ether', async (t) => {
  const inEtherToo = { ...inBitcoin, instId: 'ETH-USD-250627-4400-C', idxPx: '4000', fillVol: '' };
  sameRows(t, swap.parse(ofOkx(inBitcoin, { ...inEtherToo, side: 'sell' }), context)?.rows)`
    contract                symbol expiry    strike type settle side price         price_base
    BTC-USD-250627-110000-P BTC    ${expiry} 110000 put  BTC    buy  0.03*100_000  0.03
    ETH-USD-250627-4400-C   ETH    ${expiry} 4400   call ETH    sell 0.03*4000     0.03

    quantity mark          index   iv     block timestamp         id
    250*0.01 0.031*100_000 100_000 0.4375 -     1_750_000_000_321 ${'38'}
    250*0.1  0.031*4000    4000    -      -     1_750_000_000_321 ${'38'}
  `;
  t.strictSame(
    swap.channels(new Map()).map((sent) => JSON.parse(sent)),
    [
      {
        op: 'subscribe',
        args: ['BTC-USD', 'ETH-USD'].map((instFamily) => ({
          channel: 'option-trades',
          instType: 'OPTION',
          instFamily,
        })),
      },
    ],
  );
});

t.test('a row without its terms, side, size, price, index, time or id is dropped', async (t) => {
  const bad: readonly object[] = [
    ...[{ instrument_name: 'ETH-PERPETUAL' }, { instrument_name: 'ETH-31FEB25-4400-C' }],
    ...[{ direction: 'zero' }, { amount: 0 }, { amount: 1e8 }, { price: 0 }, { price: 1e308 }],
    ...[{ index_price: undefined }, { timestamp: '' }, { trade_id: undefined }],
  ];
  const parsed = inverse.parse(
    ofDeribit(7, ...bad.map((one) => ({ ...inEther, ...one }))),
    context,
  );
  t.strictSame(parsed?.rows, []);
  t.strictSame(
    parsed?.dropped.map(({ code }) => code),
    Array(bad.length + 1).fill('bad_row'),
  );
  const others = [{ instId: 'SOL-USD-250627-150-C' }, { sz: '-1' }, { side: '' }, { idxPx: '' }];
  const found = swap.parse(ofOkx(...others.map((one) => ({ ...inBitcoin, ...one }))), context);
  t.strictSame([found?.rows, found?.dropped.length], [[], others.length]);
});

t.test('what is no trade, and the key of one', async (t) => {
  t.equal(inverse.parse({ jsonrpc: '2.0', method: 'heartbeat', params: {} }, context), null);
  t.equal(swap.parse('pong', context), null);
  t.equal(swap.parse({ event: 'subscribe', arg: {} }, context), null);
  t.throws(() => inverse.parse({ error: { message: 'no' } }, context), ShapeError);
  t.throws(() => swap.parse({ event: 'error', code: '60012' }, context), ShapeError);
  const [trade] = inverse.parse(ofDeribit(inEther), context)?.rows ?? [];
  t.equal(trade && inverse.keyOf(trade), 'ETH-27JUN25-4400-C|ETH-11');
});

t.test('the simulator sends trades of the options that it lists', async (t) => {
  const clock = new FakeClock(1_790_000_000_000);
  const model = new Model({ seed: 1, symbols: 16, clock, venues: Object.values(simulated) });
  const seconds = Array.from({ length: 120 }, (_, at) => clock.now() + at * 1_000);
  const streams = [
    { id: 'deribit', stream: inverse, symbols: ['BTC', 'ETH'] },
    { id: 'deribit', stream: linear, symbols: ['BTC', 'ETH', 'SOL', 'XRP'] },
    { id: 'okx', stream: swap, symbols: ['BTC', 'ETH'] },
  ] as const;
  for (const { id, stream, symbols } of streams) {
    const { channels } = simulated[id];
    const frames = stream.channels(new Map());
    const names = new Set(
      frames.flatMap((frame) => channels?.named(frame, { host: '', path: '' }) ?? []),
    );
    const messages = seconds.flatMap(
      (now) => channels?.messages(names, { model, now, first: false }) ?? [],
    );
    const parsed = messages.flatMap((one) => stream.parse(one, context) ?? []);
    t.strictSame(
      parsed.flatMap(({ dropped }) => dropped),
      [],
    );
    const rows = parsed.flatMap((one) => one.rows);
    t.strictSame([...new Set(rows.map(({ symbol }) => symbol))].sort(), symbols);
    t.equal(new Set(rows.map(stream.keyOf)).size, rows.length, 'each once');
  }
});
