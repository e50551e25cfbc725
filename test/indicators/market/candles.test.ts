import t from 'tap';
import {
  aggregate,
  type Bar,
  baseInterval,
  endOf,
  isValid,
  openOf,
  scaled,
  tidy,
} from '../../../indicators/market/candles.ts';
import { type Interval, intervals } from '../../../indicators/market/intervals.ts';

const utc = (text: string) => Date.parse(`${text}Z`);
const bar = (timestamp: number, change: Partial<Bar> = {}): Bar => ({
  timestamp,
  open: 10,
  high: 12,
  low: 9,
  close: 11,
  volume: 2,
  turnover: 21,
  ...change,
});
const candlesOf = (...args: Parameters<typeof tidy>) => tidy(...args).candles;
const nan = Number.NaN;
const inf = Number.POSITIVE_INFINITY;

t.test('buckets are those of UTC', async (t) => {
  const table: [Interval, string, string][] = [
    ['1m', '2025-06-15T13:37:42', '2025-06-15T13:37:00'],
    ['8h', '2025-06-15T13:37:42', '2025-06-15T08:00:00'],
    ['1d', '2025-06-15T13:37:42', '2025-06-15T00:00:00'],
    // 2025-06-15 is a Sunday, day 20254 of the epoch, and 20254 modulo 3 is 1.
    ['1w', '2025-06-15T13:37:42', '2025-06-09T00:00:00'],
    ['1w', '2025-06-16T00:00:00', '2025-06-16T00:00:00'],
    ['3d', '2025-06-15T13:37:42', '2025-06-14T00:00:00'],
    ['1M', '2025-06-15T13:37:42', '2025-06-01T00:00:00'],
    ['1M', '2024-12-31T23:59:59', '2024-12-01T00:00:00'],
  ];
  for (const [interval, time, open] of table) {
    t.equal(openOf(utc(time), interval), utc(open), `${interval} ${time}`);
  }
});

t.test('a candle whose wick is no price is not valid', async (t) => {
  t.ok(
    isValid(bar(utc('2025-06-15T00:00:00'), { high: 1_100, low: 0.001 })),
    'a hundred times up, ten thousand times down',
  );
  t.notOk(isValid(bar(utc('2025-06-15T00:00:00'), { high: 1_101 })));
  t.notOk(isValid(bar(utc('2025-06-15T00:00:00'), { low: 0.00099 })));
});

t.test('the fall of ATOM at Binance on 10 October 2025 is in its candle', async (t) => {
  const fall = { open: 3.1, high: 3.2, low: 0.001, close: 2.9 };
  const rows = [bar(utc('2025-10-10T21:00:00'), fall)];
  const { candles, bad } = tidy(rows, { interval: '1h', now: utc('2025-10-11T00:00:00') });
  t.strictSame([candles[0]?.low, bad], [0.001, 0]);
});

t.test('a month ends with its calendar month', async (t) => {
  t.equal(endOf(utc('2024-02-01T00:00:00'), '1M'), utc('2024-03-01T00:00:00'));
  t.equal(endOf(utc('2024-12-01T00:00:00'), '1M'), utc('2025-01-01T00:00:00'));
  t.equal(endOf(utc('2025-06-09T00:00:00'), '1w'), utc('2025-06-16T00:00:00'));
});

t.test('candles are sorted, the last of two equal times stays, old ones are closed', async (t) => {
  const minute = 60_000;
  const start = utc('2025-06-15T13:37:00');
  const rows = [
    bar(start + 3 * minute),
    bar(start + minute, { close: 10 }),
    bar(start + 2 * minute),
    bar(start + minute, { close: 9.5 }),
  ];
  const tidied = candlesOf(rows, { interval: '1m', now: start + 4 * minute - 1 });
  t.same(
    tidied.map(({ timestamp, close, closed }) => [(timestamp - start) / minute, close, closed]),
    [
      [1, 9.5, true],
      [2, 11, true],
      [3, 11, false],
    ],
  );
  const last = candlesOf(rows, { interval: '1m', now: start + 4 * minute }).at(-1);
  t.equal(last?.closed, true, 'an interval has ended when the next begins');
});

