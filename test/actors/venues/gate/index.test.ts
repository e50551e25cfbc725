import t from 'tap';
import { gate } from '../../../../actors/venues/gate/index.ts';
import { liquidations } from '../../../../actors/venues/gate/liquidations.ts';
import { contractCandle } from '../../../../actors/venues/gate/rows.ts';
import { connection } from '../../../../actors/venues/gate/stream.ts';
import {
  askFor,
  contextOf,
  derivativesOf,
  fixture,
  instrumentOf,
  openInterestOf,
  pricesOf,
} from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = gate.queries;
const { prices, openInterest } = gate.feeds;
const nothing = { received: 0, instruments: new Map() };

t.test('every message that is sent states the time of our clock, in seconds', async (t) => {
  const { stamp, keepAlive } = connection('futures');
  const sent = [...gate.live.prices.usdt.channels(contextOf(gate, 'usdt').instruments)];
  for (const message of [...sent, keepAlive.message]) {
    const { time, ...rest } = JSON.parse(stamp(message, 1_764_000_123_456));
    t.equal(time, 1_764_000_123);
    const { time: _, ...unstamped } = JSON.parse(message);
    t.strictSame(rest, unstamped, 'and nothing else changes');
  }
});

t.test('a liquidated order counts what was filled, at the price of the fill', async (t) => {
  const order = { contract: 'BTC_USDT', time: 1_750_000_003, order_price: '104500' };
  const body = [
    { ...order, size: -165, left: -40, fill_price: '104100.5' },
    { ...order, size: 30, left: 0, fill_price: '103900.1' },
    { ...order, size: 30, left: 30, fill_price: '0' },
  ];
  const { instruments } = contextOf(gate, 'usdt');
  const [request] = liquidations.usdt.past?.requests(instruments, { from: 0, to: 1 }) ?? [];
  if (request === undefined) throw new Error('no request');
  const context = { instruments, received: 0 };
  const parsed = liquidations.usdt.past?.parse(body, context, request);
  t.strictSame(parsed?.dropped, [], 'an order without a fill is no error');
  t.strictSame(
    parsed?.rows.map((row) => [row.side, row.price, row.price_kind, row.quantity_base]),
    [
      // Contracts of 0.0001 BTC.
      ['short', 104_100.5, 'fill', 0.0125],
      ['long', 103_900.1, 'fill', 0.003],
    ],
  );
});

t.test('a list of contracts that is longer than its pages is named', async (t) => {
  const { parse } = gate.feeds.instruments.parts.usdt;
  const contract = { quanto_multiplier: '0.0001', funding_interval: 28_800, in_delisting: false };
  const page = (first: number, length: number) =>
    Array.from({ length }, (_, at) => ({ ...contract, name: `A${first + at}_USDT` }));
  const cut = parse([page(0, 1_000), page(1_000, 1_000)], nothing);
  t.equal(cut.rows.length, 2_000);
  t.strictSame(cut.dropped, [{ key: 'list', code: 'list_cut_off' }]);
  t.strictSame(parse([page(0, 1_000), page(1_000, 999)], nothing).dropped, []);
  t.strictSame(parse([page(0, 3)], nothing).dropped, []);
});

t.test('an unknown name leaves the message that it was in', (t) => {
  const { channels, refuses, parse } = gate.live.prices.usdt;
  const instruments = contextOf(gate, 'usdt').instruments;
  const sent = channels(instruments);
  const refusal = (message: string) => ({
    ...{ time: 1_790_000_000, channel: 'futures.tickers', event: 'subscribe' },
    ...{ payload: ['BTC_USDT'], error: { code: 2, message }, result: { status: 'fail' } },
  });
  const names = [...instruments.keys()].filter((name) => name !== 'PEPE_USDT');
  const rest = JSON.stringify({ ...JSON.parse(sent[0] ?? ''), payload: names });
  const unknown = refusal('unknown contract PEPE_USDT');
  t.strictSame(refuses?.(unknown, sent), { of: sent[0], rest });
  t.throws(() => parse(unknown, { instruments, received: 0, connection: {} }), {
    message: 'Gate error: unknown contract PEPE_USDT',
  });
  t.strictSame(refuses?.(refusal(`unknown: ${[...instruments.keys()]}`), sent), {
    of: sent[0],
    rest: null,
  });
  const other = { ...unknown, event: 'unsubscribe' };
  const update = { ...unknown, event: 'update', error: null };
  for (const message of [refusal('Alert sub'), other, update, null, 'x'])
    t.equal(refuses?.(message, sent), null);
  t.end();
});

