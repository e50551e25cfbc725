import t from 'tap';
import { acceptedEncoding, remembered } from '../../../http/wire/accept.ts';

t.test('what a header asks for', async (t) => {
  const wanted = {
    '': null,
    identity: null,
    deflate: null,
    gzip: 'gzip',
    'x-gzip': 'gzip',
    GZIP: 'gzip',
    'gzip, deflate': 'gzip',
    'gzip, deflate, br': 'gzip',
    br: null,
    'gzip, deflate, br, zstd': 'zstd',
    '*': 'zstd',
    'gzip;q=1, *;q=0.5': 'gzip',
    'gzip;q=0.5, zstd;q=0.4': 'gzip',
    'gzip ; q=0.5 , zstd ; q=0.8': 'zstd',
    'gzip;q=0': null,
    'gzip;q=0, *': 'zstd',
    'zstd;q=0, *': 'gzip',
    'identity, gzip;q=0.5': null,
    'identity;q=0.5, gzip;q=0.5': 'gzip',
    'identity;q=0': null,
    '*;q=0': null,
    'gzip;q=2': null,
    'gzip;q=x': null,
    ',,;q=1,': null,
  };
  for (const [header, encoding] of Object.entries(wanted)) {
    t.equal(acceptedEncoding(header), encoding, JSON.stringify(header));
  }
});

t.test('what was chosen for 256 headers is remembered', async (t) => {
  const read: string[] = [];
  const choose = remembered((header: string) => {
    read.push(header);
    return header;
  });
  const all = Array.from({ length: 256 }, (_, i) => `${i}`);
  t.strictSame([all.map(choose), all.map(choose), read], [all, all, all]);
  for (const header of ['256', '0', '256']) choose(header);
  t.strictSame(read.slice(256), ['256', '0'], 'one more takes the place of the oldest');
});
