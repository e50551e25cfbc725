import t from 'tap';
import { dateOf, dayAt, dayOf, daysBetween } from '../../../indicators/market/days.ts';

t.test('dates and days', async (t) => {
  t.equal(dayOf('1970-01-02'), 86_400_000);
  t.equal(dayOf('2010-08-16'), 1_281_916_800_000);
  t.equal(dateOf(dayOf('2024-02-29')), '2024-02-29');
  t.equal(dayAt(dayOf('2024-02-29') + 86_399_999), dayOf('2024-02-29'));
  t.equal(daysBetween(dayOf('2009-01-03'), dayOf('2024-05-24')), 5620);
});

t.test('a text that is not a date is NaN', async (t) => {
  for (const value of [
    ...['2023-02-29', '2023-2-1', '2023-13-01', '', 'x', 5, null, '2023-01-01T00:00Z'],
    ...['1970-01-01', '1969-12-31'],
  ])
    t.ok(Number.isNaN(dayOf(value)), String(value));
});
