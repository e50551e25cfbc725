/** The header lines that every answer has, by the origin of the request. */
import t from 'tap';
import { createHeads, firstHeader } from '../../../http/wire/head.ts';

const exposed =
  'access-control-expose-headers: etag, accept-ranges, content-range, retry-after, x-ratelimit-after, x-mbx-used-weight-1m, ratelimit, ratelimit-policy, ' +
  'ignored-parameters, preference-applied, age, x-request-id, x-tidemark-data';

/** The lines of each kind of answer, beside those of the origin. */
const own = {
  data: ['content-type: application/json', 'cache-control: no-cache'],
  csv: ['content-type: text/csv; charset=utf-8; header=present', 'cache-control: no-cache'],
  unchanged: ['cache-control: no-cache'],
  unkept: ['content-type: application/json', 'cache-control: no-store'],
  page: [],
  preflight: [
    'access-control-allow-headers: x-api-key, x-mbx-apikey, authorization, content-type, if-none-match, ' +
      'idempotency-key, prefer, last-event-id, x-request-id, mcp-protocol-version, mcp-method, mcp-name',
    'access-control-max-age: 600',
  ],
};

/** The lines after `x-content-type-options: `. */
const linesWith = (origin: readonly string[]) =>
  Object.fromEntries(
    Object.entries(own).map(([kind, lines]) => [
      kind,
      ['nosniff', 'keep-alive: timeout=10', ...lines, ...origin].join('\r\n'),
    ]),
  );

t.test('lines for any origin, for one of a list, and for a stranger', async (t) => {
  const [any, some] = [createHeads(['https://a.test', '*']), createHeads(['https://a.test'])];
  t.same([any.any, some.any], [any.of(''), null]);
  const allowed = 'access-control-allow-origin: ';
  t.same(any.of('https://z.test'), linesWith([`${allowed}*`, exposed]));
  const listed = ['vary: origin', `${allowed}https://a.test`, exposed];
  t.same(some.of('https://a.test'), linesWith(listed));
  t.same(some.of('https://z.test'), linesWith(['vary: origin']));
  t.equal(Buffer.from(firstHeader).toString(), 'x-content-type-options');
});
