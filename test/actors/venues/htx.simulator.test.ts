/** HTX as it is simulated: what we parse is what the model says. */
import t from 'tap';
import { htx } from '../../../actors/venues/htx.ts';
import { htx as simulated } from '../../../scripts/simulator/venues/htx.ts';
import { walkAlone } from './alone.ts';

t.test('every feed and question', (t) => walkAlone(t, htx, simulated));
