/** dYdX as it is simulated: what we parse is what the model says. */
import t from 'tap';
import { dydx } from '../../../actors/venues/dydx.ts';
import { dydx as simulator } from '../../../scripts/simulator/venues/dydx.ts';
import { checkInstruments, checkPrices, checkRefusals } from '../../support/model-agreement.ts';
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
const reader = new Reader(running, dydx);
const { feeds, queries } = dydx;
const followed = reader.followed('perp');
const ids = followed.map((market) => market.id).sort();

t.test('instruments', async (t) => {
  const instruments = await checkInstruments(t, reader, 'perp');
  for (const id of ids) t.equal(instruments.get(id)?.funding_hours, 1, id);
  const ended = [...instruments.values()].filter(({ kind }) => kind === 'other');
  t.equal(ended.length, 1);
});

t.test('prices and turnovers', (t) => checkPrices(t, reader, 'perp', { change: 1e-9 }));

t.test('mark, index, funding, open interest', async (t) => {
  const derivatives = await reader.rows(t, feeds.derivatives, 'perp');
  const interests = await reader.rows(t, feeds.openInterest, 'perp');
  t.same([...derivatives.keys()].sort(), ids);
  t.same([...interests.keys()].sort(), ids);
  const next = Math.floor(now / 3_600_000) * 3_600_000 + 3_600_000;
  for (const market of followed) {
    const row = derivatives.get(market.id);
    const oracle = market.price(now);
    close(t, [row?.mark, oracle], `${market.id} mark`);
    close(t, [row?.index, oracle], `${market.id} index`);
    const rate = market.fundingRate(next) / market.fundingHours;
    t.ok(Math.abs((row?.funding_rate ?? 1) - rate) < 1e-18, `${market.id} rate`);
    t.ok(Math.abs((row?.funding_rate_8h ?? 1) - rate * 8) < 1e-17, `${market.id} rate of 8 hours`);
    t.match(row, { funding_hours: 1, next_funding: next });
    const units = market.openInterest(now);
    const interest = interests.get(market.id);
    close(t, [interest?.units, units], `${market.id} units`, 1e-3);
    close(t, [interest?.value, (interest?.units ?? 0) * oracle], `${market.id} value`);
  }
});

t.test('order books', async (t) => {
  const long = ids.find((id) => id.includes(',')) ?? '';
  for (const id of ['BTC-USD', 'PEPE-USD', long]) {
    t.equal(await checkBook(t, reader, reader.market('perp', id), 50), null);
  }
});

t.test('candles', async (t) => {
  await checkCandles(t, reader, reader.market('perp', 'BTC-USD'));
  const long = ids.find((id) => id.includes(',')) ?? '';
  await checkCandles(t, reader, reader.market('perp', long));
});

t.test('refusals', async (t) => {
  const { fault } = dydx.apis.indexer;
  const ask = { market: 'NO,SUCH-USD', part: 'perp', instrument: null };
  for (const [request, status] of [
    [queries.orderBook.request({ ...ask, depth: 20 }), 404],
    [queries.candles.request({ ...ask, interval: '1HOUR', limit: 5 }), 400],
  ] as const) {
    const answer = await send(running, dydx, request);
    t.match(fault(answer.status, answer.body), { code: 'unknown_instrument', status });
  }
  checkRefusals(t, Object.values(dydx.apis), simulator.refusals, 'blocked');
});
