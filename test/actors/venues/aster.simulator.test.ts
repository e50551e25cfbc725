/** Aster as it is simulated: what we parse is what the model says. */
import t from 'tap';
import { aster } from '../../../actors/venues/aster.ts';
import { aster as simulator } from '../../../scripts/simulator/venues/aster.ts';
import {
  checkDerivatives,
  checkInstruments,
  checkPrices,
  checkRefusals,
  checkUnknown,
} from '../../support/model-agreement.ts';
import {
  checkBook,
  checkCandles,
  close,
  now,
  Reader,
  simulated,
} from '../../support/simulated-venue.ts';

const running = await simulated(simulator);
t.teardown(() => running.close());
const reader = new Reader(running, aster);
const { feeds } = aster;
const perps = reader.followed('linear');
const ids = perps.map((market) => market.id).sort();

t.test('instruments', async (t) => {
  for (const part of aster.parts) {
    const instruments = await checkInstruments(t, reader, part);
    const others = [...instruments.values()].filter(({ kind }) => kind === 'other');
    t.equal(others.length, part === 'spot' ? 1 : 2, 'the stopped ones and the share');
  }
});

t.test('prices and turnovers', async (t) => {
  const terms = { change: 1e-9, volume: 1e-7, stated: now };
  for (const part of aster.parts) await checkPrices(t, reader, part, terms);
});

t.test('mark, index, funding', async (t) => {
  for (const [market, row] of await checkDerivatives(t, reader, 'linear', { marks: 1e-8 })) {
    t.equal(row.stated, now, market.id);
  }
});

t.test('open interest, market by market', async (t) => {
  const rows = await reader.rows(t, feeds.openInterest, 'linear', ids);
  t.same([...rows.keys()].sort(), ids);
  for (const market of perps) {
    const row = rows.get(market.id);
    const units = market.openInterest(now) * market.scale;
    close(t, [row?.units, units], `${market.id} units`, 1e-3);
    const value = ((row?.units ?? 0) * market.exact(now)) / market.scale;
    close(t, [row?.value, value], `${market.id} value`, 1e-8);
  }
  const some = ids.slice(0, 3);
  const few = await reader.rows(t, feeds.openInterest, 'linear', some);
  t.same([...few.keys()], some);
});

t.test('order books', async (t) => {
  for (const [part, id] of [
    ['spot', 'BTCUSDT'],
    ['linear', 'BTCUSDT'],
    ['linear', '1000PEPEUSDT'],
  ] as const) {
    t.equal(await checkBook(t, reader, reader.market(part, id), 50), now);
  }
});

t.test('candles', async (t) => {
  await checkCandles(t, reader, reader.market('spot', 'ETHUSDT'));
  await checkCandles(t, reader, reader.market('linear', '1000PEPEUSDT'));
});

t.test('refusals', async (t) => {
  for (const part of aster.parts) await checkUnknown(t, reader, [part, 'NOPEUSDT'], 400);
  checkRefusals(t, Object.values(aster.apis), simulator.refusals, 'banned');
});
