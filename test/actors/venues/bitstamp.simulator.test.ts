/** Bitstamp as it is simulated: what we read is what the model says. */
import t from 'tap';
import { bitstamp } from '../../../actors/venues/bitstamp.ts';
import { bitstamp as simulator } from '../../../scripts/simulator/venues/bitstamp.ts';
import {
  checkInstruments,
  checkInterest,
  checkMarks,
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
const reader = new Reader(running, bitstamp);
const perpetuals = reader.followed('markets').filter(({ kind }) => kind === 'perpetual');
const ids = perpetuals.map(({ id }) => id);

t.test('instruments', async (t) => {
  const instruments = await checkInstruments(t, reader, 'markets');
  const others = [...instruments.values()].filter(({ kind }) => kind === 'other');
  t.equal(others.length, 2, 'one is disabled, one is a share');
});

t.test('prices, turnovers and changes', (t) => checkPrices(t, reader, 'markets'));

t.test('mark, index and funding', async (t) => {
  const rows = await reader.rows(t, bitstamp.feeds.derivatives, 'markets', ids);
  t.strictSame([...rows.keys()], ids);
  t.equal(ids.length, 12);
  const interval = 8 * 3_600_000;
  const next = Math.ceil(now / interval) * interval;
  for (const market of perpetuals) {
    const row = rows.get(market.id);
    if (!row) throw new Error(market.id);
    checkMarks(t, [market, row]);
    const rate = (market.fundingRate(next) * 8) / market.fundingHours;
    close(t, [row.funding_rate, rate], `${market.id} rate`, 1e-4);
    t.match(row, { funding_hours: 8, funding_rate_8h: row.funding_rate, next_funding: next });
  }
});

t.test('open interest', async (t) => {
  const rows = await reader.rows(t, bitstamp.feeds.openInterest, 'markets');
  t.strictSame([...rows.keys()].sort(), [...ids].sort());
  for (const market of perpetuals) {
    const row = rows.get(market.id);
    if (row) checkInterest(t, [market, row], market.exact(now));
  }
});

t.test('order books and candles', async (t) => {
  for (const id of ['btcusd', 'btcusd-perp', 'shibusd']) {
    const market = reader.market('markets', id);
    t.equal(await checkBook(t, reader, market, 50), now);
    await checkCandles(t, reader, market, { turnover: false });
  }
});

t.test('refusals', async (t) => {
  await checkUnknown(t, reader, ['markets', 'nopeusd']);
  checkRefusals(t, Object.values(bitstamp.apis), simulator.refusals, 'blocked');
});
