import t from 'tap';
import { cryptocom } from '../../../actors/venues/cryptocom.ts';
import { cryptocom as simulator } from '../../../scripts/simulator/venues/cryptocom.ts';
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
const reader = new Reader(running, cryptocom);
const market = (id: string) => reader.market('all', id);
const followed = reader.followed('all');
const perpetuals = followed.filter(({ kind }) => kind === 'perpetual');

t.test('prices and turnovers are those of the model', async (t) => {
  const rows = await reader.rows(t, cryptocom.feeds.prices, 'all');
  t.same([...rows.keys()].sort(), followed.map((m) => m.id).sort());
  for (const { id, kind } of followed) {
    const truth = running.model.truth('cryptocom', id, kind);
    const row = rows.get(id);
    if (!truth || !row) throw new Error(id);
    close(t, [row.price, truth.price], `${id} price`);
    // In dollars, whatever the quote, and to the cent.
    close(t, [row.volume, truth.volumeUsd], `${id} volume`, 1e-5);
    const { open, close: last } = running.model.last24h(market(id), now);
    close(t, [1 + (row.change ?? 0) / 100, last / open], `${id} change`, 1e-4);
    t.match(row, { symbol: truth.symbol, quote: truth.quote, kind, stated: now });
  }
});

t.test('open interest', async (t) => {
  const rows = await reader.rows(t, cryptocom.feeds.openInterest, 'all');
  t.same([...rows.keys()].sort(), perpetuals.map((m) => m.id).sort());
  for (const perpetual of perpetuals) {
    const row = rows.get(perpetual.id);
    const units = perpetual.openInterest(now);
    close(t, [row?.units, units], `${perpetual.id} units`, 1e-6);
    close(t, [row?.value, units * perpetual.price(now)], `${perpetual.id} value`, 1e-6);
  }
});

t.test('mark, index and funding, market by market', async (t) => {
  const ids = perpetuals.map(({ id }) => id);
  const rows = await reader.rows(t, cryptocom.feeds.derivatives, 'all', ids);
  t.same([...rows.keys()].sort(), [...ids].sort());
  for (const perpetual of perpetuals) {
    const row = rows.get(perpetual.id);
    const rate = perpetual.fundingRate(perpetual.fundingTimes(now).next) / perpetual.fundingHours;
    close(t, [row?.funding_rate, rate], `${perpetual.id} rate`);
    close(t, [row?.funding_rate_8h, rate * 8], `${perpetual.id} rate of 8 hours`);
    close(t, [row?.mark, perpetual.exact(now)], `${perpetual.id} mark`, 1e-6);
    close(t, [row?.index, perpetual.index(now)], `${perpetual.id} index`, 1e-6);
    t.match(row, { funding_hours: 1, next_funding: Math.ceil(now / 3_600_000) * 3_600_000 });
  }
});

t.test('an index by its own name or by that of its perpetual', async (t) => {
  const [, , request] = cryptocom.feeds.derivatives.parts.all.requests({
    markets: ['BTCUSD-PERP'],
  });
  if (!request) throw new Error('no index is asked');
  const ask = async (name: string, type = 'index_price') => {
    const query = { ...request.query, instrument_name: name, valuation_type: type };
    return send(running, cryptocom, { ...request, query });
  };
  const own = await ask('BTCUSD-INDEX');
  t.match(own, { status: 200, body: { code: 0, result: { instrument_name: 'BTCUSD-INDEX' } } });
  t.strictSame(await ask('BTCUSD-PERP'), own);
  t.match(await ask('BTCUSD-INDEX', 'mark_price'), { status: 400, body: { code: 40_004 } });
  t.match(await ask('BTC_USD'), { status: 400, body: { code: 40_004 } });
});

t.test('order books', async (t) => {
  t.equal(await checkBook(t, reader, market('BTC_USDT'), 50), now);
  await checkBook(t, reader, market('ETHUSD-PERP'));
});

t.test('candles', async (t) => {
  await checkCandles(t, reader, market('BTC_USDT'), { turnover: false });
  await checkCandles(t, reader, market('PEPEUSD-PERP'), { turnover: false });
});

t.test('refusals', async (t) => {
  const ask = { market: 'NOPE_USD', part: 'all', instrument: null };
  const { orderBook, candles } = cryptocom.queries;
  for (const request of [
    orderBook.request({ ...ask, depth: 20, now }),
    candles.request({ ...ask, interval: '1h', limit: 5, now }),
    ...cryptocom.feeds.derivatives.parts.all.requests({ markets: ['NOPEUSD-PERP'] }),
  ]) {
    const { status, body } = await send(running, cryptocom, request);
    t.match(cryptocom.apis.rest.fault(status, body), { code: 'unknown_instrument', status: 400 });
  }
  const { refusals } = simulator;
  for (const [kind, code] of [
    ['rate_limit', 'rate_limited'],
    ['ban', 'rate_limited'],
    ['server_error', 'unavailable'],
  ] as const) {
    t.equal(cryptocom.apis.rest.fault(refusals[kind].status, refusals[kind].body)?.code, code);
  }
});
