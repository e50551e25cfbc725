/** Kraken as it is simulated: what we read is what the model says. */
import t from 'tap';
import { kraken } from '../../../actors/venues/kraken.ts';
import { kraken as simulator } from '../../../scripts/simulator/venues/kraken.ts';
import {
  checkMarks,
  checkPrices,
  derivativesOf,
  interestsOf,
} from '../../support/model-agreement.ts';
import {
  checkBook,
  checkCandles,
  close,
  now,
  Reader,
  send,
  simulated,
} from '../../support/simulated-venue.ts';

const hour = 3_600_000;
const nextHour = Math.floor(now / hour) * hour + hour;
const running = await simulated(simulator);
t.teardown(() => running.close());
const reader = new Reader(running, kraken);

t.test('spot prices and turnovers', async (t) => {
  const rows = await reader.rows(t, kraken.feeds.prices, 'spot');
  const markets = reader.followed('spot');
  t.strictSame([...rows.keys()].sort(), markets.map(({ id }) => id).sort());
  for (const { id, symbol, quote } of markets) {
    const [row, truth] = [rows.get(id), running.model.truth('kraken', id)];
    if (!row || !truth) throw new Error(id);
    if (row.symbol !== symbol || row.quote !== quote) t.fail(`${id}: naming`);
    close(t, [row.price, truth.price], `${id} price`);
    const dollars = truth.priceUsd / truth.price;
    close(t, [(row.volume ?? Number.NaN) * dollars, truth.volumeUsd], `${id} volume`, 1e-5);
  }
  t.ok(rows.has('XXBTZUSD') && rows.has('XDGUSD') && rows.has('USDTZUSD') && rows.has('XBTUSDT'));
});

t.test('prices and turnovers of the futures', (t) => checkPrices(t, reader, 'futures'));

t.test('mark, index and funding of the running hour', async (t) => {
  for (const [market, row] of await derivativesOf(t, reader, 'futures')) {
    checkMarks(t, [market, row]);
    const rate = market.fundingRate(nextHour) / market.fundingHours;
    close(t, [row.funding_rate, rate], `${market.id} rate`);
    close(t, [row.funding_rate_8h, rate * 8], `${market.id} per 8 h`);
    if (row.funding_hours !== 1 || row.next_funding !== nextHour) t.fail(`${market.id} hours`);
    if (row.stated !== now) t.fail(`${market.id} time`);
  }
});

t.test('open interest', async (t) => {
  for (const [market, row] of await interestsOf(t, reader, 'futures')) {
    const base = market.openInterest(now);
    // Inverse contracts are whole dollars.
    const error = market.inverse ? 1 / (base * market.exact(now)) : 1e-7;
    close(t, [row.units, base], `${market.id} units`, error);
    close(t, [row.value, base * market.exact(now)], `${market.id} value`, error);
  }
});

t.test('order books', async (t) => {
  t.equal(await checkBook(t, reader, reader.market('spot', 'XXBTZUSD'), 50), null);
  await checkBook(t, reader, reader.market('spot', 'PEPEUSD'));
  t.equal(await checkBook(t, reader, reader.market('futures', 'PF_XBTUSD'), 50), now);
  t.equal(await checkBook(t, reader, reader.market('futures', 'PI_XBTUSD'), 50), now);
});

t.test('candles of spot: the newest 720, whatever was asked', async (t) => {
  const market = reader.market('spot', 'XXBTZUSD');
  const ask = await reader.ask(t, market);
  const minutes = { '1m': 1, '5m': 5, '15m': 15, '30m': 30, '1h': 60, '4h': 240, '1d': 1440 };
  for (const [name, length] of Object.entries(minutes)) {
    const interval = String(length);
    const rows = await reader.page(kraken.queries.candles, { ...ask, interval, limit: 5, now });
    const opened = Math.floor(now / (length * 60_000)) * length * 60_000;
    t.strictSame([rows.length, rows.at(-1)?.timestamp], [720, opened], name);
    for (const bar of rows.slice(-3)) {
      const truth = market.candle(bar.timestamp, bar.timestamp + length * 60_000, now);
      close(t, [bar.open, truth.open], `${name} open`);
      close(t, [bar.high, truth.high], `${name} high`);
      close(t, [bar.low, truth.low], `${name} low`);
      close(t, [bar.close, truth.close], `${name} close`);
      close(t, [bar.volume, truth.base], `${name} volume`, 1e-6);
      close(t, [bar.turnover, truth.turnover], `${name} turnover`, 1e-4);
    }
  }
});

t.test('candles of the futures', async (t) => {
  await checkCandles(t, reader, reader.market('futures', 'PF_XBTUSD'), { turnover: false });
  const market = reader.market('futures', 'PI_XBTUSD');
  const ask = await reader.ask(t, market);
  const rows = await reader.page(kraken.queries.candles, { ...ask, interval: '60', limit: 5, now });
  t.equal(rows.length, 5);
  for (const bar of rows) {
    const truth = market.candle(bar.timestamp, bar.timestamp + hour, now);
    close(t, [bar.turnover, truth.quantity], 'USD');
    // Base follows from the mean of four prices, the truth from the volume-weighted one.
    close(t, [bar.volume, truth.base], 'base', 0.01);
  }
});

t.test('refusals', async (t) => {
  const { orderBook, candles } = kraken.queries;
  for (const [part, market] of [
    ['spot', 'NOPEUSD'],
    ['futures', 'PF_NOPEUSD'],
  ] as const) {
    const ask = { market, part, instrument: null };
    for (const request of [
      orderBook.request({ ...ask, depth: 20 }),
      candles.request({ ...ask, interval: '60', limit: 3 }),
    ]) {
      const { status, body } = await send(running, kraken, request);
      t.equal(kraken.apis[part].fault(status, body)?.code, 'unknown_instrument', request.path);
    }
  }
  const { rate_limit, ban, server_error } = simulator.refusals;
  const code = ({ status, body }: typeof ban) => kraken.apis.spot.fault(status, body)?.code;
  t.strictSame([rate_limit, ban, server_error].map(code), [
    'rate_limited',
    'blocked',
    'unavailable',
  ]);
});
