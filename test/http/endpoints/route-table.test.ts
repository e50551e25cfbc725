import t from 'tap';
import {
  allowOf,
  assertServable,
  grantOf,
  rowsByPath,
} from '../../../http/endpoints/route-table.ts';
import { echo } from '../../support/http.ts';

t.test('tables that cannot be served', async (t) => {
  const [open, gated] = [{ gated: false }, { gated: true }];
  const fault = (rows: Parameters<typeof assertServable>[0], message: string) =>
    t.throws(() => assertServable(rows, open), { message });
  fault([echo(), echo()], 'GET /v1/echo is in the table twice');
  fault([echo({ path: '/a/{id}' })], 'GET /a/{id}: declare id as a required parameter');
  fault([echo({ access: 'bearer' })], 'GET /v1/echo: nothing checks bearer access');
  fault([echo({ body: { type: 'object' } })], 'GET /v1/echo: only an act takes a body');
  assertServable([echo(), echo({ method: 'POST' })], open);
  assertServable([echo({ access: 'key' })], open);
  assertServable([echo({ access: 'bearer' })], gated);
});

t.test('methods', async (t) => {
  const rows = [echo(), echo({ method: 'POST' })];
  const other = echo({ path: '/v1/other' });
  t.strictSame([...rowsByPath([...rows, other]).values()], [rows, [other]]);
  t.equal(allowOf(rows), 'GET, HEAD, POST, OPTIONS');
  t.equal(grantOf(rows, true), 'GET, HEAD');
  t.equal(grantOf(rows, false), 'GET, HEAD, POST');
});
