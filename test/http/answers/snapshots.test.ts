import t from 'tap';
import { ready } from '../../support/http.ts';

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
