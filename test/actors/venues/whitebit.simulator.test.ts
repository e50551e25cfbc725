/** WhiteBIT as it is simulated: what we read is what the model says. */
import t from 'tap';
import { whitebit } from '../../../actors/venues/whitebit.ts';
import { whitebit as simulator } from '../../../scripts/simulator/venues/whitebit.ts';
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
const reader = new Reader(running, whitebit);

t.test('prices, turnovers and changes', async (t) => {
  // Two decimals of a percent.
  await checkPrices(t, reader, 'spot', { change: 6e-5 });
  await checkPrices(t, reader, 'futures', { change: null });
});

t.test('mark, index and funding', async (t) => {
  const rows = await checkDerivatives(t, reader, 'futures');
  t.ok(rows.length > 20);
  t.ok(new Set(rows.map(([, row]) => row.funding_hours)).size > 1, 'several intervals');
});

t.test('open interest', (t) => checkInterests(t, reader, 'futures'));

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
  await checkUnknown(t, reader, ['spot', 'NOPE_USDT']);
  await checkUnknown(t, reader, ['futures', 'NOPE_PERP']);
  checkRefusals(t, Object.values(whitebit.apis), simulator.refusals, 'blocked');
});
