import t from 'tap';
import { jsonText } from '../../http/json.ts';
import { Cell } from '../../http/snapshots.ts';
import { ready } from '../support/http.ts';

t.test('the response time is written into ready bytes', async (t) => {
  const snapshot = ready('{"price":"1 €"}');
  for (const now of [1_700_000_000_000, 1_700_000_000_001, 9_999_999_999_999]) {
    const bytes = snapshot.at(now);
    t.equal(bytes.length, snapshot.length);
    t.same(JSON.parse(bytes.toString()), { status: 'ok', timestamp: now, data: { price: '1 €' } });
  }
});

t.test('the tag is that of the data: equal in every process, other for other data', async (t) => {
  t.equal(ready('[1]').etag, ready('[1]').etag);
  t.not(ready('[1]').etag, ready('[2]').etag);
  t.match(ready('[1]').etag, /^W\/"[\w-]{27}"$/);
});

t.test('a cell serialises once per change, and only when asked', async (t) => {
  let built = 0;
  let data: number | null = 1;
  const cell = new Cell(() => {
    built++;
    return data === null ? null : jsonText(data);
  });
  cell.change();
  t.equal(built, 0);
  const first = cell.read();
  t.equal(cell.read(), first);
  t.equal(built, 1);
  data = 2;
  t.equal(cell.read(), first, 'stands until a change');
  cell.change();
  cell.change();
  t.match(cell.read()?.at(1).toString(), '"data":2');
  t.equal(built, 2);
  data = null;
  cell.change();
  t.equal(cell.read(), null);
});

t.test('a cell tells its listeners about every change', async (t) => {
  const seen: string[] = [];
  let data = 1;
  const cell = new Cell(() => jsonText(data));
  const first = cell.subscribe(() => seen.push(`first ${cell.read()?.at(1)}`));
  cell.subscribe(() => seen.push('second'));
  cell.change();
  t.match(seen[0], /first .*"data":1/);
  t.equal(seen[1], 'second');
  data = 2;
  first?.();
  first?.();
  cell.change();
  t.strictSame(seen.slice(2), ['second'], 'not after it has unsubscribed');
  t.match(cell.read()?.at(1).toString(), '"data":2');
});
