import t from 'tap';
import { createLogger } from '../../../config/log.ts';
import { generateKey } from '../../../http/auth/api-key.ts';
import { createAuth } from '../../../http/auth/gate.ts';
import { firstKey, issueKey } from '../../../http/auth/issue.ts';
import { FakeClock } from '../../support/clock.ts';
import { redisOf } from '../../support/redis.ts';
import { granted, join, sign, signingKey, startProvider } from './world.ts';

t.test('no key, token or claim is logged at any level, whatever fails', async (t) => {
  const redis = await redisOf(t);
  const signer = await signingKey('one');
  const provider = await startProvider(t, [signer]);
  const clock = new FakeClock(Date.now());
  let text = '';
  const to = {
    write(line: string) {
      text += line;
    },
  };
  const log = createLogger({ logLevel: 'trace' }, 'test', to);
  const publish = async () => 'published' as const;
  const auth = createAuth({ redisUrl: redis.url, process: 'p', provider, publish, clock, log });
  t.teardown(() => auth.stop());

  const claims = { sub: 'subject-7', email: 'someone@example.com' };
  const tokens = [
    await sign(signer, clock.now(), claims),
    await sign(signer, clock.now(), { ...claims, exp: 1 }),
    await sign(signer, clock.now(), { ...claims, aud: 'other' }),
    await sign(signer, clock.now(), { ...claims, plan: 'gold' }),
    await sign(await signingKey('two'), clock.now(), claims),
    'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.',
  ];
  for (const token of tokens) await auth.gate.byBearer(`Bearer ${token}`);
  const who = granted(await auth.gate.byBearer(`Bearer ${tokens[0]}`));
  const { id, key } = granted(await auth.keys.create(who, 'named', 'idempotent-7'));
  const keys = [key ?? '', generateKey(), generateKey().slice(1)];
  const issue = { redisUrl: redis.url, account: 'local', plan: 'pro', name: 'x', log } as const;
  keys.push(await issueKey(issue));
  for (const one of keys) await auth.gate.byKey(one);
  granted(await auth.keys.revoke(who, id));
  await redis.kill();
  // A look-up is tried again for some seconds by this clock.
  const passing = setInterval(() => void clock.advance(100), 20);
  for (const one of [generateKey(), ...keys]) await auth.gate.byKey(one);
  clearInterval(passing);
  for (const token of tokens) await auth.gate.byBearer(`Bearer ${token}`);
  await auth.keys.create(who, 'named', 'idempotent-7');
  await provider.down();

  const logged = ['API key created', 'API key revoked', 'token refused', 'cannot be looked up'];
  for (const line of logged) t.ok(text.includes(line), `the log is there: ${line}`);
  for (const secret of [...keys, ...tokens]) {
    t.notOk(text.includes(secret.slice(8, 40)), 'neither whole nor in part');
  }
  t.notMatch(text, /tm_live|eyJ|someone@|subject-7|idempotent-7/);
});

t.test('a key for whoever runs the service', async (t) => {
  const redis = await redisOf(t);
  const log = createLogger({ logLevel: 'silent' }, 'test');
  const clock = new FakeClock(Date.now());
  const publish = async () => 'published' as const;
  const rest = { process: 'p', provider: null, publish, clock, log };
  const auth = createAuth({ redisUrl: redis.url, ...rest });
  t.teardown(() => auth.stop());
  const options = { redisUrl: redis.url, account: 'local', plan: 'pro', name: 'npm start', log };
  const keys: string[] = [];
  for (let i = 0; i < 6; i++) keys.push(await issueKey({ ...options, plan: 'pro' }));
  t.equal(new Set(keys).size, 6);
  for (const key of keys) t.match(await auth.gate.byKey(key), { account: 'local', plan: 'pro' });
  const listed = granted(await auth.keys.list({ account: 'local', plan: 'pro', key: null }));
  t.same([...new Set(listed.map(({ name }) => name))], ['npm start']);
  await redis.kill();
  const impatient = { ...options, plan: 'pro', patience: 100 } as const;
  await t.rejects(issueKey(impatient), 'Redis is away');
  const waiting = issueKey({ ...options, plan: 'pro' });
  await redis.restart();
  t.match(await waiting, /^tm_live_/, 'it waits for a Redis that is starting');
});

t.test('the first key: made once, without a limit, whatever tokens its account gets', async (t) => {
  const redis = await redisOf(t);
  const signer = await signingKey('one');
  const provider = await startProvider(t, [signer]);
  const { auth, clock, book } = join(t, redis, { provider, deaf: true });
  const owner = { redisUrl: redis.url, account: 'local', plan: 'local', name: 'npm start' };
  const first = () => firstKey({ ...owner, log: book.log });
  const { key = '' } = await first();
  t.match(await auth.gate.byKey(key), { account: 'local', plan: 'local' });
  t.same(await first(), { prefix: key.slice(0, 12) });
  const token = await sign(signer, clock.now() + 60_000, { sub: 'local' });
  const who = granted(await auth.gate.byBearer(`Bearer ${token}`));
  t.match(who, { account: 'local', plan: 'local' }, 'a token without a plan');
  await clock.advance(30_000);
  t.match(await auth.gate.byKey(key), { plan: 'local' }, 'leaves that of its keys');
  const [{ id } = { id: '' }] = granted(await auth.keys.list(who));
  granted(await auth.keys.revoke(who, id));
  t.match(await first(), { key: /^tm_live_/ }, 'a revoked key is no key');
  const stated = await sign(signer, clock.now() + 60_000, { sub: 'local', plan: 'pro' });
  const later = granted(await auth.gate.byBearer(`Bearer ${stated}`));
  t.match(later, { account: 'local', plan: 'pro' }, 'a later token that states a plan changes it');
});
