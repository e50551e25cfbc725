import t from 'tap';
import { doubtFor, doubtIn } from '../../../indicators/defi/plausible.ts';

const now = 1_750_000_000_000;
const rows = (count: number, usd = 1) => Array.from({ length: count }, () => ({ usd }));
const known = (count: number, age = 0) => ({ rows: rows(count), received: now - age });
const check = (list: { usd: number }[], before: Parameters<typeof doubtIn<{ usd: number }>>[1]) =>
  doubtIn(list, before, { weight: ({ usd }) => usd, now });

t.test('values that are accepted, and values that are refused', async (t) => {
  t.equal(check([], undefined), 'no rows');
  t.equal(check(rows(1), undefined), null);
  t.equal(check(rows(50), known(100)), null);
  t.equal(check(rows(49), known(100)), '49 rows where 100 were known');
  t.equal(doubtFor, 3_600_000);
  t.match(check(rows(49), known(100, doubtFor)), '49 rows');
  t.equal(check(rows(49), known(100, doubtFor + 1)), null, 'not for ever');
  t.equal(check([], known(100, doubtFor + 1)), 'no rows', 'nothing is never right');
  t.equal(check(rows(100, 10), known(100)), null);
  t.equal(check(rows(100, 10.1), known(100)), 'the sum is off by a factor of 10');
  t.equal(check(rows(100, 0.05), known(100)), 'the sum is off by a factor of 20');
  t.equal(check(rows(3, 0), { rows: rows(3, 0), received: now }), null, 'nothing traded');
});
