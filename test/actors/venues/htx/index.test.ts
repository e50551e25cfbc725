import t from 'tap';
import { htx } from '../../../../actors/venues/htx/index.ts';
import { notification, notified } from '../../../../actors/venues/htx/notifications.ts';
import { contractTickers } from '../../../../actors/venues/htx/rows.ts';
import { connection } from '../../../../actors/venues/htx/stream.ts';
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

const { orderBook, candles } = htx.queries;
const { derivatives, openInterest } = htx.feeds;
const stated = 1_750_000_000_321;

t.test('the markets that are followed', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(htx, part).instruments].map(([id, i]) => [id, i.kind]));
  t.match(kinds('spot'), {
    ...{ btcusdt: 'spot', '1000satsusdt': 'spot', ethbtc: 'spot', '1inchusdt': 'spot' },
    oldusdt: 'other', // suspended
    btc3lusdt: 'other', // leveraged
  });
  t.strictSame(kinds('linear'), {
    ...{ 'BTC-USDT': 'perpetual', '1000PEPE-USDT': 'perpetual', 'ETH-USDT': 'perpetual' },
    ...{ 'OLD-USDT': 'other', 'BTC-USDT-251226': 'other' },
  });
  t.match(instrumentOf(htx, 'spot', '1000satsusdt'), { symbol: 'SATS', scale: 1000 });
  t.match(instrumentOf(htx, 'spot', '1inchusdt'), { symbol: '1INCH', quote: 'USDT', scale: 1 });
  const btc = { symbol: 'BTC', quote: 'USD', contract: 100, inverse: true };
  t.match(instrumentOf(htx, 'inverse', 'BTC-USD'), btc);
  t.match(instrumentOf(htx, 'linear', '1000PEPE-USDT'), { contract: 100, scale: 1000 });
});

t.test('prices of contracts: the turnover of both sides is halved', async (t) => {
  const linear = pricesOf(htx, 'linear');
  t.strictSame(linear.dropped, []);
  t.strictSame(
    linear.rows.map((row) => [row.market, row.price, row.volume]),
    [
      ['BTC-USDT', 104000, 306_000_000], // trade_turnover 612,000,000 / 2
      ['1000PEPE-USDT', 0.0000125, 250_000], // none: 40,000,000 x 0.0125 / 2
      ['ETH-USDT', 2600, 1_300_000], // 100,000 is no turnover of 1000 ETH: 1000 x 2600 / 2
    ],
  );
  t.strictSame(
    pricesOf(htx, 'inverse').rows.map((row) => [row.market, row.price, row.volume]),
    [
      ['BTC-USD', 100000, 147_000_000], // 2,940,000 contracts x 100 USD / 2
      ['ETH-USD', 2600, 2_600_000], // not told: 2000 ETH x 2600 / 2
    ],
  );
});

t.test('derivatives: linear', async (t) => {
  const { rows, dropped } = derivativesOf(htx, 'linear');
  t.strictSame(dropped, []);
  const next_funding = 1_750_003_200_000;
  t.match(rows, [
    {
      ...{ market: 'BTC-USDT', mark: 104002.5, index: 104010.5, next_funding, stated },
      ...{ funding_rate: 0.0001, funding_hours: 8, funding_rate_8h: 0.0001 },
    },
    {
      ...{ market: '1000PEPE-USDT', mark: 0.01252 / 1000, index: 0.0125 / 1000 },
      ...{ funding_rate: -0.00005, funding_hours: 4, funding_rate_8h: -0.0001 },
    },
    // No mark, no index, no time after the next: nothing is made up.
    {
      ...{ market: 'ETH-USDT', mark: null, index: null, next_funding },
      ...{ funding_rate: 0.0001, funding_hours: null, funding_rate_8h: null },
    },
  ]);
});

