/** Backpack as it is simulated: what we read is what the model says. */
import t from 'tap';
import { backpack } from '../../../actors/venues/backpack.ts';
import { backpack as simulator } from '../../../scripts/simulator/venues/backpack.ts';
import {
  checkDerivatives,
  checkInterests,
  checkPrices,
  checkRefusals,
  checkUnknown,
} from '../../support/model-agreement.ts';
import {
  checkBook,
  checkCandles,
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
  const rows = await checkDerivatives(t, reader, 'all');
  t.ok(rows.some(([market]) => market.scale === 1000) && rows.length > 20);
  t.ok(new Set(rows.map(([, row]) => row.funding_hours)).size > 1, 'several intervals');
});

t.test('open interest', async (t) => {
  for (const [market, row] of await checkInterests(t, reader, 'all')) {
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
  await checkUnknown(t, reader, ['all', 'NOPE_USDC']);
  const closed = running.model.markets('backpack', now).find(({ state }) => state === 'halted');
  const ask = { market: closed?.id ?? '', part: 'all', instrument: null };
  const request = backpack.queries.orderBook.request({ ...ask, depth: 20 });
  const { status, body } = await send(running, backpack, request);
  const fault = backpack.apis.rest.fault(status, body);
  t.match(fault, { code: 'unknown_instrument' }, 'the book of a closed market');
  checkRefusals(t, Object.values(backpack.apis), simulator.refusals, 'blocked');
});
