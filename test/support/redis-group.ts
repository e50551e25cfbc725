/** Servers of Redis that Sentinels watch: a master, its replicas and three real Sentinels, on ports of this test's own. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Test } from 'tap';
import { ownPorts } from './ports.ts';
import { start, startRedis, type TestRedis } from './redis.ts';
import { until } from './until.ts';

const name = 'tidemark';
const host = '127.0.0.1';
/** Without an answer for so long a server counts as dead, ms. */
const downAfter = 500;

export interface RedisGroup {
  /** Leads to whichever server is the master. */
  readonly url: string;
  readonly servers: readonly TestRedis[];
  /** The port of the master, as the first Sentinel names it. */
  master(): Promise<number>;
  /** The server that is the master now, and the others. */
  roles(): Promise<{ master: TestRedis; replicas: TestRedis[] }>;
  /** A plain client of a server. */
  client(server: TestRedis): Redis;
  /** Keeps the replicas from getting what the master writes from now on, until `reconnect`: a fail-over loses it. */
  cutOff(): Promise<void>;
  reconnect(): Promise<void>;
  /** Resolves when the Sentinels name another master than `former`, and it is one. */
  promoted(former: TestRedis): Promise<TestRedis>;
  /** Resolves when the master counts so many replicas that have all it has written. */
  inStep(replicas: number): Promise<void>;
}

/** How a server signs in at its master: with a wrong password it cannot follow it. */
const signIn = (server: Redis, user: string, password: string) =>
  server.call('CONFIG', 'SET', 'masteruser', user, 'masterauth', password);

const portOf = (server: TestRedis): number => Number(new URL(server.url).port);

/** A client that ends with the test. */
function clientOf(t: Pick<Test, 'teardown'>, port: number): Redis {
  const raw = new Redis({ host, port, retryStrategy: () => 20 });
  raw.on('error', () => {});
  t.teardown(() => raw.disconnect());
  return raw;
}

async function startSentinel(t: Pick<Test, 'teardown'>, port: number, master: number) {
  const dir = await mkdtemp(join(tmpdir(), 'sentinel-'));
  const lines = [
    `port ${port}`,
    `bind ${host}`,
    `dir ${dir}`,
    `sentinel monitor ${name} ${host} ${master} 2`,
    `sentinel down-after-milliseconds ${name} ${downAfter}`,
    `sentinel failover-timeout ${name} 1500`,
  ];
  const file = join(dir, 'sentinel.conf');
  await writeFile(file, `${lines.join('\n')}\n`);
  const child = await start([file, '--sentinel'], { host, port });
  t.teardown(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await rm(dir, { recursive: true, force: true });
  });
  const sentinel = clientOf(t, port);
  // They ask and tell each other every few seconds otherwise.
  const periods = ['INFO-PERIOD', 'PUBLISH-PERIOD'].flatMap((one) => [one, 100]);
  // A Sentinel that had to wait for a processor does nothing for half a minute otherwise.
  periods.push('TILT-TRIGGER', 60_000);
  await sentinel.call('SENTINEL', 'DEBUG', ...periods);
  return sentinel;
}

/** Starts them and resolves when every Sentinel knows all servers and the other Sentinels. */
export async function startGroup(
  t: Pick<Test, 'teardown'>,
  { replicas = 1, args = [] }: { replicas?: number; args?: readonly string[] } = {},
): Promise<RedisGroup> {
  const [first = 0, ...rest] = ownPorts;
  const servers: TestRedis[] = [];
  const serve = async (port: number, more: readonly string[] = []) => {
    const quick = ['--repl-diskless-sync-delay', '0', '--repl-ping-replica-period', '1'];
    const server = await startRedis({ port, args: [...quick, ...args, ...more] });
    servers.push(server);
    t.teardown(() => server.stop());
  };
  await serve(first);
  for (const port of rest.slice(0, replicas)) {
    await serve(port, ['--replicaof', host, String(first)]);
  }
  const ports = ownPorts.slice(-3);
  const sentinels = await Promise.all(ports.map((port) => startSentinel(t, port, first)));
  const knowsAll = async (sentinel: Redis) => {
    const known = await sentinel.call('SENTINEL', 'REPLICAS', name);
    const quorum = await sentinel.call('SENTINEL', 'CKQUORUM', name).catch(String);
    return Array.isArray(known) && known.length === replicas && /^OK 3 /.test(String(quorum));
  };
  const ready = async () => (await Promise.all(sentinels.map(knowsAll))).every((one) => one);
  await until(ready, 'the Sentinels know each other and the replicas');
  const clients = new Map(servers.map((server) => [server, clientOf(t, portOf(server))]));
  const client = (server: TestRedis) => clients.get(server) ?? clientOf(t, portOf(server));
  const master = async () => {
    const reply = await sentinels[0]?.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name);
    return Number(Array.isArray(reply) ? reply[1] : 0);
  };
  const roles = async () => {
    const port = await master();
    const found = servers.find((server) => portOf(server) === port);
    if (found === undefined) throw new Error('the Sentinels name a server of somebody else');
    return { master: found, replicas: servers.filter((server) => server !== found) };
  };
  const group: RedisGroup = {
    url: `redis+sentinel://${ports.map((port) => `${host}:${port}`).join(',')}/${name}`,
    servers,
    master,
    roles,
    client,
    async cutOff() {
      const { master: now, replicas: others } = await roles();
      for (const other of others) await signIn(client(other), 'nobody', 'wrong');
      await client(now).call('CLIENT', 'KILL', 'TYPE', 'replica');
    },
    async reconnect() {
      for (const server of servers) await signIn(client(server), '', '').catch(() => {});
    },
    async promoted(former) {
      const isDone = async () => {
        const { master: now } = await roles();
        if (now === former) return false;
        return /role:master/.test(await client(now).info('replication'));
      };
      await until(isDone, 'a replica is promoted');
      return (await roles()).master;
    },
    async inStep(count) {
      const { master: now } = await roles();
      const raw = client(now);
      const isDone = async () => {
        await raw.incr('step');
        return (await raw.wait(count, 200)) >= count;
      };
      await until(isDone, `${count} replicas are in step`);
    },
  };
  await group.inStep(replicas);
  return group;
}
