import t from 'tap';
import { failed, type Result, success } from '../../../../actors/failure.ts';
import { gather } from '../../../../actors/sources/polling/ask.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../../../../actors/upstream/request.ts';

const good = (body: unknown, received: number) => success({ body, asked: received - 5, received });
const timeout = failed('timeout', 'late');

type Results = readonly Result<UpstreamAnswer>[];
const asked = (requests: readonly UpstreamRequest[], results: Results) =>
  requests.map((request, i) => ({ request, result: results[i] ?? timeout }));

t.test('requests about single markets lose those markets, unless all fail', async (t) => {
  const bulk = { api: 'a', path: '/marks' };
  const about = (market: string) => ({ api: 'a', path: '/oi', market });
  const requests = [bulk, about('A'), about('B'), about('C')];
  const mixed = [good('marks', 10), good('a', 20), timeout, failed('unknown_instrument', 'gone')];
  t.strictSame(
    gather(asked(requests, mixed), 99),
    success({
      bodies: ['marks', 'a', undefined, undefined],
      asked: 5,
      received: 20,
      lost: 1,
      missing: null,
    }),
  );
  t.strictSame(
    gather(asked(requests, [timeout, good('a', 20), good('b', 20), good('c', 20)]), 99),
    timeout,
    'the bulk one is needed',
  );
  const lost = [good('marks', 10), timeout, timeout, timeout];
  t.match(gather(asked(requests, lost), 99), { ok: false, failure: { code: 'timeout' } });
});

t.test('an optional answer that fails is undefined, and reported', async (t) => {
  const requests = [
    { api: 'a', path: '/marks' },
    { api: 'a', path: '/hours', optional: true as const },
  ];
  t.strictSame(
    gather(asked(requests, [good('marks', 10), timeout]), 99),
    success({
      bodies: ['marks', undefined],
      asked: 5,
      received: 10,
      lost: 0,
      missing: timeout.failure,
    }),
  );
  t.strictSame(
    gather(asked(requests, [timeout, good('hours', 10)]), 99),
    timeout,
    'marks are needed',
  );
});

t.test('an optional request about a market fails nothing but itself', async (t) => {
  const mark = { api: 'a', path: '/mark', market: 'A', optional: true as const };
  const requests = [{ api: 'a', path: '/fundings' }, mark];
  const poll = (result: Result<UpstreamAnswer>) =>
    gather(asked(requests, [good('fundings', 10), result]), 99);
  t.match(poll(good('mark', 10)), { value: { bodies: ['fundings', 'mark'], missing: null } });
  const late = { bodies: ['fundings', undefined], lost: 0, missing: timeout.failure };
  t.match(poll(timeout), { value: late });
  const gone = poll(failed('unknown_instrument', 'gone'));
  t.match(gone, { value: { missing: null } }, 'that it is not known is no failure');
});
