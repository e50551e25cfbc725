/** MEXC as it is simulated: what we parse is what the model says. */
import t from 'tap';
import { mexc } from '../../../actors/venues/mexc.ts';
import { mexc as simulated } from '../../../scripts/simulator/venues/mexc.ts';
import { walkAlone } from './alone.ts';

t.test('every feed and question', (t) => walkAlone(t, mexc, simulated));