t.test('the markets that are followed', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(gate, part).instruments].map(([id, i]) => [id, i.kind]));
  t.strictSame(kinds('spot'), {
    ...{ BTC_USDT: 'spot', USDC_USDT: 'spot', '1INCH_USDT': 'spot', ETH_BTC: 'spot' },
    BTC3L_USDT: 'other', // leveraged tokens
    ...{ ETH5S_USDT: 'other', OLD_USDT: 'other' },
    NEW_USDT: 'other', // buyable only
  });
  t.strictSame(kinds('usdt'), {
    ...{ BTC_USDT: 'perpetual', PEPE_USDT: 'perpetual', '1000SATS_USDT': 'perpetual' },
    TSLA_USDT: 'other', // a share
    OLD_USDT: 'other', // in delisting
    NEW_USDT: 'other', // before its launch, without a size
  });
  t.strictSame(kinds('btc'), { BTC_USD: 'perpetual', ETH_USD: 'other' }, 'a quanto has no size');
  t.strictSame(instrumentOf(gate, 'btc', 'BTC_USD'), {
    ...{ market: 'BTC_USD', kind: 'perpetual', symbol: 'BTC', quote: 'USD', scale: 1 },
    contract: 1, // quanto_multiplier 0: 1 USD
    ...{ inverse: true, funding_hours: 8 },
  });
  t.strictSame(kinds('usd1'), { BTC_USD1: 'perpetual', ETH_USD1: 'perpetual', XAU_USD1: 'other' });
  t.match(instrumentOf(gate, 'usd1', 'BTC_USD1'), {
    ...{ quote: 'USD1', contract: 0.0001, inverse: false },
  });
  t.match(openInterestOf(gate, 'usd1').rows, [
    { market: 'BTC_USD1', units: 300, value: 300 * 104_030 },
    { market: 'ETH_USD1', units: 400, value: 400 * 2_500.5 },
  ]);
  t.match(instrumentOf(gate, 'usdt', '1000SATS_USDT'), {
    ...{ symbol: 'SATS', scale: 1000, contract: 1000, funding_hours: 1 },
  });
});

t.test('prices', async (t) => {
  const rows = (part: string) =>
    pricesOf(gate, part).rows.map((row) => [row.market, row.price, row.volume, row.change]);
  t.strictSame(rows('spot'), [
    ['BTC_USDT', 104000.5, 520_002_500, 4],
    ['USDC_USDT', 0.9998, null, -0.01], // "nan" is unknown, not 0
    ['1INCH_USDT', 0.25, 1000, null],
  ]);
  t.strictSame(rows('usdt'), [
    ['BTC_USDT', 104000, 9_360_000_000, 4],
    ['PEPE_USDT', 0.0000113, 2_240_000, -5],
    ['1000SATS_USDT', 0.00004 / 1000, null, 0],
  ]);
  t.strictSame(rows('btc'), [['BTC_USD', 100000, 15_000_000, 4]]);
  for (const part of gate.parts) t.strictSame(pricesOf(gate, part).dropped, [], part);
});

t.test('the id states base and quote of a market that the list does not hold', async (t) => {
  const spot = pricesOf(gate, 'spot', nothing);
  t.match(spot.rows[0], { market: 'BTC_USDT', kind: 'spot', symbol: 'BTC', quote: 'USDT' });
  t.notOk(
    spot.rows.some((row) => /[35][LS]_/.test(row.market)),
    'leveraged tokens are none',
  );
  t.match(pricesOf(gate, 'btc', nothing).rows[0], {
    ...{ kind: 'perpetual', symbol: 'BTC', quote: 'USD' },
  });
  const dated = [
    { contract: 'BTC_USDT_20260626', last: '1' },
    { contract: 'BTC', last: '1' },
  ];
  t.strictSame(prices.parts.usdt.parse([dated], nothing), {
    rows: [],
    dropped: [{ key: 'BTC', code: 'unknown_instrument' }],
  });
});

t.test('derivatives: seconds become hours and milliseconds', async (t) => {
  const { rows, dropped } = derivativesOf(gate, 'usdt');
  t.strictSame(dropped, []);
  t.strictSame(rows[0], {
    ...{ market: 'BTC_USDT', symbol: 'BTC', quote: 'USDT', mark: 104010, index: 103990 },
    funding_rate: 0.0001,
    funding_hours: 8, // 28,800 s
    ...{ funding_rate_8h: 0.0001, next_funding: 1_750_003_200_000, stated: null },
  });
  t.match(rows[1], { funding_hours: 4, funding_rate: -0.0003, funding_rate_8h: -0.0006 });
  t.match(rows[2], {
    market: '1000SATS_USDT',
    mark: 0.00004 / 1000,
    index: null, // an empty string
    funding_hours: 1,
    funding_rate_8h: 0.0004, // 0.00005 x 8
    next_funding: null, // 0
  });
  t.match(derivativesOf(gate, 'btc').rows, [{ market: 'BTC_USD', mark: 100000 }]);
});

