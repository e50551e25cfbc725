/** Backpack as it is simulated: what we read is what the model says. */
import t from 'tap';
import { backpack } from '../../../actors/venues/backpack.ts';
import { backpack as simulator } from '../../../scripts/simulator/venues/backpack.ts';
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
const reader = new Reader(running, backpack);

t.test('prices, turnovers and changes', async (t) => checkPrices(t, reader, 'all'));

t.test('mark, index and funding', async (t) => {
  const rows = await derivativesOf(t, reader, 'all');
  for (const [market, row] of rows) {
    checkMarks(t, [market, row]);
    const { next } = market.fundingTimes(now);
    const rate = market.fundingRate(next);
    close(t, [row.funding_rate, rate], `${market.id} rate`);
    close(t, [row.funding_hours, market.fundingHours], `${market.id} hours`);
    close(t, [row.funding_rate_8h, (rate * 8) / market.fundingHours], `${market.id} per 8 h`);
    if (row.next_funding !== next) t.fail(`${market.id} next funding`);
  }
  t.ok(rows.some(([market]) => market.scale === 1000) && rows.length > 20);
  t.ok(new Set(rows.map(([, row]) => row.funding_hours)).size > 1, 'several intervals');
});

t.test('open interest', async (t) => {
  for (const [market, row] of await interestsOf(t, reader, 'all')) {
    checkInterest(t, [market, row], market.exact(now));
    if (row.stated !== now) t.fail(`${market.id} time`);
  }
});

t.test('order books and candles', async (t) => {
  for (const id of ['BTC_USDC', 'BTC_USDC_PERP', 'kPEPE_USDC_PERP']) {
    const market = reader.market('all', id);
    t.equal(await checkBook(t, reader, market, 50), now);
    await checkCandles(t, reader, market);
  }
});

t.test('refusals', async (t) => {
  const unknown = { market: 'NOPE_USDC', part: 'all', instrument: null };
  const { orderBook, candles } = backpack.queries;
  const closed = running.model.markets('backpack', now).find(({ state }) => state === 'halted');
  for (const request of [
    orderBook.request({ ...unknown, depth: 20 }),
    orderBook.request({ ...unknown, market: closed?.id ?? '', depth: 20 }),
    candles.request({ ...unknown, interval: '1h', limit: 3, now }),
  ]) {
    const { status, body } = await send(running, backpack, request);
    const fault = backpack.apis.rest.fault(status, body);
    t.match(fault, { code: 'unknown_instrument' }, request.path);
  }
  const code = ({ status, body }: { status: number; body: unknown }) =>
    backpack.apis.rest.fault(status, body)?.code;
  t.equal(code(simulator.refusals.rate_limit), 'rate_limited');
  t.equal(code(simulator.refusals.ban), 'blocked');
  t.equal(code(simulator.refusals.server_error), 'unavailable');
});