t.test('an invalid row never replaces a valid one', async (t) => {
  const time = utc('2025-06-15T13:37:00');
  const unsound: Partial<Bar>[] = [
    { open: nan },
    { high: inf },
    { low: 0 },
    { close: -1 },
    { high: 8 },
    { high: 9.5 }, // below open and close
    { low: 10.5 }, // above the open
    { low: 11.5, open: 12 }, // above the close
    { open: 12.5 },
    { close: 8.5 },
    { volume: nan },
    { volume: -1 },
    { volume: inf },
  ];
  for (const change of unsound) {
    const tidied = candlesOf([bar(time), bar(time, change)], { interval: '1m', now: time });
    t.same(tidied, [{ ...bar(time), closed: false }], JSON.stringify(change));
  }
  for (const [wrong, why] of [
    [nan, 'no number'],
    [inf, 'infinite'],
    [time / 1000, 'in seconds'],
    [time * 1000, 'in microseconds'],
    [time + 0.5, 'with a fraction'],
    [time + 1000, 'between two minutes'],
    [time + 120_000, 'in the future'],
    [0, 'zero'],
  ] as const) {
    const tidied = candlesOf([bar(time), bar(wrong)], { interval: '1m', now: time });
    t.same(tidied, [{ ...bar(time), closed: false }], why);
  }
  const ahead = [60_000, 60_001].map((ms) =>
    candlesOf([bar(time)], { interval: '1m', now: time - ms }),
  );
  t.match(ahead, [[{}], []], 'the clock of the exchange may be a minute ahead');
  const century = ['2000-01-01', '2100-01-01'].map((day) => utc(`${day}T00:00:00`));
  const times = century.flatMap((edge) => [edge - 1, edge]);
  t.same(
    times.map((edge) => isValid(bar(edge))),
    [false, true, true, false],
    'a time of this century',
  );
  const flat = { open: 1, high: 1, low: 1, close: 1, volume: 0 };
  t.ok(isValid(bar(time, flat)));
});

t.test('a candle of a thousand coins in coins; a turnover that cannot be is unknown', async (t) => {
  const prices = { open: 0.01, high: 0.012, low: 0.009, close: 0.011 };
  t.same(scaled(bar(1), 1_000), { ...bar(1), ...prices, volume: 2_000 });
  const turnovers = [-1, Infinity, null, 0].map(
    (turnover) => scaled(bar(1, { turnover }), 1).turnover,
  );
  t.same(turnovers, [null, null, null, null]);
  t.equal(scaled(bar(1, { turnover: 0, volume: 0 }), 1).turnover, 0);
});

t.test(
  'a running candle opens where its interval does; a finished one is what the exchange keeps',
  async (t) => {
    const table: [Interval, string, boolean][] = [
      ['5m', '2025-06-15T13:35:00', true],
      ['5m', '2025-06-15T13:37:00', false],
      ['4h', '2025-06-15T12:00:00', true],
      ['4h', '2025-06-15T14:00:00', false],
      ['1d', '2025-06-15T00:00:00', true],
      ['1d', '2025-06-15T16:00:00', false],
      ['1w', '2025-06-16T00:00:00', true],
      ['1w', '2025-06-12T00:00:00', true], // a Thursday, as weeks counted from the epoch open
      ['1w', '2025-06-15T16:00:00', false],
      ['3d', '2025-06-15T00:00:00', true],
      ['1M', '2025-06-01T00:00:00', true],
      ['1M', '2025-06-02T00:00:00', false],
    ];
    for (const [interval, open, fits] of table) {
      const found = (now: number) => {
        const { candles, bad } = tidy([bar(utc(open))], { interval, now });
        return [candles.length, bad];
      };
      t.same(found(utc(open) + 1_000), fits ? [1, 0] : [0, 1], `${interval} ${open}`);
      t.same(found(utc('2025-12-31T00:00:00')), [1, 0], `${interval} ${open}, finished`);
    }
  },
);

t.test('a month is closed by the calendar, not by 31 days', async (t) => {
  const february = bar(utc('2023-02-01T00:00:00'));
  const now = utc('2023-03-01T00:00:00');
  t.equal(candlesOf([february], { interval: '1M', now })[0]?.closed, true);
  t.equal(candlesOf([february], { interval: '1M', now: now - 1 })[0]?.closed, false);
});

