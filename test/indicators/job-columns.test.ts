import t from 'tap';
import {
  blockFrom,
  blockOf,
  bytesOf,
  columnsOf,
  ownRows,
  readCandles,
  rowsOf,
} from '../../indicators/job-columns.ts';
import { BadInput } from '../../indicators/job-entries.ts';
import { market } from './rows.ts';

const rows = market(60);
const now = (rows.at(-1)?.timestamp ?? 0) + 100_000_000_000;
const lists = rows.map((row) => Object.values(row));

/** What is said of the market with one row replaced. */
function complaint(at: number, row: unknown, list: readonly unknown[] = rows): string {
  try {
    readCandles(list.with(at, row), now);
  } catch (error) {
    if (error instanceof BadInput) return error.message;
    throw error;
  }
  return 'no complaint';
}

t.test('a block holds every column, and its bytes make it again', async (t) => {
  const block = blockOf(rows);
  t.equal(rowsOf(block), 60);
  const { time, open, high, low, close, volume } = columnsOf(block);
  for (const [i, row] of rows.entries()) {
    t.same([time[i], open[i], high[i], low[i], close[i], volume[i]], Object.values(row));
  }
  const wire = Buffer.concat([Buffer.from([1, 2, 3]), bytesOf(block)]);
  const again = blockFrom(wire.subarray(3));
  t.same(again, block, 'from bytes at any place');
  t.not(again.buffer, block.buffer);
  t.throws(() => blockFrom(new Uint8Array(47)), RangeError);
  t.equal(rowsOf(blockOf([])), 0);
});

t.test('own candles: objects and lists give the same block', async (t) => {
  t.same(readCandles(rows, now), blockOf(rows));
  t.same(readCandles(lists, now), blockOf(rows));
  t.same(
    readCandles(
      rows.map((row) => ({ ...row, closed: true, volume_usd: null })),
      now,
    ),
    blockOf(rows),
  );
});

t.test('own candles: 51 to 5,000 rows', async (t) => {
  const refused = { name: 'Error', message: 'candles must be a list of 51 to 5000 rows' };
  for (const list of [rows.slice(0, 50), market(5_001), {}, 'x', null]) {
    t.throws(() => readCandles(list, now), { message: refused.message });
  }
  t.equal(rowsOf(readCandles(market(ownRows.least), now)), 51);
  t.equal(rowsOf(readCandles(market(ownRows.most), now)), 5_000);
});

t.test('own candles: times in seconds, and candles that have not begun, are refused', async (t) => {
  const at = Date.UTC(2026, 10, 24);
  const hour = 3_600_000;
  const asOf = (list: readonly object[]) => {
    try {
      readCandles(list, at);
    } catch (error) {
      if (error instanceof BadInput) return error.message;
      throw error;
    }
    return null;
  };
  const list = (last: number, scale = 1) =>
    rows.map((row, i) => ({ ...row, timestamp: (last + (i - 59) * hour) / scale }));
  t.equal(asOf(list(at)), null);
  t.equal(asOf(list(at + 60_000)), null, 'the clocks differ');
  const seconds = 'candles[0]: timestamp is in seconds; it must be Unix milliseconds';
  t.equal(asOf(list(at, 1_000)), seconds);
  const future = 'candles[59]: timestamp must be Unix milliseconds that are not in the future';
  t.equal(asOf(list(at + 60_001)), future);
  t.equal(asOf(list(at, 0.001)), future, 'microseconds');
});

t.test('own candles: the row and the field that are wrong are named', async (t) => {
  const row = rows[7];
  const cases: [object | null | number, RegExp][] = [
    [{ ...row, close: '100' }, /^candles\[7\]: close must be a number$/],
    [{ ...row, open: Number.NaN }, /candles\[7\]: open must be a number/],
    [{ ...row, volume: undefined }, /volume must be a number/],
    [{ ...row, high: 90, low: 80 }, /candles\[7\]: high must not be below/],
    [{ ...row, low: 104.5 }, /candles\[7\]: low must not be above/],
    [{ ...row, volume: -1 }, /volume must not be negative/],
    [
      { ...row, timestamp: rows[6]?.timestamp },
      /timestamp must be later than that of the row before/,
    ],
    [{ ...row, timestamp: 1.5 }, /timestamp must be Unix milliseconds/],
    [null, /candles\[7\] must be \[timestamp, open, high, low, close, volume\]/],
    [7, /candles\[7\] must be/],
  ];
  for (const [wrong, message] of cases) t.match(complaint(7, wrong), message);
  t.match(complaint(7, [1, 2, 3], lists), /low must be a number/);
  const times = [-1, 2 ** 53].map((timestamp) => complaint(0, { ...rows[0], timestamp }));
  t.match(times, [/must be Unix milliseconds/, /must be Unix milliseconds/]);
  t.equal(complaint(0, { ...rows[0], timestamp: 0 }), 'no complaint');
  t.equal(complaint(7, { ...row, open: 1, high: 1, low: 1, close: 1 }), 'no complaint');
  t.equal(complaint(7, { ...row, volume: 0 }), 'no complaint');
});
