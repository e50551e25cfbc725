import t from 'tap';
import { amplitudePct, netflowOf } from '../../../indicators/derivatives/rankings.ts';

t.test('the range of prices in percent of the lowest', async (t) => {
  t.ok(Math.abs((amplitudePct([100, null, 110, 105]) ?? 0) - 10) < 1e-9);
  t.equal(amplitudePct([100, null]), null);
  t.equal(amplitudePct([]), null);
});

t.test('bought less sold in the time before an end', async (t) => {
  const steps = [
    { time: 0, buy: 5, sell: 3 },
    { time: 1, buy: 1, sell: 4 },
  ];
  t.equal(netflowOf(steps, { end: 2, length: 2, step: 1 }), -1);
  t.equal(netflowOf(steps, { end: 2, length: 1, step: 1 }), -3);
  t.equal(netflowOf(steps, { end: 2, length: 3, step: 1 }), null);
});
