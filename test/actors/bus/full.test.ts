/** A Redis that is there and has no memory left: what reads go on, and every writer learns what is wrong. */
import { Redis } from 'ioredis';
import t from 'tap';
import { createBus } from '../../../actors/bus/bus.ts';
import type { FeedStatus } from '../../../actors/topics/index.ts';
import { fromFailure } from '../../../http/errors.ts';
import { startRedis } from '../../support/redis.ts';
import { failureOf } from '../../support/upstream.ts';

const status: FeedStatus = {
  source: 'binance',
  topic: 'prices',
  part: 'spot',
  state: 'up',
  reason: null,
  last_success: 1,
  last_attempt: 1,
  latency_ms: 1,
  last_error: null,
  breaker: 'closed',
  next_poll: 1,
  rows: 1,
  dropped: {},
  failures: 0,
};
const request = {
  source: 'okx',
  name: 'orderBook',
  params: { market: 'BTC-USDT', depth: 5 },
} as const;

t.test('maxmemory is reached', async (t) => {
  const server = await startRedis({ args: ['--maxmemory-policy', 'noeviction'] });
  t.teardown(() => server.stop());
  const bus = createBus({ url: server.url, process: 'p' });
  t.teardown(() => bus.close());
  const raw = new Redis(server.url.replace('unix://', ''));
  t.teardown(() => raw.disconnect());

  t.equal(await bus.publish('status', 'k', status), 'published');
  t.equal(bus.state(), 'up');
  await raw.config('SET', 'maxmemory', '1');
  const failure = failureOf(await bus.query(request));
  t.match(failure, { code: 'redis_away', message: /OOM/ });
  t.equal(bus.state(), 'read_only', 'not down');
  t.equal((await bus.lastOf('status', 'k'))?.rows, 1, 'reads go on');
  t.equal(await bus.publish('status', 'k', status), 'unavailable');

  const error = fromFailure(failure, 'the order book of okx');
  t.match(error, { error: 'store_unavailable', retryAfter: 2 }, '503 with a time, not a 502');
  t.notMatch(error.message, /okx|OOM/);

  await raw.config('SET', 'maxmemory', '0');
  t.equal(bus.state(), 'read_only', 'until a write goes through');
  t.equal(await bus.publish('status', 'k', status), 'published');
  t.equal(bus.state(), 'up');
});
