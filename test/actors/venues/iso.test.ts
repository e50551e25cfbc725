import t from 'tap';
import { timeOf, timeText } from '../../../actors/venues/iso.ts';

t.test('times as text', async (t) => {
  t.equal(timeOf('2026-09-02T17:52:21.057577Z'), Date.UTC(2026, 8, 2, 17, 52, 21, 57));
  t.equal(timeOf('2016-02-25T09:45:53Z'), Date.UTC(2016, 1, 25, 9, 45, 53));
  for (const value of ['', 'soon', null, 7, {}]) t.equal(timeOf(value), null);
  t.equal(timeText(Date.UTC(2026, 8, 2, 17, 52, 21, 57)), '2026-09-02T17:52:21Z');
});

t.test('the usual form is read as the engine reads it', async (t) => {
  const days = ['2024-02-29', '2023-02-29', '2026-02-30', '2026-04-31', '2026-12-31', '2100-03-01'];
  const dates = [
    ...days,
    '202x-01-01',
    '2026-01-00',
    '2026-00-10',
    '2026-13-01',
    '2026-01-32',
    '2026-1-011',
  ];
  const times = ['00:00:00', '23:59:59', '24:00:00', '12:60:00', '12:00:60', '1x:00:00', '12:00'];
  const ends = [
    'Z',
    '.1Z',
    '.12Z',
    '.123Z',
    '.123456789Z',
    '.Z',
    '.1x3Z',
    '.1234xZ',
    'z',
    '+01:00',
  ];
  const texts = dates.flatMap((date) =>
    times.flatMap((one) => ends.map((end) => `${date}T${one}${end}`)),
  );
  const read = (text: string) => (Number.isNaN(Date.parse(text)) ? null : Date.parse(text));
  t.same(texts.map(timeOf), texts.map(read));
  const every = Array.from({ length: 44_000 }, (_, i) => Date.UTC(2009, 0, 2 + i));
  t.same(
    every.map((day) => timeOf(new Date(day).toISOString())),
    every,
  );
});

t.test('times that name no zone are UTC, wherever the host is', async (t) => {
  const { TZ } = process.env;
  t.teardown(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });
  process.env.TZ = 'Asia/Tokyo';
  const time = Date.UTC(2025, 6, 19, 13, 9);
  const without = ['2025-07-19 13:09:00', '2025-07-19T13:09:00', '2025-07-19 13:09:00.000'];
  const stated = ['2025-07-19T13:09:00Z', '2025-07-19 13:09:00Z', '2025-07-19T22:09:00+09:00'];
  for (const value of [...without, ...stated]) t.equal(timeOf(value), time, value);
  t.equal(timeOf('2025-07-19'), Date.UTC(2025, 6, 19));
  for (const value of ['2025-13-19 13:09:00', '13:09:00', time]) t.equal(timeOf(value), null);
});