t.test('derivatives: what fails costs nothing else', async (t) => {
  const body = fixture(htx, 'linear-derivatives');
  const [index, funding, mark, ...second] = Object(body).bodies.slice(0, 5);
  const context = contextOf(htx, 'linear');
  const { linear } = derivatives.parts;
  const rate = { funding_rate: 0.0001, funding_hours: 8, next_funding: 1_750_003_200_000 };
  const unknown = { funding_rate: null, funding_hours: null, next_funding: null };
  const read = (...bodies: unknown[]) => {
    const { rows, dropped } = linear.parse([index, ...bodies], context);
    t.strictSame(dropped, []);
    return rows;
  };
  t.match(read(undefined, undefined, funding, mark), [
    { market: 'BTC-USDT', mark: 104002.5, index: 104010.5, ...rate },
  ]);
  t.match(
    read(funding, undefined, ...second),
    [{ market: 'BTC-USDT', mark: null, index: 104010.5, ...rate }, { mark: 0.01252 / 1000 }],
    'no mark',
  );
  t.match(
    read(undefined, mark, ...second),
    [
      { market: 'BTC-USDT', mark: 104002.5, index: 104010.5, ...unknown, stated: stated + 5 },
      { funding_rate: -0.00005 },
    ],
    'no rate: the market is that of the channel, the time that of the candle',
  );
  const broken = linear.parse([index, {}, undefined, ...second], context);
  t.match(broken.rows, [{ market: '1000PEPE-USDT', index: 0.0125 / 1000 }]);
  t.strictSame(broken.dropped, [{ key: '', code: 'bad_row' }]);
  for (const useless of [
    [{}, {}],
    ['<html>', undefined],
    [undefined, undefined],
  ]) {
    t.throws(() => linear.parse([index, ...useless], context), { name: 'ShapeError' });
  }
});

t.test('derivatives: inverse, every 8 hours where nothing else is said', async (t) => {
  const { rows, dropped } = derivativesOf(htx, 'inverse');
  t.strictSame(dropped, []);
  t.match(rows, [
    { market: 'BTC-USD', mark: 100002.5, index: 100010.25, funding_rate: 0.0001, funding_hours: 8 },
    { market: 'ETH-USD', mark: 2600.5, index: 2601, funding_hours: 4, funding_rate_8h: -0.0004 },
  ]);
  t.equal(rows.length, 2);
});

t.test('a turnover counts within a factor of two, hours of a funding above zero', async (t) => {
  const { read } = contractTickers;
  const market = instrumentOf(htx, 'linear', 'BTC-USDT');
  const volumes = [99, 100, 400, 401].map((trade_turnover) => {
    const row = { close: 100, amount: 2, trade_turnover };
    return read(row, market)?.volume;
  });
  t.strictSame(volumes, [100, 50, 200, 100]);
  const funding_time = 1_750_003_200_000;
  const data = [0, 1_800_000].map((later, at) => ({
    contract_code: ['BTC-USD', 'ETH-USD'][at],
    ...{ funding_rate: '0.0001', funding_time, next_funding_time: funding_time + later },
  }));
  const context = contextOf(htx, 'inverse');
  const { rows } = derivatives.parts.inverse.parse([{ data }, undefined], context);
  t.match(rows, [{ funding_hours: 8 }, { funding_hours: 0.5 }]);
});

t.test('open interest: one side', async (t) => {
  const linear = openInterestOf(htx, 'linear');
  t.strictSame(
    linear.rows.map((row) => [row.market, row.units, row.value]),
    [
      ['BTC-USDT', 16_000.25, 1_664_026_000], // 32,000.5 / 2 BTC; 3,328,052,000 / 2 USDT
      ['1000PEPE-USDT', 2_000_000_000, 25_000], // 4,000,000 / 2 x 1000 PEPE
      ['ETH-USDT', 500, 1_300_000],
    ],
  );
  t.equal(linear.rows[0]?.mark, null, 'both were given');
  const inverse = openInterestOf(htx, 'inverse');
  t.strictSame(
    inverse.rows.map((row) => [row.market, row.units, row.value, row.stated]),
    [
      ['BTC-USD', 250.25, 25_000_000, stated], // 500,000 contracts x 100 USD / 2
      ['ETH-USD', 192.3, 500_000, stated], // 100,000 x 10 / 2
    ],
  );
  const { linear: part } = openInterest.parts;
  t.throws(() => part.parse([{}, null], contextOf(htx, 'linear')), { name: 'ShapeError' });
});

