import t from 'tap';
import { hoursSince } from '../../../indicators/derivatives/funding.ts';

const hour = 3_600_000;

t.test('hours of a settled rate follow from the time of the one before', async (t) => {
  t.equal(hoursSince(0, 8 * hour), 8);
  t.equal(hoursSince(8 * hour, 12 * hour), 4);
  t.equal(hoursSince(12 * hour, 13 * hour + 60_000), 1);
  t.equal(hoursSince(Number.NaN, 8 * hour), null);
});
