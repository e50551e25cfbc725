/** Aster as it is simulated: what we parse is what the model says. */
import t from 'tap';
import { aster } from '../../../actors/venues/aster.ts';
import { aster as simulator } from '../../../scripts/simulator/venues/aster.ts';
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
const reader = new Reader(running, aster);
const { feeds, queries } = aster;
const perps = reader.followed('linear');
const ids = perps.map((market) => market.id).sort();

t.test('instruments', async (t) => {
  for (const part of aster.parts) {
    const instruments = await reader.instruments(t, part);
    for (const market of reader.followed(part)) {
      const { kind, symbol, quote, scale, contract, inverse } = market;
      const facts = { kind, symbol, quote, scale, contract, inverse };
      t.match(instruments.get(market.id), facts, market.id);
    }
    const others = [...instruments.values()].filter(({ kind }) => kind === 'other');
    t.equal(others.length, part === 'spot' ? 1 : 2, 'the stopped ones and the share');
  }
});

t.test('prices and turnovers', async (t) => {
  for (const part of aster.parts) {
    const rows = await reader.rows(t, feeds.prices, part);
    const followed = reader.followed(part);
    t.same([...rows.keys()].sort(), followed.map((m) => m.id).sort(), part);
    for (const market of followed) {
      const { id, kind } = market;
      const truth = running.model.truth('aster', id, kind);
      const row = rows.get(id);
      if (!truth || !row) throw new Error(id);
      close(t, [row.price, truth.price], `${id} price`);
      const dollars = truth.priceUsd / truth.price;
      close(t, [(row.volume ?? 0) * dollars, truth.volumeUsd], `${id} volume`, 1e-7);
      const { open, close: last } = running.model.last24h(market, now);
      close(t, [1 + (row.change ?? 9) / 100, last / open], `${id} change`);
      t.match(row, { symbol: truth.symbol, stated: now });
    }
  }
});

t.test('mark, index, funding', async (t) => {
  const rows = await reader.rows(t, feeds.derivatives, 'linear');
  t.same([...rows.keys()].sort(), ids);
  for (const market of perps) {
    const { id, scale } = market;
    const row = rows.get(id);
    close(t, [row?.mark, market.exact(now) / scale], `${id} mark`, 1e-8);
    close(t, [row?.index, market.index(now) / scale], `${id} index`, 1e-8);
    const { next } = market.fundingTimes(now);
    const rate = market.fundingRate(next);
    close(t, [row?.funding_rate, rate], `${id} rate`);
    t.match(row, { funding_hours: market.fundingHours, next_funding: next, stated: now }, id);
    close(t, [row?.funding_rate_8h, (rate * 8) / market.fundingHours], `${id} rate of 8 hours`);
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
  const { fault } = aster.apis.linear;
  for (const part of aster.parts) {
    const ask = { market: 'NOPEUSDT', part, instrument: null };
    for (const request of [
      queries.orderBook.request({ ...ask, depth: 20 }),
      queries.candles.request({ ...ask, interval: '1h', limit: 5 }),
    ]) {
      const { status, body } = await send(running, aster, request);
      t.match(fault(status, body), { code: 'unknown_instrument', status: 400 });
    }
  }
  for (const [kind, code] of [
    ['rate_limit', 'rate_limited'],
    ['ban', 'banned'],
    ['server_error', 'unavailable'],
  ] as const) {
    const { status, body } = simulator.refusals[kind];
    t.equal(fault(status, body)?.code, code, kind);
  }
});