t.test('order books in base', async (t) => {
  const book = (part: string, market: string) =>
    orderBook.parse(fixture(htx, `${part}-order-book`), askFor(htx, part, market));
  t.strictSame(book('spot', 'btcusdt').asks[0], { price: 104000.1, quantity: 2.5 });
  const linear = book('linear', 'BTC-USDT');
  t.strictSame(linear.asks[0], { price: 104000.1, quantity: 2.5 }, '2500 x 0.001 BTC');
  t.equal(linear.stated, 1_750_000_000_340);
  const inverse = book('inverse', 'BTC-USD');
  t.strictSame(inverse.bids[0], { price: 100000, quantity: 0.5 }, '500 x 100 USD / 100,000');
  const unknown = { market: 'NEW-USDT', part: 'linear', instrument: null };
  const body = fixture(htx, 'linear-order-book');
  t.throws(() => orderBook.parse(body, unknown), { name: 'ShapeError' }, 'no contract size');
});

t.test('candles: seconds, volumes of contracts halved', async (t) => {
  const bars = (part: string, market: string) =>
    candles
      .parse(fixture(htx, `${part}-candles`), askFor(htx, part, market))
      .map((bar) => [bar.timestamp, bar.volume, bar.turnover]);
  t.strictSame(bars('spot', 'btcusdt'), [
    [1_749_999_600_000, 2, 208_450],
    [1_749_996_000_000, 10, 1_042_000],
    [1_749_992_400_000, 0, 0],
  ]);
  t.strictSame(bars('linear', 'BTC-USDT'), [
    [1_749_996_000_000, 5, 521_000],
    [1_749_999_600_000, 1, 104_225],
  ]);
  t.strictSame(bars('inverse', 'BTC-USD'), [
    [1_749_996_000_000, 20.1, 2_000_000], // 40,000 contracts x 100 USD / 2
    [1_749_999_600_000, 0.5, 50_000],
  ]);
  const unknown = { market: 'NEW-USD', part: 'inverse', instrument: null };
  const [bar] = candles.parse(fixture(htx, 'inverse-candles'), unknown);
  t.match(bar, { volume: 20.1, turnover: null }, 'contracts of an unknown size');
});

t.test('the streams are on the connection of the exchange', async (t) => {
  t.match(htx.live.prices.spot, { pace: connection.pace, silence: connection.silence });
});

t.test('notifications: pings, acknowledgements, data and refusals', async (t) => {
  const { url, reply, acknowledges, channels } = notification('linear-swap-notification', 'a.b');
  t.equal(url, 'wss://api.hbdm.com/linear-swap-notification');
  t.strictSame(channels(), ['{"op":"sub","cid":"1","topic":"a.b"}']);
  const read = (message: unknown) => [reply(message), acknowledges(message), notified(message)];
  t.strictSame(read({ op: 'ping', ts: '17' }), ['{"op":"pong","ts":"17"}', 0, null]);
  const said = { op: 'sub', cid: '1', 'err-code': 0, topic: 'a.b' };
  t.strictSame(read(said), [null, 1, null]);
  t.equal(acknowledges({ ...said, 'err-code': 2_011 }), 0);
  const data = [{ business_type: 'swap' }, { business_type: 'futures' }, {}, 7];
  t.strictSame(read({ op: 'notify', data }), [null, 0, [{ business_type: 'swap' }, {}, 7]]);
  for (const bad of [{ ...said, 'err-code': 2_011 }, { data }, { op: 'notify' }, null])
    t.throws(() => notified(bad), { name: 'ShapeError' });
});

wholeVenue(htx);