t.test('open interest: contracts of one side times their size', async (t) => {
  t.match(openInterestOf(gate, 'usdt').rows, [
    { market: 'BTC_USDT', units: 50_000, value: 5_200_500_000 }, // 500,000,000 x 0.0001 BTC x 104,010
    { market: 'PEPE_USDT', units: 200_000_000_000, value: 2_240_000 }, // 20,000 x 1e7 x 0.0000112
    // 2,500,000.5 x 1000 x 1000 SATS, at 0.00004 per 1000; a decimal string.
    { market: '1000SATS_USDT', units: 2_500_000_500_000, value: 2_500_000_500 * 0.00004 },
  ]);
  t.match(openInterestOf(gate, 'btc').rows, [
    { market: 'BTC_USD', units: 1200, value: 120_000_000 }, // 120,000,000 x 1 USD / 100,000
  ]);
});

t.test('contracts come in pages', async (t) => {
  const row = { name: 'B_USDT', type: 'direct', quanto_multiplier: '1', position_size: 3 };
  const second = { ...row, name: 'C_USDT', mark_price: '2' };
  const context = { received: 0, instruments: new Map() };
  const { rows, dropped } = openInterest.parts.usdt.parse([[row], [second]], context);
  t.match(rows, [{ market: 'C_USDT', units: 3, value: 6 }]);
  t.strictSame(
    dropped,
    [{ key: 'B_USDT', code: 'bad_row' }],
    'without a mark price there is no value',
  );
  for (const bodies of [
    [[], []],
    [[row], {}],
    [{}, []],
  ]) {
    t.throws(() => openInterest.parts.usdt.parse(bodies, context), { name: 'ShapeError' });
  }
});

t.test('order books', async (t) => {
  const book = (part: string, market: string) =>
    orderBook.parse(fixture(gate, `${part}-order-book`), askFor(gate, part, market));
  const spot = book('spot', 'BTC_USDT');
  t.strictSame(spot.bids[0], { price: 104000.4, quantity: 0.5 });
  t.equal(spot.stated, 1750000000400);
  const linear = book('usdt', 'BTC_USDT');
  t.strictSame(linear.bids[0], { price: 104000, quantity: 1 }, '10,000 x 0.0001');
  t.match(linear.asks[1], { quantity: 81.5 * 0.0001 }, 'a decimal string');
  t.equal(linear.stated, 1750000000345, 'seconds with a fraction');
  const inverse = book('btc', 'BTC_USD');
  t.strictSame(inverse.bids[0], { price: 100000, quantity: 0.05 }, '5,000 USD / 100,000');
  const unknown = { market: 'NEW_USDT', part: 'usdt', instrument: null };
  const body = fixture(gate, 'usdt-order-book');
  t.throws(() => orderBook.parse(body, unknown), { name: 'ShapeError' }, 'no size, no book');
});

t.test('candles', async (t) => {
  const rows = (part: string, market: string) =>
    candles.parse(fixture(gate, `${part}-candles`), askFor(gate, part, market));
  t.strictSame(rows('spot', 'BTC_USDT')[0], {
    ...{ timestamp: 1749996000000, open: 104000, high: 104400, low: 103900, close: 104200 },
    ...{ volume: 10, turnover: 1_042_000 },
  });
  t.match(rows('usdt', 'BTC_USDT')[0], { volume: 10, turnover: 1_042_000 }, '100,000 x 0.0001');
  const [closed, running] = rows('btc', 'BTC_USD');
  // `sum` is quote here: 2,000,000 USD at the middle of 99,500, 100,100, 99,400 and 100,000.
  t.match(closed, { volume: 2_000_000 / 99_750, turnover: 2_000_000 });
  // And base here: 0.4998 is between 50,000 / 100,500 and 50,000 / 99,900.
  t.match(running, { volume: 0.4998, turnover: 50_000 });
  const at = contractCandle({ scale: 1, contract: 1, inverse: true });
  const volumes = ['5', '10', '4.9', '10.1'].map(
    (sum) => at({ t: 1, o: '10', h: '20', l: '10', c: '20', v: '100', sum }).volume,
  );
  t.strictSame(volumes, [5, 10, 100 / 15, 100 / 15], 'from 100 / 20 to 100 / 10');
});

t.test('the streams are on the connection of the exchange', async (t) => {
  t.match(gate.live.prices.spot, { silence: connection('spot').silence });
});

wholeVenue(gate);
