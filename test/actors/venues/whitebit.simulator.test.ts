/** WhiteBIT as it is simulated: what we read is what the model says. */
import t from 'tap';
import { whitebit } from '../../../actors/venues/whitebit.ts';
import { whitebit as simulator } from '../../../scripts/simulator/venues/whitebit.ts';
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
const reader = new Reader(running, whitebit);

t.test('prices, turnovers and changes', async (t) => {
  // Two decimals of a percent.
  await checkPrices(t, reader, 'spot', { change: 6e-5 });
  await checkPrices(t, reader, 'futures', { change: null });
});

t.test('mark, index and funding', async (t) => {
  const rows = await derivativesOf(t, reader, 'futures');
  for (const [market, row] of rows) {
    checkMarks(t, [market, row]);
    const { next } = market.fundingTimes(now);
    const rate = market.fundingRate(next);
    close(t, [row.funding_rate, rate], `${market.id} rate`);
    close(t, [row.funding_hours, market.fundingHours], `${market.id} hours`);
    close(t, [row.funding_rate_8h, (rate * 8) / market.fundingHours], `${market.id} per 8 h`);
    if (row.next_funding !== next) t.fail(`${market.id} next funding`);
  }
  t.ok(rows.length > 20);
  t.ok(new Set(rows.map(([, row]) => row.funding_hours)).size > 1, 'several intervals');
});

t.test('open interest', async (t) => {
  for (const [market, row] of await interestsOf(t, reader, 'futures')) {
    checkInterest(t, [market, row], market.exact(now));
  }
});

t.test('order books and candles', async (t) => {
  for (const [part, id] of [
    ['spot', 'BTC_USDT'],
    ['spot', 'SHIB_USDT'],
    ['futures', 'ETH_PERP'],
  ] as const) {
    const market = reader.market(part, id);
    t.equal(await checkBook(t, reader, market, 50), now);
    await checkCandles(t, reader, market);
  }
});

t.test('the newest candles need no time', async (t) => {
  const ask = await reader.ask(t, reader.market('spot', 'BTC_USDT'));
  const request = whitebit.queries.candles.request({ ...ask, interval: '1d', limit: 40 });
  const { body } = await send(running, whitebit, request);
  const rows = whitebit.queries.candles.parse(body, ask);
  t.equal(rows.length, 40);
  t.equal(rows.at(-1)?.timestamp, Math.floor(now / 86_400_000) * 86_400_000);
});

t.test('refusals', async (t) => {
  const { orderBook, candles } = whitebit.queries;
  for (const [part, market] of [
    ['spot', 'NOPE_USDT'],
    ['futures', 'NOPE_PERP'],
  ] as const) {
    const ask = { market, part, instrument: null };
    for (const request of [
      orderBook.request({ ...ask, depth: 20 }),
      candles.request({ ...ask, interval: '1h', limit: 3, now }),
    ]) {
      const { status, body } = await send(running, whitebit, request);
      const fault = whitebit.apis.rest.fault(status, body);
      t.match(fault, { code: 'unknown_instrument' }, request.path);
    }
  }
  const code = ({ status, body }: { status: number; body: unknown }) =>
    whitebit.apis.rest.fault(status, body)?.code;
  t.equal(code(simulator.refusals.rate_limit), 'rate_limited');
  t.equal(code(simulator.refusals.ban), 'blocked');
  t.equal(code(simulator.refusals.server_error), 'unavailable');
});