t.test('8h from 4h', async (t) => {
  const h4 = intervals['4h'];
  const start = utc('2025-06-15T00:00:00');
  const now = start + 4 * h4;
  const rows = [
    bar(start - h4), // second half of a bucket whose first half is missing
    bar(start, { open: 10, high: 15, low: 9, close: 14, volume: 1.5, turnover: 20 }),
    bar(start + h4, { open: 14, high: 14, low: 7, close: 8, volume: 2.5, turnover: 30 }),
    bar(start + 2 * h4, { turnover: null }),
    bar(start + 3 * h4),
    bar(start + 4 * h4, { open: 5, high: 6, low: 4, close: 5.5, turnover: 10 }),
  ];
  const built = aggregate(candlesOf(rows, { interval: '4h', now }), { from: '4h', to: '8h', now });
  t.same(built, [
    // high max(15, 14), low min(9, 7), close of the last, 1.5 + 2.5, 20 + 30
    { ...bar(start), open: 10, high: 15, low: 7, close: 8, volume: 4, turnover: 50, closed: true },
    { ...bar(start + 2 * h4), volume: 4, turnover: null, closed: true },
    { ...bar(start + 4 * h4), open: 5, high: 6, low: 4, close: 5.5, turnover: 10, closed: false },
  ]);
});

t.test('what takers bought adds up, where each bar states it', async (t) => {
  const start = utc('2025-06-15T00:00:00');
  const h4 = intervals['4h'];
  const now = start + 4 * h4;
  const flow = { trades: 2, base: 3, quote: 4 };
  const rows = [0, 1, 2, 3].map((at) => bar(start + at * h4, at < 3 ? { flow } : {}));
  const built = aggregate(candlesOf(rows, { interval: '4h', now }), { from: '4h', to: '8h', now });
  t.same(
    built.map((one) => one.flow),
    [{ trades: 4, base: 6, quote: 8 }, undefined],
  );
});

t.test('a turnover whose mean price is none of the candle is unknown', async (t) => {
  const start = utc('2025-06-15T00:00:00');
  const turnoverOf = (change: Partial<Bar>) =>
    candlesOf([bar(start, change)], { interval: '1h', now: start })[0]?.turnover;
  // Between 9 and 12, a tenth outside: 8.1 to 13.2.
  t.equal(turnoverOf({ turnover: 16.3 }), 16.3);
  t.equal(turnoverOf({ turnover: 26.3 }), 26.3);
  t.equal(turnoverOf({ turnover: 16.1 }), null);
  t.equal(turnoverOf({ turnover: 42 }), null, 'both sides');
  t.equal(turnoverOf({ turnover: 2 }), null, 'in base');
  t.equal(turnoverOf({ volume: 0, turnover: 21 }), null, 'for nothing');
  t.equal(turnoverOf({ volume: 0, turnover: 0 }), 0);
});

t.test('weeks, months and 3 days from days', async (t) => {
  const day = intervals['1d'];
  const from = utc('2025-05-31T00:00:00');
  const now = utc('2025-07-02T00:00:00');
  const days = Array.from({ length: 33 }, (_, i) => bar(from + i * day, { volume: 1 }));
  const build = (to: Interval) =>
    aggregate(candlesOf(days, { interval: '1d', now }), { from: '1d', to, now });
  t.same(
    build('1M').map((c) => [c.timestamp, c.volume, c.closed]),
    [
      [utc('2025-06-01T00:00:00'), 30, true],
      [utc('2025-07-01T00:00:00'), 2, false],
    ],
  );
  t.same(
    build('1w').map((c) => [c.timestamp, c.volume, c.closed]),
    [2, 9, 16, 23, 30].map((date, i) => [Date.UTC(2025, 5, date), i === 4 ? 3 : 7, i !== 4]),
  );
  t.equal(build('3d')[0]?.timestamp, utc('2025-06-02T00:00:00'), 'day 20241 = 3 x 6747');
});

t.test('no candles, no buckets; an interval that does not fill is a bug', async (t) => {
  t.same(aggregate([], { from: '4h', to: '8h', now: 0 }), []);
  t.throws(() => aggregate([], { from: '3m', to: '5m', now: 0 }), RangeError);
});

t.test('the base of an interval', async (t) => {
  const okx = { '1m': 'a', '2h': 'b', '4h': 'c', '6h': 'd', '12h': 'e', '1d': 'f', '3d': 'g' };
  t.equal(baseInterval(okx, '4h'), '4h');
  t.equal(baseInterval(okx, '8h'), '4h', 'not 6h, which does not fill 8h');
  t.equal(baseInterval(okx, '3m'), '1m');
  t.equal(baseInterval(okx, '1w'), '1d', 'not 3d, which does not fill a week');
  t.equal(baseInterval(okx, '1M'), '1d', 'nor a month');
  t.equal(baseInterval({ '1h': 'a' }, '30m'), null);
  t.equal(baseInterval({ '1w': 'a' }, '1M'), null);
  t.equal(baseInterval({}, '1m'), null);
});
