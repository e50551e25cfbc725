/** Three servers of Redis, each of which is away for a while. */
import { Redis } from 'ioredis';
import t from 'tap';
import { systemClock } from '../../../actors/kernel/clock.ts';
import { problemOf } from '../../../cmd/process/redis-problem.ts';
import { openRedis, type RedisServers, worstOf } from '../../../cmd/process/redis-servers.ts';
import { loadConfig } from '../../../config/config.ts';
import { FakeClock } from '../../support/clock.ts';
import { feedStatus } from '../../support/makers.ts';
import { redisOf, type TestRedis } from '../../support/redis.ts';
import { redisRoles } from '../../support/redis-roles.ts';
import { until } from '../../support/until.ts';

/** The settings whose servers are not well. */
const ill = (servers: RedisServers) =>
  servers.read().flatMap(({ setting, state }) => (state === 'up' ? [] : [`${setting} ${state}`]));

t.test('what a process can do while one of them is away', async (t) => {
  const { keys, bus, read, settings } = await redisRoles(t);
  const options = { clock: systemClock, random: () => 0.01 };
  const servers = openRedis(loadConfig(settings), { ...options, process: 'p', reads: true });
  t.teardown(() => servers.close());
  const one = servers.bus;
  const changes: number[] = [];
  let newest = 0;
  one.follow({
    status: (_key, { rows }) => {
      newest = rows;
    },
    accounts: (_key, { number }) => void changes.push(number),
  });
  one.serve('okx', {
    candles: async () => ({ ok: false, failure: { code: 'refused', message: 'asked' } }),
  });
  const params = { symbol: 'BTC', interval: '1h', limit: 1 } as never;
  const asks = async () => {
    const answer = await one.query({ source: 'okx', name: 'candles', params }, { deadline: 1_000 });
    return answer.ok || answer.failure.message === 'asked';
  };
  let rows = 0;
  const publishes = async () =>
    (await one.publish('status', 'k', feedStatus({ rows: ++rows }))) === 'published';
  const follows = async () => {
    await publishes();
    const sent = rows;
    const end = performance.now() + 1_000;
    while (newest < sent && performance.now() < end) await new Promise((go) => setTimeout(go, 5));
    return newest >= sent;
  };
  const announces = async () => {
    const number = changes.length + 1;
    await one.publish('accounts', 'latest', { number, account: 'a' });
    const end = performance.now() + 1_000;
    while (changes.at(-1) !== number && performance.now() < end)
      await new Promise((go) => setTimeout(go, 5));
    return changes.at(-1) === number;
  };
  const leases = one.leases();
  let count = 0;
  const held = `${count}`;
  const leads = () =>
    leases.acquire(`l${++count}`, 'p', 60_000).then(
      (fence) => fence !== null,
      () => false,
    );
  let fence = 0;
  const keeps = () => leases.renew(held, 'p', 60_000, fence).catch(() => false);
  const all = async () => ({
    publishes: await publishes(),
    asks: await asks(),
    follows: await follows(),
    announces: await announces(),
    leads: await leads(),
    keeps: await keeps(),
  });
  const well = {
    publishes: true,
    asks: true,
    follows: true,
    announces: true,
    leads: true,
    keeps: true,
  };
  const recovered = async () => JSON.stringify(await all()) === JSON.stringify(well);
  const leased = async () => {
    fence = (await leases.acquire(held, 'p', 60_000).catch(() => null)) ?? 0;
    return fence > 0;
  };
  await until(leased, 'a lease');
  await until(recovered, 'all of it works');
  const without = async (server: TestRedis, name: string) => {
    await server.kill();
    await until(() => ill(servers).join() === `${name} down`, `${name} is named`);
    const found = await all();
    const [problem] = servers.read().flatMap((row) => row.problem ?? []);
    t.equal(
      problem,
      `nothing answers at ${name}: start that redis-server, or correct the setting.`,
    );
    t.equal(worstOf(servers.read()), 'down');
    await server.restart();
    await until(() => ill(servers).length === 0, 'it is back');
    return found;
  };
  t.strictSame(await without(read, 'REDIS_READ_URL'), { ...well, follows: false });
  await until(recovered, 'all of it works again');
  t.strictSame(await without(keys, 'REDIS_URL'), { ...well, announces: false, leads: false });
  await until(recovered, 'all of it works again');
  const noBus = { publishes: false, asks: false, follows: false, leads: false };
  t.strictSame(await without(bus, 'REDIS_BUS_URL'), { ...well, ...noBus });
  await until(recovered, 'all of it works again');
});

t.test('a replica that is behind, or is none, is named', async (t) => {
  const { read, settings } = await redisRoles(t);
  const other = await redisOf(t);
  const open = (url: string) => {
    const clock = new FakeClock(Date.now());
    const config = loadConfig({ ...settings, REDIS_READ_URL: url });
    const servers = openRedis(config, { clock, process: `p ${url}`, reads: true });
    t.teardown(() => servers.close());
    const problem = async () => {
      await clock.advance(1_000);
      return servers.read().at(-1)?.problem ?? null;
    };
    return { problem, servers };
  };
  const [right, wrong] = [open(read.url), open(other.url)];
  await until(async () => (await wrong.problem()) !== null, 'it is named');
  t.match(await wrong.problem(), /^REDIS_READ_URL is no replica of REDIS_BUS_URL: .* remove it\.$/);
  for (let second = 0; second < 15; second++) {
    await until(async () => (await right.problem()) === null, 'its own replica keeps up', 20_000);
  }
  const client = new Redis(read.url);
  t.teardown(() => client.disconnect());
  // It goes on with what it has, as one whose link is too slow.
  await client.replicaof('NO', 'ONE');
  await until(async () => (await right.problem()) !== null, 'it is named');
  t.match(
    await right.problem(),
    /^REDIS_READ_URL is \d\d s behind REDIS_BUS_URL.*set REDIS_READ_URL to another/,
  );
});

t.test('what is wrong, and what to do', async (t) => {
  const say = (message: string, url = 'redis://h', code = '') =>
    problemOf('REDIS_URL', url, Object.assign(new Error(message), code === '' ? {} : { code }));
  const group = 'redis+sentinel://h/name';
  t.equal(problemOf('REDIS_URL', 'redis://h', null), null);
  t.match(say('getaddrinfo ENOTFOUND h'), /host name of REDIS_URL is unknown: correct it/);
  t.match(say('', 'redis://h', 'ECONNREFUSED'), /nothing answers at REDIS_URL: start/);
  t.match(say('WRONGPASS invalid'), /refuses the user or the password/);
  t.match(say("READONLY You can't write"), /leads to a replica/);
  t.match(say('NOREPLICAS Not enough'), /min-replicas-to-write/);
  t.match(say('OOM command not allowed'), /raise its maxmemory/);
  t.match(say('MISCONF Errors writing'), /cannot write to its disk/);
  t.match(say('LOADING Redis is loading'), /wait until it has/);
  const unreachable = 'All sentinels are unreachable. Retrying from scratch after 50ms.';
  const noGroup = `${unreachable} Last error: ERR No such master with that name`;
  t.match(say(noGroup, group), /know no group of this name/);
  t.match(say(unreachable, group), /know no master that is up/);
  t.match(say(unreachable, `${group}?role=replica`), /know no replica that is up/);
  t.match(say(`${unreachable} Last error: refused`, group), /no Sentinel of REDIS_URL answers/);
  t.match(say('connect ECONNREFUSED', group), /has no master that answers/);
  for (const url of ['redis://secret.host', group]) t.notMatch(say('x', url), /secret|name\b/);
});
