import zlib from 'node:zlib';
import t from 'tap';
import { compress, encodings } from '../../../http/wire/compression.ts';
import { ready } from '../../support/http.ts';

const decode = {
  gzip: zlib.gunzipSync,
  zstd: zlib.zstdDecompressSync,
} as const;

/** JSON text of about `size` bytes that compresses as prices do. */
function prices(size: number): string {
  const entries: string[] = [];
  for (let i = 0, length = 0; length < size; i++) {
    const price = ((i * 7919) % 100_003) / 100;
    const entry = `"C${i}é":{"price":${price},"updated_at":${1_700_000_000_000 + i}}`;
    entries.push(entry);
    length += entry.length + 1;
  }
  return `{${entries.join(',')}}`;
}

const texts = {
  'just large enough': `"${'a'.repeat(1000)}"`,
  'a symbol': prices(3_000),
  'more than a block of every format': prices(300_000),
  'what looks like the opening': JSON.stringify(
    Array.from({ length: 100 }, () => '{"status":"ok","timestamp":1700000000000,"data":'),
  ),
};

for (const encoding of encodings) {
  t.test(`${encoding}: every response time, the data byte for byte`, async (t) => {
    for (const [name, text] of Object.entries(texts)) {
      const snapshot = ready(text);
      const form = await snapshot.encoded(encoding);
      if (form === null) throw new Error(`${name} was not compressed`);
      t.ok(form.length < snapshot.length, `${name}: ${form.length} of ${snapshot.length} bytes`);
      for (const now of [1_700_000_000_000, 1_700_000_000_001, 9_999_999_999_999]) {
        const body = decode[encoding](form.at(now));
        t.ok(body.equals(snapshot.at(now)), `${name} at ${now}`);
      }
      if (encoding === 'gzip') {
        // RFC 1952: magic, deflate, no flags, no time, no extra flags, unknown system.
        t.same([...form.at(0).subarray(0, 10)], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
        t.equal(form.at(0).readUInt32LE(form.length - 4), snapshot.length);
      }
    }
  });
}

t.test('each form is as small as its level makes it', async (t) => {
  const text = prices(100_000);
  const { ZSTD_c_compressionLevel: level } = zlib.constants;
  const usual = {
    gzip: zlib.gzipSync(text, { level: 6 }),
    zstd: zlib.zstdCompressSync(text, { params: { [level]: 3 } }),
  };
  for (const encoding of encodings) {
    const { length = 0 } = (await ready(text).encoded(encoding)) ?? {};
    const difference = length - usual[encoding].length;
    t.ok(Math.abs(difference) < 100, `${encoding}: ${difference} bytes more`);
  }
});

t.test('a browser can read a large answer: RFC 9659 bounds the window of zstd', async (t) => {
  const form = await ready(prices(9 * 2 ** 20)).encoded('zstd');
  const frame = form?.at(0) ?? Buffer.alloc(6);
  const [descriptor = 0, window = 0] = frame.subarray(4);
  t.equal(descriptor & 0x20, 0, 'not one segment, whose window is all of it');
  t.ok(2 ** (10 + (window >> 3)) * (1 + (window & 7) / 8) <= 8 * 2 ** 20);
  t.ok(zlib.zstdDecompressSync(frame).length > 8 * 2 ** 20);
});

t.test('the number of compressions at once is bounded', async (t) => {
  const rest = Buffer.from(prices(10_000));
  const opening = Buffer.from('{"status":"ok","timestamp":1700000000000,"data":');
  const jobs = Array.from({ length: 40 }, () => compress('gzip', opening, rest));
  t.equal(jobs.filter((job) => job === null).length, 8);
  const snapshot = ready(prices(2_000));
  t.equal(snapshot.encoded('gzip'), null, 'plain for now');
  await Promise.all(jobs);
  t.type(snapshot.encoded('gzip'), Promise, 'and compressed when there is room');
});
