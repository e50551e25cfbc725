import t from 'tap';
import { amplitudePct } from '../../../indicators/derivatives/rankings.ts';

t.test('the range of prices in percent of the lowest', async (t) => {
  t.ok(Math.abs((amplitudePct([100, null, 110, 105]) ?? 0) - 10) < 1e-9);
  t.equal(amplitudePct([100, null]), null);
  t.equal(amplitudePct([]), null);
});
