/** Gate as it is simulated: what we parse is what the model says. */
import t from 'tap';
import { gate } from '../../../actors/venues/gate.ts';
import { gate as simulated } from '../../../scripts/simulator/venues/gate.ts';
import { agree } from './simulated.ts';

t.test('every number of every market', (t) =>
  // The base volume of BTC_USD candles is an estimate between their high and their low.
  agree(t, gate, simulated, { inverseVolume: 0.02 }),
);
