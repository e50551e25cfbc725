import t from 'tap';
import type { FailureCode } from '../../../actors/failure.ts';
import { isRetryable, maxRetryAfter, retryAfter } from '../../../actors/upstream/verdict.ts';

const now = Date.UTC(2024, 0, 1, 12, 0, 0);

t.test('only what may pass by itself is retryable', async (t) => {
  const yes: FailureCode[] = ['network', 'timeout', 'unavailable'];
  const no: FailureCode[] = ['rate_limited', 'banned', 'blocked', 'refused', 'shape', 'too_large'];
  for (const code of yes) t.ok(isRetryable({ code }), code);
  for (const code of [...no, 'unknown_instrument', 'breaker_open', 'over_budget'] as const) {
    t.notOk(isRetryable({ code }), code);
  }
});

t.test('Retry-After in seconds', async (t) => {
  t.equal(retryAfter('30', now), 30_000);
  t.equal(retryAfter(' 1.5 ', now), 1_500);
});

t.test('Retry-After as a date, in its three forms', async (t) => {
  t.equal(retryAfter('Mon, 01 Jan 2024 12:00:45 GMT', now), 45_000);
  t.equal(retryAfter('Monday, 01-Jan-24 12:00:45 GMT', now), 45_000);
  t.equal(retryAfter('Mon Jan  1 12:00:45 2024', now), 45_000);
});

t.test('a header without a usable value counts as absent', async (t) => {
  const past = 'Mon, 01 Jan 2024 11:59:59 GMT';
  for (const value of [undefined, '', '0', '-5', 'soon', '1e3', past, '2024-01-02', 'Monday']) {
    t.equal(retryAfter(value, now), undefined, String(value));
  }
});

t.test('no wait is longer than the longest ban, three days', async (t) => {
  t.equal(retryAfter('259199', now), 259_199_000);
  t.equal(maxRetryAfter, 259_200_000);
  t.equal(retryAfter('99999999999', now), maxRetryAfter);
  t.equal(retryAfter('Fri, 01 Jan 2100 00:00:00 GMT', now), maxRetryAfter);
});
