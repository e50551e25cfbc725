import t from 'tap';
import { allowOf, assertServable, grantOf } from '../../http/table.ts';
import { echo } from '../support/http.ts';

t.test('tables that cannot be served', async (t) => {
  t.throws(() => assertServable([echo(), echo()]), {
    message: 'GET /v1/echo is in the table twice',
  });
  t.throws(() => assertServable([echo({ path: '/a/{id}' })]), {
    message: 'GET /a/{id}: declare id as a required parameter',
  });
  t.throws(() => assertServable([echo({ access: 'key' })]), {
    message: 'GET /v1/echo: nothing checks key access',
  });
  assertServable([echo(), echo({ method: 'POST' })]);
});

t.test('methods', async (t) => {
  const rows = [echo(), echo({ method: 'POST' })];
  t.equal(allowOf(rows), 'GET, HEAD, POST, OPTIONS');
  t.equal(grantOf(rows, true), 'GET, HEAD');
  t.equal(grantOf(rows, false), 'GET, HEAD, POST');
});
