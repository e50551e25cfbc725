/** Hyperliquid as it is simulated: what we parse is what the model says. */
import t from 'tap';
import { hyperliquid } from '../../../actors/venues/hyperliquid.ts';
import { hyperliquid as simulator } from '../../../scripts/simulator/venues/hyperliquid.ts';
import { checkInstruments, checkPrices, checkUnknown } from '../../support/model-agreement.ts';
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
const reader = new Reader(running, hyperliquid);
const { feeds, queries } = hyperliquid;

t.test('instruments', async (t) => {
  for (const part of hyperliquid.parts) {
    await checkInstruments(t, reader, part);
  }
});

t.test('prices and turnovers', async (t) => {
  for (const part of hyperliquid.parts) {
    t.ok(reader.followed(part).length > 20);
    await checkPrices(t, reader, part, { change: 1e-9, volume: 1e-9 });
  }
});

t.test('the delisted perpetual, the idle pair and the pair against BTC are left out', async (t) => {
  const states = running.model.truths('hyperliquid').filter(({ state }) => state === 'halted');
  t.same(states.map(({ kind }) => kind).sort(), ['perpetual', 'spot']);
  const prices = await reader.rows(t, feeds.prices, 'spot');
  const pairs = await reader.instruments(t, 'spot');
  const crossed = [...pairs.values()].filter(({ quote }) => quote === 'BTC');
  t.match(crossed, [{ kind: 'spot', symbol: 'ETH' }]);
  for (const { market } of [...states, ...crossed]) t.notOk(prices.has(market), market);
  const [delisted] = states.filter(({ kind }) => kind === 'perpetual');
  const perps = await reader.instruments(t, 'perp');
  t.equal(perps.get(delisted?.market ?? '')?.kind, 'other');
});

t.test('mark, index, funding, open interest', async (t) => {
  const derivatives = await reader.rows(t, feeds.derivatives, 'perp');
  const interests = await reader.rows(t, feeds.openInterest, 'perp');
  const followed = reader.followed('perp');
  t.equal(derivatives.size, followed.length);
  t.equal(interests.size, followed.length);
  const next = Math.floor(now / 3_600_000) * 3_600_000 + 3_600_000;
  for (const market of followed) {
    const { id, scale } = market;
    const row = derivatives.get(id);
    close(t, [row?.mark, market.exact(now) / scale], `${id} mark`, 1e-8);
    close(t, [row?.index, market.index(now) / scale], `${id} index`, 1e-8);
    const rate = market.fundingRate(next) / market.fundingHours;
    t.ok(Math.abs((row?.funding_rate ?? 1) - rate) < 1e-13, `${id} rate`);
    t.ok(Math.abs((row?.funding_rate_8h ?? 1) - rate * 8) < 1e-12, `${id} rate of 8 hours`);
    t.match(row, { funding_hours: 1, next_funding: next });
    const interest = interests.get(id);
    const units = market.openInterest(now) * scale;
    close(t, [interest?.units, units], `${id} units`, 1e-8);
    close(t, [interest?.value, (units * market.exact(now)) / scale], `${id} value`, 1e-8);
  }
});

t.test('order books', async (t) => {
  for (const [part, id] of [
    ['spot', '@100'],
    ['perp', 'BTC'],
    ['perp', 'kPEPE'],
  ] as const) {
    t.equal(await checkBook(t, reader, reader.market(part, id)), now);
  }
});

t.test('candles', async (t) => {
  await checkCandles(t, reader, reader.market('spot', '@100'), { turnover: false });
  await checkCandles(t, reader, reader.market('perp', 'kPEPE'), { turnover: false });
  const ask = await reader.ask(t, reader.market('perp', 'BTC'));
  const blind = queries.candles.request({ ...ask, interval: '1d', limit: 3 });
  const { body } = await send(running, hyperliquid, blind);
  const days = queries.candles.parse(body, ask);
  t.equal(days.at(-1)?.timestamp, now - (now % 86_400_000), 'without a clock: everything there is');
  t.ok(days.length > 1000);
});

t.test('refusals', async (t) => {
  const { fault } = hyperliquid.apis.info;
  await checkUnknown(t, reader, ['perp', 'NOPE']);
  for (const { status, body } of Object.values(simulator.refusals)) {
    t.equal(fault(status, body), null, `${status} is judged by itself`);
  }
});
