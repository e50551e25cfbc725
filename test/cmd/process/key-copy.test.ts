/** The copy of keys and accounts, and a Redis that is emptied. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as path } from 'node:path';
import t from 'tap';
import { copyPath, keepCopy, readCopy } from '../../../cmd/process/key-copy.ts';
import { createLogger } from '../../../config/log.ts';
import { digestOf, generateKey } from '../../../http/auth/api-key.ts';
import { badKey } from '../../../http/auth/refusals.ts';
import { caller, granted, join, newKey, rawClient } from '../../http/auth/world.ts';
import { FakeClock } from '../../support/clock.ts';
import { runCommand } from '../../support/command.ts';
import { redisOf, startRedis } from '../../support/redis.ts';
import { until } from '../../support/until.ts';

const alice = caller('alice');
const emptied =
  /^Redis has been emptied, API keys and accounts are missing\..*npm run key -- --restore/;

t.test('keys and accounts survive a Redis that is emptied', async (t) => {
  const redis = await startRedis();
  const dataDir = await mkdtemp(path(tmpdir(), 'keys-'));
  t.teardown(() => redis.stop());
  t.teardown(() => rm(dataDir, { recursive: true, force: true }));
  const raw = rawClient(t, redis);
  const clock = new FakeClock(Date.now());
  const { auth } = join(t, redis, { clock });
  const lines: string[] = [];
  const log = createLogger({ logLevel: 'warn' }, 'test', {
    write: (line) => void lines.push(line),
  });
  const keep = () => keepCopy({ redisUrl: redis.url, dataDir, clock, log });
  const restore = () =>
    runCommand('cmd/key.ts', ['--restore'], { DATA_DIR: dataDir, REDIS_URL: redis.url });
  t.match(await restore(), { out: /^there is no copy of keys/ });
  let end = await keep();
  t.teardown(() => end());

  const key = await newKey(auth, alice);
  const gone = granted(await auth.keys.create(alice, 'gone', ''));
  granted(await auth.keys.revoke(alice, gone.id));
  const holds = (text: string) => async () =>
    (await readFile(copyPath(dataDir), 'utf8')).includes(text);
  await clock.advance(2_000);
  await until(holds(digestOf(key)), 'the new key is in the copy');
  t.equal((await stat(copyPath(dataDir))).mode & 0o777, 0o600, 'for its owner alone');
  t.equal(await holds(key)(), false, 'digests only');
  t.match(await auth.gate.byKey(key), { account: 'alice' });
  await until(() => auth.problem() === null, 'nothing is missing');
  t.match(await restore(), {
    out: 'nothing is missing: Redis has its keys and accounts\n',
    code: 0,
  });
  const before = await readCopy(dataDir);

  await raw.flushall();
  await clock.advance(1_000);
  await until(() => auth.problem() !== null, 'the loss is found');
  t.match(auth.problem(), emptied);
  await until(async () => (await auth.gate.byKey(generateKey())) === badKey, 'no key is known');
  const later = join(t, redis, { clock });
  const second = await newKey(later.auth, alice);
  await clock.advance(2_000);
  await until(() => lines.length > 0, 'it is logged');
  t.same(await readCopy(dataDir), before, 'the copy stays as it was');
  await until(() => later.auth.problem() !== null, 'a process that starts afterwards says it, too');

  end();
  end = await keep();
  t.same(await readCopy(dataDir), before, 'also after a restart');
  t.match(await restore(), { out: 'restored: 1 API keys and their accounts\n', code: 0 });
  await clock.advance(2_000);
  await until(() => auth.problem() === null && later.auth.problem() === null, 'nothing is missing');
  t.match(await join(t, redis).auth.gate.byKey(key), { account: 'alice' });
  t.match(await later.auth.gate.byKey(second), { account: 'alice' }, 'what was made since is kept');
  t.equal(await later.auth.gate.byKey(gone.key ?? ''), badKey, 'what was revoked stays so');
  const statuses = granted(await later.auth.keys.list(alice)).map(({ status }) => status);
  t.same(statuses.toSorted(), ['active', 'active', 'revoked']);
  await until(holds(digestOf(second)), 'and is copied again');
  t.match(await restore(), { out: /^nothing is missing/ });
});

t.test('a copy that cannot be read is named', async (t) => {
  const dataDir = t.testdir({ 'keys.json': '{"version":2}' });
  await t.rejects(readCopy(dataDir), /keys\.json is no copy of keys that this version reads/);
  t.equal(await readCopy(t.testdir({})), null);
});

t.test('the operator makes a key for URLs, which reads the paths that are named', async (t) => {
  const redis = await redisOf(t);
  const { auth } = join(t, redis, {});
  const run = (...args: string[]) => runCommand('cmd/key.ts', args, { REDIS_URL: redis.url });
  const paths = ['/v1/bars', '/v1/prices?symbol=BTC'];
  const { out, err, code } = await run(...paths);
  t.strictSame([err, code], ['', 0]);
  t.match(await auth.gate.byLink(out.trim()), { account: 'local', link: paths });
  t.equal(await auth.gate.byKey(out.trim()), badKey, 'it is no key for a header');
  t.match(await run('/v1/bars', '--link'), { out: '', err: /usage: npm run key/, code: 2 });
});
