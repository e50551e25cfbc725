import t from 'tap';
import { failed, type Result, success } from '../../../../actors/failure.ts';
import { Gatherer } from '../../../../actors/sources/polling/ask.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../../../../actors/upstream/request.ts';

const every = 30_000;
/** A poll at a time, Unix ms, of which nothing was asked before when absent. */
const gather = (asked: Parameters<Gatherer['gather']>[0], now = 99, by = new Gatherer(every)) =>
  by.gather(asked, now);
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
    gather(asked(requests, mixed)),
    success({
      bodies: ['marks', 'a', undefined, undefined],
      asked: 5,
      received: 20,
      lost: 1,
      missing: null,
    }),
  );
  t.strictSame(
    gather(asked(requests, [timeout, good('a', 20), good('b', 20), good('c', 20)])),
    timeout,
    'the bulk one is needed',
  );
  const lost = [good('marks', 10), timeout, timeout, timeout];
  t.match(gather(asked(requests, lost)), { ok: false, failure: { code: 'timeout' } });
});

t.test('an optional answer that fails is undefined, and reported', async (t) => {
  const requests = [
    { api: 'a', path: '/marks' },
    { api: 'a', path: '/hours', optional: true as const },
  ];
  t.strictSame(
    gather(asked(requests, [good('marks', 10), timeout])),
    success({
      bodies: ['marks', undefined],
      asked: 5,
      received: 10,
      lost: 0,
      missing: timeout.failure,
    }),
  );
  t.strictSame(gather(asked(requests, [timeout, good('hours', 10)])), timeout, 'marks are needed');
});

t.test('the last good body replaces a missing one for ten polls', async (t) => {
  const requests = [
    { api: 'a', path: '/marks' },
    { api: 'a', path: '/index', query: { quote: 'USD' }, optional: true as const },
    { api: 'a', path: '/index', query: { quote: 'USDC' }, optional: true as const },
  ];
  const by = new Gatherer(every);
  const bodies = (now: number, ...results: Results) => {
    const caught = gather(asked(requests, [good('marks', now), ...results]), now, by);
    return caught.ok ? caught.value.bodies.slice(1) : caught;
  };
  t.strictSame(bodies(1_000, good('usd', 1_000), timeout), ['usd', undefined]);
  t.strictSame(bodies(31_000, timeout, good('usdc', 31_000)), ['usd', 'usdc'], 'each its own');
  t.strictSame(bodies(301_000, timeout, timeout), ['usd', 'usdc'], 'ten polls old');
  t.strictSame(bodies(301_001, timeout, timeout), [undefined, 'usdc'], 'older');
  t.strictSame(bodies(302_000, good('new', 302_000), timeout), ['new', 'usdc']);
});

t.test('requests that differ in their method or body have bodies of their own', async (t) => {
  const optional = true as const;
  const requests = [
    { api: 'a', path: '/info', method: 'POST' as const, body: { type: 'marks' }, optional },
    { api: 'a', path: '/info', method: 'POST' as const, body: { type: 'index' }, optional },
    { api: 'a', path: '/info', optional },
  ];
  const by = new Gatherer(every);
  const bodies = (now: number, ...results: Results) => {
    const caught = gather(asked(requests, results), now, by);
    return caught.ok ? caught.value.bodies : caught;
  };
  const all = ['marks', 'index', 'page'].map((body) => good(body, 1_000));
  t.strictSame(bodies(1_000, ...all), ['marks', 'index', 'page']);
  const first = good('newer', 31_000);
  t.strictSame(bodies(31_000, first, timeout, timeout), ['newer', 'index', 'page']);
});

t.test('of several answers about a market the last good one counts', async (t) => {
  const about = (market: string, path: string) => ({ api: 'a', path, market, query: { market } });
  const requests = ['A', 'B'].flatMap((m) => [about(m, '/funding'), about(m, '/mark')]);
  const by = new Gatherer(every);
  const caught = (now: number, ...results: Results) => gather(asked(requests, results), now, by);
  const bodies = (now: number, ...results: Results) => {
    const result = caught(now, ...results);
    return result.ok ? result.value.bodies : result;
  };
  const all = ['fa', 'ma', 'fb', 'mb'].map((body) => good(body, 1_000));
  t.strictSame(bodies(1_000, ...all), ['fa', 'ma', 'fb', 'mb']);
  const partly = [timeout, good('new', 31_000), good('fb', 31_000), timeout];
  t.strictSame(bodies(31_000, ...partly), ['fa', 'new', 'fb', 'mb']);
  t.match(caught(31_000, ...partly), { value: { lost: 2, missing: null } }, 'requests that failed');
  t.strictSame(
    bodies(61_000, timeout, timeout, good('fb', 61_000), good('mb', 61_000)),
    [undefined, undefined, 'fb', 'mb'],
    'without any answer the market is lost: its row keeps its own age',
  );
  t.match(caught(61_000, timeout, timeout, timeout, timeout), { failure: timeout.failure });
  t.strictSame(
    bodies(301_001, timeout, good('late', 301_001), timeout, good('late', 301_001)),
    [undefined, 'late', 'fb', 'late'],
    'ten polls later nothing stands in; B was answered since',
  );
});

t.test('an optional request about a market fails nothing but itself', async (t) => {
  const mark = { api: 'a', path: '/mark', market: 'A', optional: true as const };
  const requests = [{ api: 'a', path: '/fundings' }, mark];
  const by = new Gatherer(every);
  const poll = (now: number, result: Result<UpstreamAnswer>) =>
    gather(asked(requests, [good('fundings', now), result]), now, by);
  t.match(poll(1_000, good('mark', 1_000)), { value: { bodies: ['fundings', 'mark'] } });
  const late = { bodies: ['fundings', 'mark'], lost: 0, missing: timeout.failure };
  t.match(poll(31_000, timeout), { value: late });
  const gone = poll(61_000, failed('unknown_instrument', 'gone'));
  t.match(gone, { value: { missing: null } }, 'that it is not known is no failure');
});
