/** Gate as it is simulated: what we parse is what the model says. */
import t from 'tap';
import { gate } from '../../../actors/venues/gate.ts';
import { gate as simulator } from '../../../scripts/simulator/venues/gate.ts';
import { checkPart, checkRefusals, checkUnknown } from '../../support/model-agreement.ts';
import { Reader, simulated } from '../../support/simulated-venue.ts';

const running = await simulated(simulator);
t.teardown(() => running.close());
const reader = new Reader(running, gate);

// Open interest is in whole contracts; the base volume of BTC_USD candles lies between their high and their low.
const terms = { change: 6e-5, interest: 1e-5, inverseVolume: 0.02 };
for (const part of gate.parts) {
  t.test(part, (t) => checkPart(t, reader, part, terms));
}

t.test('refusals', async (t) => {
  for (const part of gate.parts) await checkUnknown(t, reader, [part, 'NOSUCH_USDT']);
  checkRefusals(t, Object.values(gate.apis), simulator.refusals, 'blocked');
});
