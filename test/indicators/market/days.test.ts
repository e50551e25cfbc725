import t from 'tap';
import { dateOf, dayAt, dayOf, daysBetween } from '../../../indicators/market/days.ts';
import { utcTime } from '../../../indicators/market/utc-time.ts';

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

t.test('a time of UTC, with any number of decimals', async (t) => {
  const days = Array.from({ length: 48_000 }, (_, at) => (at - 365) * 86_400_000);
  t.same(
    days.map((day) => utcTime(`${dateOf(day)}T00:00:00Z`)),
    days,
    'every day from 1969 to 2100',
  );
  t.equal(utcTime('0099-12-31T00:00:00Z'), Date.parse('0099-12-31T00:00:00Z'));
  const noon = dayOf('2024-02-29') + 12 * 3_600_000;
  t.same(
    ['12:00:00Z', '23:59:59Z', '12:00:00.5Z', '12:00:00.07Z', '12:00:00.0019999Z'].map((time) =>
      utcTime(`2024-02-29T${time}`),
    ),
    [noon, noon + 43_199_000, noon + 500, noon + 70, noon + 1],
  );
  const wrong = [
    ...['2024-02-29 12:00:00Z', '2024-02-29T12.00:00Z', '2024-02-29T12:00.00Z', ''],
    ...['2024-02-29T24:00:00Z', '2024-02-29T12:60:00Z', '2024-02-29T12:00:60Z'],
    ...['2024-00-29T12:00:00Z', '2024-13-29T12:00:00Z', '2024-02-00T12:00:00Z'],
    ...['2024-02-32T12:00:00Z', '2024/02-29T12:00:00Z', '2024-02/29T12:00:00Z'],
    ...['2024-02-29T12:00:00.Z', '2024-02-29T12:00:00.1', '2024-02-29T12:00:00,1Z'],
    ...['2024-02-29T12:00:00.1xZ', 'x024-02-29T12:00:00Z', '20x4-02-29T12:00:00Z'],
    ...[
      '2024-02-29Tx2:00:00Z',
      '2024-02-29T12:0x:00Z',
      '2024-02-29T12:00:x0Z',
      '12:00:00Z',
      '20:4-02-29T12:00:00Z',
    ],
  ];
  t.same(
    wrong.filter((text) => !Number.isNaN(utcTime(text))),
    [],
  );
});
