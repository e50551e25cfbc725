/** Coinbase as it is simulated: what we read is what the model says. */
import t from 'tap';
import { coinbase } from '../../../actors/venues/coinbase.ts';
import { coinbase as simulator } from '../../../scripts/simulator/venues/coinbase.ts';
import {
  checkDerivatives,
  checkHourlyFunding,
  checkInterests,
  checkPrices,
  checkRefusals,
  checkUnknown,
} from '../../support/model-agreement.ts';
import { checkBook, checkCandles, now, Reader, simulated } from '../../support/simulated-venue.ts';

const running = await simulated(simulator);
t.teardown(() => running.close());
const reader = new Reader(running, coinbase);

t.test('spot prices, turnovers and changes; a shared book counts once', async (t) => {
  const listed = await reader.instruments(t, 'spot');
  t.match(listed.get('BTC-USDC'), { symbol: 'BTC', quote: 'USDC', kind: 'spot' });
  await checkPrices(t, reader, 'spot');
});

t.test('perpetuals: prices and turnovers', async (t) => {
  t.ok(reader.followed('perpetual').some(({ scale }) => scale === 1000));
  await checkPrices(t, reader, 'perpetual', { change: null, volume: 1e-9, stated: now });
});

t.test('mark, index and funding of the running hour', async (t) => {
  await checkDerivatives(t, reader, 'perpetual', {
    charged: (t, pair) => checkHourlyFunding(t, pair, 1e-6),
  });
});

t.test('open interest', (t) => checkInterests(t, reader, 'perpetual'));

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
  await checkUnknown(t, reader, ['spot', 'NOPE-USD']);
  await checkUnknown(t, reader, ['perpetual', 'NOPE-PERP']);
  checkRefusals(t, Object.values(coinbase.apis), simulator.refusals, 'blocked');
});
