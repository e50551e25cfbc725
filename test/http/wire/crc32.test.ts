import { crc32 } from 'node:zlib';
import t from 'tap';
import { crc32Joiner } from '../../../http/wire/crc32.ts';

t.test('the checksum of two parts, from those of the parts', async (t) => {
  const first = Buffer.from('{"status":"ok","timestamp":1700000000000');
  for (const length of [0, 1, 2, 3, 255, 256, 65_537, 1_000_000]) {
    const second = Buffer.alloc(length, 'tide');
    const joined = crc32Joiner(length)(crc32(first), crc32(second));
    t.equal(joined, crc32(Buffer.concat([first, second])), `${length} bytes`);
  }
  t.equal(crc32Joiner(5)(0, 7), 7, 'nothing in front');
});
