import t from 'tap';
import { Cell, Snapshot } from '../../http/snapshots.ts';

t.test('the response time is written into ready bytes', async (t) => {
  const snapshot = new Snapshot('{"price":"1 €"}');
  for (const now of [1_700_000_000_000, 1_700_000_000_001, 9_999_999_999_999]) {
    const bytes = snapshot.at(now);
    t.equal(bytes.length, snapshot.length);
    t.same(JSON.parse(bytes.toString()), { status: 'ok', timestamp: now, data: { price: '1 €' } });
  }
});

t.test('the tag is that of the data: equal in every process, other for other data', async (t) => {
  t.equal(new Snapshot('[1]').etag, new Snapshot('[1]').etag);
  t.not(new Snapshot('[1]').etag, new Snapshot('[2]').etag);
  t.match(new Snapshot('[1]').etag, /^W\/"[\w-]{27}"$/);
});

t.test('a cell serialises once per change, and only when asked', async (t) => {
  let built = 0;
  let data: string | null = '1';
  const cell = new Cell(() => {
    built++;
    return data;
  });
  cell.change();
  t.equal(built, 0);
  const first = cell.read();
  t.equal(cell.read(), first);
  t.equal(built, 1);
  data = '2';
  t.equal(cell.read(), first, 'stands until it is told');
  cell.change();
  cell.change();
  t.match(cell.read()?.at(1).toString(), '"data":2');
  t.equal(built, 2);
  data = null;
  cell.change();
  t.equal(cell.read(), null);
});
