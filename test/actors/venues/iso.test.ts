import t from 'tap';
import { timeOf, timeText, utcTimeOf } from '../../../actors/venues/iso.ts';

t.test('times as text', async (t) => {
  t.equal(timeOf('2026-09-02T17:52:21.057577Z'), Date.UTC(2026, 8, 2, 17, 52, 21, 57));
  t.equal(timeOf('2016-02-25T09:45:53Z'), Date.UTC(2016, 1, 25, 9, 45, 53));
  for (const value of ['', 'soon', null, 7, {}]) t.equal(timeOf(value), null);
  t.equal(timeText(Date.UTC(2026, 8, 2, 17, 52, 21, 57)), '2026-09-02T17:52:21Z');
});

t.test('times that name no zone are UTC', async (t) => {
  const time = Date.UTC(2025, 6, 19, 13, 9);
  for (const value of ['2025-07-19 13:09:00', '2025-07-19T13:09:00', '2025-07-19 13:09:00.000']) {
    t.equal(utcTimeOf(value), time);
  }
  const others = ['', '2025-07-19', '2025-07-19T13:09:00Z', '2025-13-19 13:09:00', time, null];
  for (const value of others) t.equal(utcTimeOf(value), null);
});
