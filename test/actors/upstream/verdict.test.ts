import t from 'tap';
import type { Failure } from '../../../actors/failure.ts';
import type { Reply } from '../../../actors/upstream/exchange.ts';
import type { Faults } from '../../../actors/upstream/faults.ts';
import { judge } from '../../../actors/upstream/verdict.ts';
import { faults } from '../../support/upstream.ts';

const times = { asked: 1, received: 2 };
const reply = (part: Partial<Reply>): Reply => ({
  ...times,
  status: 200,
  headers: {},
  body: undefined,
  problem: null,
  ...part,
});
const of = (part: Partial<Reply>, table: Faults = faults) =>
  judge(reply(part), { faults: table }, 'GET host/x');

t.test('an answer', async (t) => {
  t.same(of({ body: [1] }), {
    concern: 'request',
    result: { ok: true, value: { body: [1], ...times } },
  });
});

t.test('an answer of a cache has an age', async (t) => {
  const ages = ['414', '0', undefined, '', '-3', '1e3', 'soon', '9'.repeat(10)].map((age) => {
    const { result } = of({ body: [1], headers: { age } });
    return result.ok && result.value.age;
  });
  t.strictSame(ages, [414_000, ...Array(7).fill(undefined)]);
});

t.test('whom a failure concerns', async (t) => {
  const cut = { code: 'timeout', message: 'late' } as const;
  const stopped = { code: 'stopped', message: 'abandoned' } as const;
  const rows: [Partial<Reply>, Failure['code'], string][] = [
    [{ status: null, problem: cut }, 'timeout', 'host'],
    [{ problem: cut }, 'timeout', 'host'],
    [{ status: null, problem: stopped }, 'stopped', 'none'],
    [{ status: 500, problem: stopped }, 'stopped', 'none'],
    [{ status: 429, problem: stopped }, 'rate_limited', 'api'],
    [{ status: 429, problem: cut }, 'rate_limited', 'api'],
    [{ status: 503, problem: cut }, 'unavailable', 'host'],
    [{ status: 425 }, 'unavailable', 'host'],
    [{ status: 404 }, 'refused', 'host'],
    [{ status: 404, body: { code: -1121 } }, 'unknown_instrument', 'request'],
    [{ status: 500, body: { code: -1 } }, 'refused', 'request'],
    [{ status: 429, body: { code: -1 } }, 'rate_limited', 'api'],
    [{ status: 418, body: { code: -1003 } }, 'rate_limited', 'api'],
    [{ status: 400, body: { code: -1003 } }, 'rate_limited', 'api'],
    [{ status: 200, body: { code: -9 } }, 'unavailable', 'host'],
  ];
  for (const [part, code, concern] of rows) {
    const verdict = of(part);
    t.equal(verdict.concern, concern, JSON.stringify(part));
    t.match(verdict.result, { ok: false, failure: { code } });
  }
});

t.test('the wait that the API states in its own words goes before the header', async (t) => {
  const headers = { 'retry-after': '30' };
  const stated: Faults = {
    name: 'Slow',
    when: () => true,
    means: 'rate_limited',
    retryAfter: { rate_limited: 5 },
  };
  t.match(of({ headers }, stated).result, {
    failure: { retryAfter: 5, message: 'GET host/x: Slow error' },
  });
  t.match(of({ status: 429, headers }).result, { failure: { retryAfter: 30_000 } });
});

t.test('a fault reader that cannot read the body finds it out of shape', async (t) => {
  const broken = () => {
    throw new TypeError('secret');
  };
  const verdict = of({ body: null }, { name: 'Broken', when: broken });
  t.equal(verdict.concern, 'host');
  t.match(verdict.result, { failure: { code: 'shape' } });
  t.notMatch(JSON.stringify(verdict), /secret/);
});

t.test('a body is shown to the fault reader only when all of it was JSON', async (t) => {
  const problem = { code: 'shape', message: 'no JSON' } as const;
  const seen: number[] = [];
  const read: Faults = { name: 'Read', when: (_, status) => seen.push(status) === 0 };
  of({ status: 500, problem }, read);
  of({ status: null, problem }, read);
  of({ status: 404 }, read);
  of({ status: 404, problem: { ...problem, code: 'network' } }, read);
  t.same(seen, [404]);
  of({ status: 404, problem }, read);
  t.same(seen, [404, 404], 'a page that says that there is no such thing');
});
