import { Packr } from 'msgpackr';
import t from 'tap';
import {
  decode,
  decodeResult,
  encode,
  encodeResult,
  PackedValue,
  readEntries,
  readNumber,
  readPairs,
  readStreams,
} from '../../../actors/bus/codec.ts';
import { failed, success } from '../../../actors/failure.ts';

t.test('values survive the way there and back', async (t) => {
  const value = {
    text: 'Ω₿',
    big: Number.MAX_SAFE_INTEGER,
    time: 1_700_000_000_123,
    fraction: -0.000_000_12,
    none: null,
    list: [{ a: 1 }, { a: 2 }],
    '': 'empty key',
  };
  t.same(decode(encode(value)), value);
  t.same(decodeResult(encodeResult(success([1]))), { ok: true, value: [1] });
  const failure = failed('banned', 'wait', { retryAfter: 5 });
  t.same(decodeResult(encodeResult(failure)), failure);
});

t.test('rows travel as columns', async (t) => {
  const pack = new Packr({ useRecords: false });
  const rows = [
    { market: 'A', price: 1, order: { kind: 'x' } },
    { market: 'B' },
    { market: 'A', price: null, order: { kind: 'x' } },
    {},
  ];
  const first = [
    { words: ['A'], at: [0, 0] },
    [1, null],
    { tables: [{ count: 2, keys: ['kind'], columns: [{ words: ['x'], at: [0, 0] }] }] },
  ];
  const tables = [
    { count: 2, keys: ['market', 'price', 'order'], columns: first },
    { count: 1, keys: ['market'], columns: [['B']] },
    { count: 1, keys: [], columns: [] },
  ];
  t.strictSame(pack.unpack(encode({ source: 'x', rows })), {
    source: 'x',
    rows: { of: [0, 1, 0, 2], tables },
  });
  const few = { rows: rows.slice(0, 3) };
  t.strictSame(pack.unpack(encode(few)), few, 'few rows travel as they are');
  for (const value of [{ source: 'x', rows }, { events: rows }]) {
    t.strictSame(decode(encode(value)), value);
    t.strictSame(decode(pack.pack(value)), value, 'rows with their keys are read too');
  }
});

t.test('packed rows that are none throw', async (t) => {
  const pack = new Packr({ useRecords: false });
  const table = { count: 1, keys: ['a'], columns: [[1]] };
  const tables = [
    7,
    {},
    { ...table, count: 2 },
    { ...table, keys: ['__proto__'] },
    { ...table, keys: [1] },
    { ...table, columns: [] },
    { ...table, columns: [7] },
    { ...table, columns: [[1], [1]] },
  ];
  for (const packed of [{ rows: [] }, ...tables.map((one) => ({ tables: [one] }))])
    t.throws(() => decode(pack.pack({ rows: packed })), { name: 'TypeError' });
  for (const places of [[1], [0, 0], 7])
    t.throws(() => decode(pack.pack({ rows: { of: places, tables: [table] } })), {
      name: 'TypeError',
    });
});

t.test('bytes that are no list of numbers throw', async (t) => {
  const pack = new Packr({ useRecords: false });
  /** A reply whose value is the extension of lists of numbers with these bytes. */
  const replyOf = (list: readonly number[]) => {
    const extension = Buffer.from([0xc7, list.length, 1, ...list]);
    const [ok, name] = [pack.pack('ok'), pack.pack('value')];
    return Buffer.concat([Buffer.from([0x82]), ok, Buffer.from([0xc3]), name, extension]);
  };
  const counted = (count: number) => [0, ...new Uint8Array(Float64Array.of(0, 1, count).buffer)];
  t.strictSame(decodeResult(replyOf(counted(2))), success([0, 1]));
  const odd = [[], [1, 2, 3], [3, 1, 2], [2, ...Array(8).fill(0)]];
  for (const list of [...odd, [0, ...Array(22).fill(0), 0xf0, 0x7f], counted(1e6 + 1)])
    t.throws(() => decodeResult(replyOf(list)));
});

