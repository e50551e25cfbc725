/** WOO X as it is simulated: what we read is what the model says. */
import t from 'tap';
import { woo } from '../../../actors/venues/woo.ts';
import { woo as simulator } from '../../../scripts/simulator/venues/woo.ts';
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

const running = await simulated(simulator);
t.teardown(() => running.close());
const reader = new Reader(running, woo);

t.test('instruments', async (t) => {
  for (const part of woo.parts) {
    const instruments = await reader.instruments(t, part);
    for (const { id, symbol, quote, kind, contract, inverse } of reader.followed(part)) {
      t.match(instruments.get(id), { symbol, quote, kind, scale: 1, contract, inverse }, id);
    }
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
  const rows = await derivativesOf(t, reader, 'perp');
  for (const [market, row] of rows) {
    checkMarks(t, [market, row]);
    const { next } = market.fundingTimes(now);
    const rate = market.fundingRate(next);
    close(t, [row.funding_rate, rate], `${market.id} rate`);
    close(t, [row.funding_hours, market.fundingHours], `${market.id} hours`);
    close(t, [row.funding_rate_8h, (rate * 8) / market.fundingHours], `${market.id} per 8 h`);
    if (row.next_funding !== next) t.fail(`${market.id} next funding`);
  }
  t.ok(new Set(rows.map(([, row]) => row.funding_hours)).size > 1, 'several intervals');
});

t.test('open interest', async (t) => {
  for (const [market, row] of await interestsOf(t, reader, 'perp')) {
    checkInterest(t, [market, row], market.exact(now));
  }
});

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
  const { orderBook, candles } = woo.queries;
  const { fault } = woo.apis.rest;
  const halted = running.model.markets('woo', now, 'perp').find(({ state }) => state === 'halted');
  for (const market of ['SPOT_NOPE_USDT', halted?.id ?? '']) {
    const unknown = { market, part: woo.partOf(market), instrument: null };
    for (const request of [
      orderBook.request({ ...unknown, depth: 20 }),
      candles.request({ ...unknown, interval: '1h', limit: 3 }),
    ]) {
      const { status, body } = await send(running, woo, request);
      t.match(fault(status, body), { code: 'unknown_instrument' }, `${market} ${request.path}`);
    }
  }
  const { rate_limit, ban, server_error } = simulator.refusals;
  t.match(fault(rate_limit.status, rate_limit.body), { code: 'rate_limited' });
  t.match(fault(ban.status, ban.body), { code: 'blocked' });
  t.match(fault(server_error.status, server_error.body), { code: 'unavailable' });
});
