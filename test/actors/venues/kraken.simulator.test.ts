/** Kraken as it is simulated: what we read is what the model says. */
import t from 'tap';
import { kraken } from '../../../actors/venues/kraken.ts';
import { kraken as simulator } from '../../../scripts/simulator/venues/kraken.ts';
import {
  checkDerivatives,
  checkHourlyFunding,
  checkPrices,
  checkRefusals,
  checkUnknown,
  interestsOf,
} from '../../support/model-agreement.ts';
import {
  checkBook,
  checkCandles,
  close,
  now,
  Reader,
  simulated,
} from '../../support/simulated-venue.ts';

const hour = 3_600_000;
const running = await simulated(simulator);
t.teardown(() => running.close());
const reader = new Reader(running, kraken);

t.test('spot prices and turnovers', async (t) => {
  await checkPrices(t, reader, 'spot', { change: null, volume: 1e-5 });
  const ids = reader.followed('spot').map(({ id }) => id);
  for (const id of ['XXBTZUSD', 'XDGUSD', 'USDTZUSD', 'XBTUSDT']) t.ok(ids.includes(id), id);
});

t.test('prices and turnovers of the futures', (t) => checkPrices(t, reader, 'futures'));

t.test('mark, index and funding of the running hour', async (t) => {
  const terms = { charged: checkHourlyFunding };
  for (const [market, row] of await checkDerivatives(t, reader, 'futures', terms)) {
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
  await checkUnknown(t, reader, ['spot', 'NOPEUSD']);
  await checkUnknown(t, reader, ['futures', 'PF_NOPEUSD']);
  checkRefusals(t, [kraken.apis.spot], simulator.refusals, 'blocked');
});
