/** Coinbase as it is simulated: what we read is what the model says. */
import t from 'tap';
import { coinbase } from '../../../actors/venues/coinbase.ts';
import { coinbase as simulator } from '../../../scripts/simulator/venues/coinbase.ts';
import {
  checkInterest,
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
const reader = new Reader(running, coinbase);

t.test('spot prices, turnovers and changes; a shared book counts once', async (t) => {
  const listed = await reader.instruments(t, 'spot');
  t.match(listed.get('BTC-USDC'), { symbol: 'BTC', quote: 'USDC', kind: 'spot' });
  await checkPrices(t, reader, 'spot');
});

t.test('perpetuals: prices and turnovers', async (t) => {
  const rows = await reader.rows(t, coinbase.feeds.prices, 'perpetual');
  const markets = reader.followed('perpetual');
  t.strictSame([...rows.keys()].sort(), markets.map(({ id }) => id).sort());
  t.ok(markets.some(({ scale }) => scale === 1000));
  for (const { id, symbol } of markets) {
    const [row, truth] = [rows.get(id), running.model.truth('coinbase', id)];
    if (!row || !truth) throw new Error(id);
    if (row.symbol !== symbol || row.change !== null || row.stated !== now) t.fail(id);
    close(t, [row.price, truth.price], `${id} price`);
    const dollars = truth.priceUsd / truth.price;
    close(t, [(row.volume ?? Number.NaN) * dollars, truth.volumeUsd], `${id} volume`);
  }
});

t.test('mark, index and funding of the running hour', async (t) => {
  for (const [market, row] of await derivativesOf(t, reader, 'perpetual')) {
    checkMarks(t, [market, row]);
    const rate = market.fundingRate(nextHour) / market.fundingHours;
    close(t, [row.funding_rate, rate], `${market.id} rate`, 1e-6);
    close(t, [row.funding_rate_8h, rate * 8], `${market.id} per 8 h`, 1e-6);
    if (row.funding_hours !== 1 || row.next_funding !== nextHour) t.fail(`${market.id} hours`);
  }
});

t.test('open interest', async (t) => {
  for (const [market, row] of await interestsOf(t, reader, 'perpetual')) {
    checkInterest(t, [market, row], market.exact(now));
  }
});

t.test('order books and candles', async (t) => {
  for (const [part, id] of [
    ['spot', 'BTC-USD'],
    ['perpetual', 'BTC-PERP'],
    ['perpetual', '1000PEPE-PERP'],
  ] as const) {
    const market = reader.market(part, id);
    t.equal(await checkBook(t, reader, market, 50), now);
    await checkCandles(t, reader, market, { turnover: false });
  }
});

t.test('refusals', async (t) => {
  const { orderBook, candles } = coinbase.queries;
  for (const [part, market] of [
    ['spot', 'NOPE-USD'],
    ['perpetual', 'NOPE-PERP'],
  ] as const) {
    const ask = { market, part, instrument: null };
    for (const request of [
      orderBook.request({ ...ask, depth: 20 }),
      candles.request({ ...ask, interval: '3600', limit: 3, now }),
    ]) {
      const { status, body } = await send(running, coinbase, request);
      const fault = Object(coinbase.apis)[request.api].fault(status, body);
      t.match(fault, { code: 'unknown_instrument' }, request.path);
    }
  }
  const { rate_limit, ban, server_error } = simulator.refusals;
  for (const { fault } of Object.values(coinbase.apis)) {
    const codes = [rate_limit, ban, server_error].map((r) => fault(r.status, r.body)?.code);
    t.strictSame(codes, ['rate_limited', 'blocked', 'unavailable']);
  }
});
