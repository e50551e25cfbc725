/** Bybit as it is simulated: what we parse is what the model says. */
import t from 'tap';
import { bybit } from '../../../actors/venues/bybit.ts';
import { bybit as simulator } from '../../../scripts/simulator/venues/bybit.ts';
import { checkPart, checkRefusals, checkUnknown } from '../../support/model-agreement.ts';
import { Reader, simulated } from '../../support/simulated-venue.ts';

const running = await simulated(simulator);
t.teardown(() => running.close());
const reader = new Reader(running, bybit);

for (const part of bybit.parts) {
  t.test(part, (t) => checkPart(t, reader, part, { marks: 1e-6 }));
}

t.test('refusals', async (t) => {
  for (const part of bybit.parts) await checkUnknown(t, reader, [part, 'NOSUCHUSDT']);
  checkRefusals(t, Object.values(bybit.apis), simulator.refusals, 'banned');
});
