import { Packr } from 'msgpackr';
import t from 'tap';
import {
  decode,
  decodeResult,
  encode,
  encodeResult,
  readEntries,
  readNumber,
  readPairs,
  readStreams,
} from '../../../actors/bus/codec.ts';
import { success } from '../../../actors/failure.ts';

t.test('keys of equal rows are written once, and large values are compressed', async (t) => {
  const rows = Array.from({ length: 2_000 }, (_, at) => ({
    market: `COIN${at}-USDT`,
    price: at / 8,
    note: at % 3 === 0 ? null : 'text',
  }));
  const plain = new Packr({ useRecords: false });
  for (const count of [4, 2_000]) {
    const value = { source: 'x', rows: rows.slice(0, count) };
    const bytes = encode(value);
    t.ok(bytes.length < plain.pack(value).length * (count === 4 ? 1 : 0.5), `${bytes.length}`);
    t.strictSame(decode(bytes), value);
    t.strictSame(decode(plain.pack(value)), value, 'rows with their keys are read too');
    t.strictSame(decodeResult(encodeResult(success(value))), success(value));
  }
  const large = encode({ rows });
  t.throws(() => decode(large.subarray(0, large.length / 2)), 'cut short');
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
