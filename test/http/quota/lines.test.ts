import t from 'tap';
import { type Allowance, unlimited } from '../../../http/quota/allowance.ts';
import { Within } from '../../../http/quota/within.ts';
import { quotaLines, retryLines } from '../../../http/wire/form.ts';

t.test('the four headers', async (t) => {
  t.same(quotaLines({ limit: 60, remaining: 59, seconds: 42 }).split('\r\n'), [
    '',
    'x-ratelimit-after: 42',
    'ratelimit: "default";r=59;t=42',
    'ratelimit-policy: "default";q=60;w=60',
    'retry-after: 42',
  ]);
  t.equal(quotaLines(null), '', 'none without quotas');
});

t.test('an account without a limit has two headers', async (t) => {
  const { limit, epoch, take, state } = unlimited;
  const text = '\r\nx-ratelimit-after: 0\r\nretry-after: 0';
  t.strictSame([limit, epoch, take(''), quotaLines(state(true))], [null, 0, true, text]);
});

t.test('a key with a limit of its own states the one of which less is left', async (t) => {
  const left = (limit: number, remaining: number): Allowance => ({
    ...unlimited,
    limit,
    state: () => ({ limit, remaining, seconds: 9 }),
  });
  const stated = (own: Allowance, account: Allowance) => {
    const both = new Within(own, account);
    return [both.limit, both.state(false).remaining];
  };
  t.strictSame(stated(left(60, 20), left(600, 21)), [60, 20], 'its own');
  t.strictSame(stated(left(60, 20), left(600, 19)), [600, 19], 'that of the account');
  t.strictSame(stated(left(60, 20), unlimited), [60, 20], 'an account without a limit');
});

t.test('a service that has failed states its own wait, a refusal that of the quota', async (t) => {
  const lines = quotaLines({ limit: 60, remaining: 0, seconds: 41 });
  const retry = (status: number, after?: number) =>
    /retry-after: (\d+)$/.exec(retryLines(lines, status, after))?.[1];
  t.strictSame([retry(502, 7), retry(503, 7), retry(429, 7), retry(503)], ['7', '7', '41', '41']);
  t.equal(retryLines('', 503, 7), '\r\nretry-after: 7');
});
