/** WOO X as it is simulated: what we read is what the model says. */
import t from 'tap';
import { woo } from '../../../actors/venues/woo.ts';
import { woo as simulator } from '../../../scripts/simulator/venues/woo.ts';
import {
  checkDerivatives,
  checkInstruments,
  checkInterests,
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
const reader = new Reader(running, woo);

t.test('instruments', async (t) => {
  for (const part of woo.parts) {
    const instruments = await checkInstruments(t, reader, part);
    t.ok(reader.followed(part).every(({ scale }) => scale === 1));
    t.ok(
      [...instruments.values()].some((row) => row.kind === 'other'),
      `${part}: one is halted`,
    );
  }
});

t.test('perpetuals: prices, turnovers and changes', (t) => checkPrices(t, reader, 'perp'));

t.test('spot: prices, and turnovers out of hourly candles', async (t) => {
  const markets = reader.followed('spot');
  const ids = markets.map(({ id }) => id);
  const rows = await reader.rows(t, woo.feeds.prices, 'spot', ids);
  t.strictSame([...rows.keys()], ids);
  for (const { id } of markets) {
    const [row, truth] = [rows.get(id), running.model.truth('woo', id)];
    if (!row || !truth) throw new Error(id);
    close(t, [row.price, truth.price], `${id} price`);
    const dollars = truth.priceUsd / truth.price;
    // Trade within the oldest of 25 hours is taken as even.
    close(t, [(row.volume ?? Number.NaN) * dollars, truth.volumeUsd], `${id} volume`, 0.01);
    t.equal(row.stated, now);
  }
});

t.test('mark, index and funding', async (t) => {
  const rows = await checkDerivatives(t, reader, 'perp');
  t.ok(new Set(rows.map(([, row]) => row.funding_hours)).size > 1, 'several intervals');
});

t.test('open interest', (t) => checkInterests(t, reader, 'perp'));

t.test('order books and candles', async (t) => {
  for (const [part, id] of [
    ['spot', 'SPOT_BTC_USDT'],
    ['perp', 'PERP_BTC_USDT'],
    ['perp', 'PERP_SHIB_USDT'],
  ] as const) {
    const market = reader.market(part, id);
    t.equal(await checkBook(t, reader, market, 50), now);
    await checkCandles(t, reader, market);
  }
});

t.test('refusals', async (t) => {
  const halted = running.model.markets('woo', now, 'perp').find(({ state }) => state === 'halted');
  for (const market of ['SPOT_NOPE_USDT', halted?.id ?? '']) {
    await checkUnknown(t, reader, [woo.partOf(market), market]);
  }
  checkRefusals(t, Object.values(woo.apis), simulator.refusals, 'blocked');
});
