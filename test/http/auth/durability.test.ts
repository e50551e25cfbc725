/** The private Redis of local mode, as `cmd/process/redis.ts` runs it, keeps every key that was shown. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as path } from 'node:path';
import t from 'tap';
import { startRedis } from '../../../cmd/process/redis.ts';
import { createLogger } from '../../../config/log.ts';
import { generateKey } from '../../../http/auth/api-key.ts';
import { durabilityFaults } from '../../../http/auth/durability.ts';
import { createAuth } from '../../../http/auth/gate.ts';
import { times } from '../../../http/auth/key-records.ts';
import { badKey } from '../../../http/auth/refusals.ts';
import { FakeClock } from '../../support/clock.ts';
import { until } from '../../support/until.ts';
import { caller, granted, LogBook, newKey } from './world.ts';

const log = createLogger({ logLevel: 'silent' }, 'test');

t.test('keys and revocations outlive a SIGKILL', async (t) => {
  const dataDir = mkdtempSync(path(tmpdir(), 'tidemark-keys-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const { url, service } = await startRedis(dataDir, { log, end: () => {} });
  t.teardown(() => service.stop());
  const clock = new FakeClock(Date.now());
  const book = new LogBook();
  const auth = createAuth({
    redisUrl: url,
    process: 'p',
    provider: null,
    publish: async () => 'published',
    clock,
    log: book.log,
  });
  t.teardown(() => auth.stop());
  const keys: string[] = [];
  for (let i = 0; i < 20; i++) keys.push(await newKey(auth, caller(`account-${i}`)));
  const { id, key } = granted(await auth.keys.create(caller('alice'), 'revoked', ''));
  granted(await auth.keys.revoke(caller('alice'), id));

  process.kill(service.pid ?? 0, 'SIGKILL');
  // A look-up is tried again for some seconds by this clock.
  const passing = setInterval(() => void clock.advance(100), 20);
  t.teardown(() => clearInterval(passing));
  await until(
    async () => badKey === (await auth.gate.byKey(generateKey())),
    'Redis is back',
    20_000,
  );
  clearInterval(passing);
  await clock.advance(times.life);
  for (const one of keys) t.match(await auth.gate.byKey(one), { plan: 'free' });
  t.equal(await auth.gate.byKey(key ?? ''), badKey, 'the revoked one is not back');
  t.notMatch(book.text, /may lose API keys/);
});

t.test('what INFO says of a Redis that may lose keys', async (t) => {
  const safe = ['aof_enabled:1\r\n', 'maxmemory_policy:noeviction\r\n'] as const;
  t.same(durabilityFaults(...safe), []);
  t.same(durabilityFaults(safe[0], 'maxmemory_policy:volatile-lru\r\n'), []);
  t.match(durabilityFaults('aof_enabled:0\r\n', safe[1]), [/appendonly is off/]);
  t.match(durabilityFaults(safe[0], 'maxmemory_policy:allkeys-lru\r\n'), [/is allkeys-lru:/]);
  t.same(durabilityFaults(safe[0], ''), [], 'the section has no policy');
});
