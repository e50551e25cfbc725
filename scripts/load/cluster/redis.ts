/** The Redis of a cluster: one server that keeps what it has, or a master with a replica and three Sentinels. */
import { setTimeout as rest } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { startRedis, type TestRedis } from '../../../test/support/redis.ts';
import { startGroup } from '../../../test/support/redis-group.ts';

/** How API keys are kept: docs/operating.md. */
const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];

export interface ClusterRedis {
  /** For REDIS_URL. */
  readonly url: string;
  /** A plain client of the server that is the master now. */
  client(): Promise<Redis>;
  /** Kills the master (SIGKILL); resolves when it is back, or a replica of its successor. */
  replace(absence: number): Promise<void>;
  stop(): Promise<void>;
}

async function oneServer(): Promise<ClusterRedis> {
  const server = await startRedis({ args: durable });
  const client = new Redis(server.url.slice('unix://'.length), { retryStrategy: () => 50 });
  client.on('error', () => {});
  return {
    url: server.url,
    client: async () => client,
    async replace(absence) {
      await server.kill();
      await rest(absence);
      await server.restart();
    },
    async stop() {
      client.disconnect();
      await server.stop();
    },
  };
}

async function groupOfServers(): Promise<ClusterRedis> {
  const ends: (() => unknown)[] = [];
  const teardown = (end: () => unknown) => void ends.push(end);
  const group = await startGroup({ teardown }, { args: durable });
  const master = async (): Promise<TestRedis> => (await group.roles()).master;
  return {
    url: group.url,
    client: async () => group.client(await master()),
    async replace(absence) {
      const former = await master();
      await former.kill();
      await Promise.all([rest(absence), group.promoted(former)]);
      await former.restart();
      await group.inStep(1);
    },
    async stop() {
      for (const end of ends.toReversed()) await end();
    },
  };
}

/** Starts the servers; resolves when they answer. */
export const startClusterRedis = (ha: boolean): Promise<ClusterRedis> =>
  ha ? groupOfServers() : oneServer();