t.test('the forms of long lists of numbers, byte for byte', async (t) => {
  const doubles = (...all: (number | null)[]) =>
    all.flatMap((one) => [...Buffer.from(Float64Array.of(one ?? Number.NaN).buffer)]);
  const integers = (...all: number[]) => [...Buffer.from(Int32Array.from(all).buffer)];
  const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
  const few = upTo(16).map((at) => (at * 7) % 16);
  const cents = [null, ...few.map((one) => one / 100)];
  const roots = [null, ...upTo(16).map(Math.sqrt)];
  const tiny = few.map((one) => one / 1e22);
  const huge = few.map((one) => one * 143_165_576 * 1e22);
  const apart = (slots: number) => [...upTo(15), slots - 1];
  const marks = (slots: number) => {
    const bytes = [0xff, 0x7f, ...Array<number>(Math.ceil(slots / 8) - 2).fill(0)];
    bytes[(slots - 1) >> 3] = 1 << ((slots - 1) & 7);
    return bytes;
  };
  const forms: [list: (number | null)[], bytes: number[]][] = [
    [upTo(16).map((at) => 5 + 2 * at), [0, ...doubles(5, 2, 16)]],
    [roots, [1, ...doubles(...roots)]],
    [cents, [2, 10, ...integers(-(2 ** 31), ...few.map((one) => one * 1e8))]],
    [tiny, [2, 22, ...integers(...few)]],
    [huge, [2, 0xea, ...integers(...few.map((one) => one * 143_165_576))]],
    [huge.map((one) => one * 10), [1, ...doubles(...huge.map((one) => one * 10))]],
    [apart(256), [3, ...doubles(0, 1), ...marks(256)]],
    [apart(257), [2, 6, ...integers(...apart(257).map((one) => one * 1e6))]],
  ];
  for (const [list, expected] of forms) {
    const bytes = encodeResult(success(list));
    t.strictSame([...bytes.subarray(-expected.length - 1)], [1, ...expected]);
    t.strictSame(decodeResult(bytes), success(list));
  }
  const negative = [upTo(16).map(() => -0), [...upTo(16), -0], [...cents, 1e-9], [...cents, 1e308]];
  for (const list of negative)
    t.strictSame(decodeResult(encodeResult(success(list))), success(list));
  const plain = new Packr({ useRecords: false });
  const short = success(upTo(15));
  t.strictSame(encodeResult(short), plain.pack(short), 'fewer stay as they are');
});

t.test('long lists of rows travel as columns in replies', async (t) => {
  const upTo = Array.from({ length: 500 }, (_, at) => at);
  const candle = (at: number) => ({ timestamp: at * 60_000, close: at / 8, closed: at < 499 });
  const rows = upTo.map(candle);
  const plain = new Packr({ useRecords: false });
  const bytes = encodeResult(success({ value: { candles: rows } }));
  t.ok(bytes.length < plain.pack(rows).length / 4);
  const [of65, of64] = [65, 64].map((count) => encodeResult(success(rows.slice(0, count))).length);
  t.ok(Number(of65) < Number(of64), 'shorter ones stay as they are');
  const mixed = upTo.map((at) => (at === 7 ? at : candle(at)));
  for (const list of [rows, rows.slice(0, 65), rows.slice(0, 64), mixed]) {
    const result = success({ value: { candles: list }, received: 1 });
    t.strictSame(decodeResult(encodeResult(result)), result);
  }
  t.strictSame(decodeResult(encodeResult(success({ value: new PackedValue(rows) }))), {
    ok: true,
    value: { value: rows },
  });
});

t.test('a packed value is read like any other', async (t) => {
  const value = { rows: [{ times: Array.from({ length: 99 }, (_, at) => at), key: 'a' }] };
  const packed = new PackedValue(value);
  for (const reply of [
    { received: 1, until: 2 },
    { received: 1, until: 3, stale: true },
  ]) {
    const bytes = encodeResult(success({ ...reply, value: packed }));
    t.strictSame(decodeResult(bytes), success({ ...reply, value }));
    t.equal(encodeResult(success({ ...reply, value: packed })), bytes, 'without a copy');
  }
  t.strictSame(decodeResult(encodeResult(success({ value: new PackedValue(7) }))), {
    ok: true,
    value: { value: 7 },
  });
});

t.test('bytes that are not a payload throw', async (t) => {
  const bad = ['', 'garbage', encode([1]), encode(null), encode(7)];
  for (const bytes of bad) t.throws(() => decode(Buffer.from(bytes)));
  t.throws(() => decode(encode({ a: 'cut short' }).subarray(0, 5)));
});

t.test('a map that is not a result throws', async (t) => {
  const pack = new Packr({ useRecords: false });
  const bad = [{}, { ok: true }, { ok: false }, { ok: false, failure: { code: 1 } }, { ok: 1 }];
  for (const value of bad) t.throws(() => decodeResult(pack.pack(value)));
});

t.test('replies of Redis are read, and strange ones come out empty', async (t) => {
  const entry = [Buffer.from('1-0'), [Buffer.from('key'), Buffer.from('v')]];
  t.same(readStreams([[Buffer.from('s'), [entry]]]).get('s'), [
    { id: '1-0', fields: new Map([['key', Buffer.from('v')]]) },
  ]);
  t.same(readEntries([[Buffer.from('2-0'), null]]), [{ id: '2-0', fields: null }]);
  t.equal(readStreams(null).size, 0);
  t.equal(readPairs('what').size, 0);
  t.equal(readNumber(Buffer.from('12')), 12);
  t.equal(readNumber(3), 3);
  t.ok(Number.isNaN(readNumber(undefined)));
});
