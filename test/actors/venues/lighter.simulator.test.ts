/** Lighter as it is simulated: what we read is what the model says. */
import t from 'tap';
import { lighter } from '../../../actors/venues/lighter.ts';
import { lighter as simulator } from '../../../scripts/simulator/venues/lighter.ts';
import {
  checkInterest,
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
const reader = new Reader(running, lighter);

t.test('prices, turnovers and changes', async (t) => checkPrices(t, reader, 'all'));

t.test('funding', async (t) => {
  const rows = await derivativesOf(t, reader, 'all');
  for (const [market, row] of rows) {
    const rate = market.fundingRate(market.fundingTimes(now).next);
    close(t, [row.funding_rate_8h, (rate * 8) / market.fundingHours], `${market.id} per 8 h`);
    if (row.next_funding !== Date.UTC(2026, 7, 14, 14)) t.fail(`${market.id} next funding`);
    if (row.mark !== null || row.index !== null) t.fail(`${market.id} has no mark`);
  }
  t.ok(rows.some(([market]) => market.scale === 1000) && rows.length > 20);
});

t.test('open interest', async (t) => {
  for (const [market, row] of await interestsOf(t, reader, 'all')) {
    checkInterest(t, [market, row], market.price(now));
  }
});

t.test('order books and candles', async (t) => {
  const scaled = reader.followed('all').find(({ scale }) => scale === 1000);
  for (const id of ['0', '1', scaled?.id ?? '', '2048']) {
    const market = reader.market('all', id);
    t.equal(await checkBook(t, reader, market, 50), null);
    await checkCandles(t, reader, market);
  }
});

t.test('the newest candles need no time', async (t) => {
  const { candles } = lighter.queries;
  const ask = await reader.ask(t, reader.market('all', '1'));
  const request = candles.request({ ...ask, interval: '1h', limit: 40 });
  const rows = candles.parse((await send(running, lighter, request)).body, ask);
  t.equal(rows.length, 40);
  t.equal(rows.at(-1)?.timestamp, Math.floor(now / 3_600_000) * 3_600_000);
});

t.test('refusals', async (t) => {
  const { orderBook, candles } = lighter.queries;
  for (const market of ['999', 'BTC', '']) {
    const ask = { market, part: 'all', instrument: null };
    for (const request of [
      orderBook.request({ ...ask, depth: 20 }),
      candles.request({ ...ask, interval: '1h', limit: 3, now }),
    ]) {
      const { status, body } = await send(running, lighter, request);
      const fault = lighter.apis.rest.fault(status, body);
      t.match(fault, { code: 'unknown_instrument' }, `${request.path} ${market}`);
    }
  }
  const code = ({ status, body }: { status: number; body: unknown }) =>
    lighter.apis.rest.fault(status, body)?.code;
  t.equal(code(simulator.refusals.rate_limit), 'rate_limited');
  t.equal(code(simulator.refusals.ban), 'blocked');
  t.equal(code(simulator.refusals.server_error), 'unavailable');
});
