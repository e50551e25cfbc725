/** Phemex as it is simulated: what we read is what the model says. */
import t from 'tap';
import { intervals } from '../../../actors/topics.ts';
import { openOf } from '../../../actors/venues/candles.ts';
import { phemex } from '../../../actors/venues/phemex.ts';
import { bookOf } from '../../../scripts/simulator/book.ts';
import { phemex as simulator } from '../../../scripts/simulator/venues/phemex.ts';
import {
  checkDerivatives,
  checkInstruments,
  checkInterests,
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
  send,
  simulated,
} from '../../support/simulated-venue.ts';

const running = await simulated(simulator);
t.teardown(() => running.close());
const reader = new Reader(running, phemex);

t.test('instruments', async (t) => {
  for (const part of phemex.parts) {
    const instruments = await checkInstruments(t, reader, part);
    const followed = [...instruments.values()].filter((row) => row.kind !== 'other');
    t.ok(followed.length < instruments.size, `${part}: some are not followed`);
  }
});

t.test('prices, turnovers and changes', async (t) => {
  for (const part of phemex.parts) await checkPrices(t, reader, part);
});

t.test('mark, index and funding', async (t) => {
  for (const part of ['linear', 'inverse']) {
    const rows = await checkDerivatives(t, reader, part);
    t.ok(rows.length > 1);
  }
});

t.test('open interest', async (t) => {
  const linear = await checkInterests(t, reader, 'linear');
  t.ok(linear.some(([market]) => market.scale === 1000));
  // Whole contracts of 1 USD.
  for (const [market, row] of await interestsOf(t, reader, 'inverse')) {
    const [base, mark] = [market.openInterest(now), market.exact(now)];
    close(t, [row.value, base * mark], `${market.id} value`, 1e-5);
    close(t, [row.units, base * market.scale], `${market.id} base`, 1e-5);
  }
});

t.test('order books', async (t) => {
  for (const [part, id] of [
    ['spot', 'sBTCUSDT'],
    ['spot', 'sPEPEUSDT'],
    ['linear', 'BTCUSDT'],
    ['linear', 'u1000PEPEUSDT'],
  ] as const) {
    t.equal(await checkBook(t, reader, reader.market(part, id), 20), now + 123);
  }
});

t.test('inverse order books: contracts of 1 USD at prices of 10^4 coins', async (t) => {
  const { orderBook } = phemex.queries;
  for (const id of ['BTCUSD', 'cETHUSD']) {
    const market = reader.market('inverse', id);
    const ask = await reader.ask(t, market);
    const { body } = await send(running, phemex, orderBook.request({ ...ask, depth: 20 }));
    const { bids } = orderBook.parse(body, ask);
    t.equal(bids.length, 30);
    for (const [i, level] of bookOf(market, now, 30).bids.entries()) {
      close(t, [bids[i]?.price, level.price / 1e4], `${id} bid ${i}`);
      close(t, [bids[i]?.quantity, level.quantity / (level.price / 1e4)], `${id} bid ${i}`);
    }
  }
});

t.test('candles', async (t) => {
  for (const id of ['BTCUSDT', 'u1000PEPEUSDT']) {
    await checkCandles(t, reader, reader.market('linear', id));
  }
  const { candles } = phemex.queries;
  for (const [part, id] of [
    ['spot', 'sBTCUSDT'],
    ['spot', 'sPEPEUSDT'],
    ['inverse', 'BTCUSD'],
  ] as const) {
    const market = reader.market(part, id);
    const ask = { ...(await reader.ask(t, market)), interval: '3600', limit: 5, now };
    const bars = await reader.page(candles, ask);
    t.equal(bars.length, 5);
    t.equal(bars.at(-1)?.timestamp, openOf(now, '1h'), 'the running bar');
    for (const bar of bars) {
      const truth = market.candle(bar.timestamp, bar.timestamp + intervals['1h'], now);
      for (const key of ['open', 'high', 'low', 'close'] as const) {
        close(t, [bar[key], truth[key] / market.scale], `${id} ${key}`);
      }
      close(t, [bar.volume, truth.base * market.scale], `${id} volume`, 1e-8);
      close(t, [bar.turnover, truth.turnover], `${id} turnover`, 1e-8);
    }
    const older = await reader.page(candles, { ...ask, before: bars[0]?.timestamp ?? 0 });
    t.strictSame(older, bars, 'no page but the newest');
  }
});

t.test('refusals', async (t) => {
  await checkUnknown(t, reader, ['spot', 'sNOPEUSDT']);
  await checkUnknown(t, reader, ['linear', 'NOPEUSDT']);
  await checkUnknown(t, reader, ['inverse', 'cSOLUSD']); // delisted
  checkRefusals(t, Object.values(phemex.apis), simulator.refusals, 'blocked');
});
