/** KuCoin as it is simulated: what we parse is what the model says. */
import t from 'tap';
import { kucoin } from '../../../actors/venues/kucoin.ts';
import { kucoin as simulated } from '../../../scripts/simulator/venues/kucoin.ts';
import { walkAlone } from './alone.ts';

t.test('every feed and question', (t) => walkAlone(t, kucoin, simulated));
