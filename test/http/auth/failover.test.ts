/** Keys on real servers of Redis whose master is killed. */
import t, { type Test } from 'tap';
import * as refused from '../../../http/auth/refusals.ts';
import { isApiError } from '../../../http/wire/errors.ts';
import { redisOf } from '../../support/redis.ts';
import { type RedisGroup, startGroup } from '../../support/redis-group.ts';
import { until } from '../../support/until.ts';
import { caller, granted, join, type Member, newKey, rawClient } from './world.ts';

const alice = caller('alice', 'pro');

/** What a process says of a key. Its clock goes on meanwhile: it asks Redis more than once where it must. */
async function ask({ auth, clock }: Member, key: string) {
  const found = Promise.resolve(auth.gate.byKey(key));
  let isOpen = true;
  void found.finally(() => {
    isOpen = false;
  });
  while (isOpen) {
    await clock.advance(20);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return found;
}

/** Whether a process that has just started, and knows only what Redis says, accepts a key, once its Redis answers. */
async function works(t: Test, url: string, key: string): Promise<boolean> {
  const member = join(t, { url }, { deaf: true });
  for (;;) {
    const found = await ask(member, key);
    if (!isApiError(found)) return true;
    if (found.error === 'unauthorized') return false;
  }
}

/** Kills the master and waits for the next one. */
async function failOver(group: RedisGroup) {
  const { master } = await group.roles();
  await master.kill();
  await group.promoted(master);
  return master;
}

const group = await startGroup(t);
const { url } = group;

t.test('what was answered just before the master died holds after it', async (t) => {
  const { auth } = join(t, { url }, { deaf: true });
  const made = await Promise.all(
    Array.from({ length: 16 }, async (_, i) =>
      granted(await auth.keys.create(caller(`a${i % 4}`, 'pro'), 'k', '')),
    ),
  );
  const gone = made.slice(0, 8);
  const answers = await Promise.all(
    gone.map(({ id }, i) => auth.keys.revoke(caller(`a${i % 4}`), id)),
  );
  t.ok(
    answers.every((answer) => !isApiError(answer)),
    'each revocation is confirmed',
  );
  const former = await failOver(group);
  const found = await Promise.all(made.map(({ key }) => works(t, url, key ?? '')));
  t.strictSame(
    found,
    made.map((_, i) => i >= 8),
    'revoked keys do not work, the others do',
  );
  await former.restart();
  await group.inStep(1);
});

t.test(
  'while the replica lags nothing is confirmed, and a revocation outlives the master',
  async (t) => {
    const { auth, clock } = join(t, { url }, { deaf: true });
    const kept = granted(await auth.keys.create(alice, 'kept', ''));
    const { master } = await group.roles();
    const raw = group.client(master);
    const before = await raw.hlen('auth:keys:alice');
    await group.cutOff();
    t.equal(await auth.keys.create(alice, 'never', 'once'), refused.storeUnavailable);
    t.equal(await raw.hlen('auth:keys:alice'), before, 'the key was taken back');
    t.equal(await auth.keys.revoke(alice, kept.id), refused.revocationUnconfirmed);
    t.equal(await works(t, url, kept.key ?? ''), false, 'it is revoked all the same');
    t.equal(auth.problem(), null);
    await clock.advance(11_000);
    await until(() => auth.problem() !== null, 'the lag is named');
    t.match(
      auth.problem(),
      /^no replica has had the latest data of REDIS_URL for 1\d s: .*Start the replica/,
    );

    await master.kill();
    await group.promoted(master);
    await group.reconnect();
    t.equal(await works(t, url, kept.key ?? ''), true, 'the promoted replica does not know');
    const revoked = async () => {
      await clock.advance(1_000);
      return !(await works(t, url, kept.key ?? ''));
    };
    await until(revoked, 'the process has revoked it again', 20_000, 50);
    await master.restart();
    await group.inStep(1);
    await until(async () => {
      await clock.advance(1_000);
      return auth.problem() === null;
    }, 'the replica is in step');
    const again = granted(await auth.keys.create(alice, 'never', 'once'));
    t.ok(again.key, 'the repeated creation gives a key');
  },
);

t.test('a server that is no master any more is not believed', async (t) => {
  const redis = await redisOf(t);
  const raw = rawClient(t, redis);
  const { auth, clock } = join(t, { url: `${redis.url}?replicas=0` }, { deaf: true });
  const key = await newKey(auth, alice);
  const doubting = join(t, { url: `${redis.url}?replicas=1` }, { deaf: true });
  const answer = async () => {
    await Promise.all([clock.advance(1_000), doubting.clock.advance(1_000)]);
    const found = await ask(doubting, key);
    return isApiError(found) ? found.error : 'works';
  };
  t.equal(await answer(), 'works', 'without a replica it is still the master');
  await raw.config('SET', 'min-replicas-to-write', 1);
  doubting.auth.changed({ number: 7, account: 'alice' });
  await until(async () => (await answer()) === 'overloaded', 'it may be cut off from the others');
  await raw.config('SET', 'min-replicas-to-write', 0);
  await until(async () => (await answer()) === 'works', 'it is the master');
});
