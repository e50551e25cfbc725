/** Bybit as it is simulated: what we parse is what the model says. */
import t from 'tap';
import { bybit } from '../../../actors/venues/bybit.ts';
import { bybit as simulated } from '../../../scripts/simulator/venues/bybit.ts';
import { agree } from './simulated.ts';

t.test('every number of every market', (t) => agree(t, bybit, simulated));
