/** Bitget as it is simulated: what we parse is what the model says. */
import t from 'tap';
import { bitget } from '../../../actors/venues/bitget.ts';
import { bitget as simulator } from '../../../scripts/simulator/venues/bitget.ts';
import { checkPart, checkRefusals, checkUnknown } from '../../support/model-agreement.ts';
import { Reader, simulated } from '../../support/simulated-venue.ts';

const running = await simulated(simulator);
t.teardown(() => running.close());
const reader = new Reader(running, bitget);

for (const part of bitget.parts) {
  t.test(part, (t) => checkPart(t, reader, part, { change: 6e-6 }));
}

t.test('refusals', async (t) => {
  for (const part of bitget.parts) await checkUnknown(t, reader, [part, 'NOSUCHUSDT']);
  checkRefusals(t, Object.values(bitget.apis), simulator.refusals, 'blocked');
});
