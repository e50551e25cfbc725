import t from 'tap';
import { settledHours } from '../../../indicators/derivatives/funding.ts';

const hour = 3_600_000;

t.test('hours of settled rates follow from the times between them', async (t) => {
  t.strictSame(settledHours([0, 8 * hour, 12 * hour, 13 * hour + 60_000]), [8, 8, 4, 1]);
  t.strictSame(settledHours([0]), [null]);
  t.strictSame(settledHours([]), []);
});
