import t from 'tap';
import { day, hour } from '../../../config/time.ts';
import { basisOf } from '../../../indicators/derivatives/basis.ts';

const now = 1_790_000_000_000;

t.test('basis of a dated future, a perpetual, and one without an index', async (t) => {
  const dated = basisOf({ mark: 101, index: 100, expiry: now + 73 * day }, now);
  t.ok(Math.abs((dated.basis_percent ?? 0) - 1) < 1e-9);
  t.ok(Math.abs((dated.annualized_percent ?? 0) - 5) < 1e-9);
  t.equal(dated.days_to_expiry, 73);
  const perpetual = basisOf({ mark: 99.5, index: 100, expiry: null }, now);
  t.match(perpetual, { annualized_percent: null, days_to_expiry: null });
  t.ok(Math.abs((perpetual.basis_percent ?? 0) + 0.5) < 1e-9);
  const unknown = basisOf({ mark: 101, index: null, expiry: now + day }, now);
  t.match(unknown, { basis_percent: null, annualized_percent: null, days_to_expiry: 1 });
});

t.test('in the last hour there is no annual basis', async (t) => {
  t.equal(basisOf({ mark: 101, index: 100, expiry: now + hour - 1 }, now).annualized_percent, null);
  t.not(basisOf({ mark: 101, index: 100, expiry: now + hour }, now).annualized_percent, null);
});
