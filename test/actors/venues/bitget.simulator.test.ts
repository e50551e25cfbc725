/** Bitget as it is simulated: what we parse is what the model says. */
import t from 'tap';
import { bitget } from '../../../actors/venues/bitget.ts';
import { bitget as simulated } from '../../../scripts/simulator/venues/bitget.ts';
import { agree } from './simulated.ts';

t.test('every number of every market', (t) => agree(t, bitget, simulated));
