import t from 'tap';
import { hoursSince, rateOf8Hours, validFunding } from '../../../indicators/derivatives/funding.ts';

const nan = Number.NaN;

t.test('funding: 1, 2, 4 or 8 hours, within 5 % an hour of either sign', async (t) => {
  const nothing = { rate: null, refused: null };
  t.strictSame(validFunding(0.0001, 8), { rate: 0.0001, hours: 8, refused: null });
  t.strictSame(
    validFunding(-0.05, 1),
    { rate: -0.05, hours: 1, refused: null },
    'the bound itself',
  );
  t.strictSame(
    validFunding(0.4, null),
    { rate: 0.4, hours: null, refused: null },
    'at most 8 hours',
  );
  t.strictSame(
    [validFunding(nan, 4), validFunding(null, nan)],
    [
      { ...nothing, hours: 4 },
      { ...nothing, hours: null },
    ],
  );
  for (const [rate, hours] of [
    [0.0501, 1],
    [-0.41, 8],
    [0.41, null],
    [1, 4],
  ] as const) {
    t.strictSame(validFunding(rate, hours), { rate: null, hours, refused: 'bad_funding_rate' });
  }
  for (const hours of [0, -8, 0.5, 3, 24, 480, 28_800]) {
    const refused = { rate: null, hours: null, refused: 'bad_funding_interval' };
    t.strictSame(validFunding(0.0001, hours), refused, String(hours));
  }
});

t.test('hours of a settled rate follow from the time of the one before', async (t) => {
  const hours = [0.5, 1.5, 1.51, 3, 3.01, 6, 6.01, 24, Number.NaN];
  t.strictSame(
    hours.map((each) => hoursSince(3_600_000, (1 + each) * 3_600_000)),
    [1, 1, 2, 2, 4, 4, 8, 8, null],
  );
});

t.test('a rate of any interval as one of eight hours', async (t) => {
  t.equal(rateOf8Hours(0.0001, 1), 0.0008);
  t.equal(rateOf8Hours(-0.0004, 4), -0.0008);
  t.equal(rateOf8Hours(0.0001, 8), 0.0001);
});
