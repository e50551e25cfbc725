/** The Redis of a cluster: one server that keeps what it has, or a master with a replica and three Sentinels. */
import { setTimeout as rest } from 'node:timers/promises';
import { startGroup } from '../../../test/support/redis-group.ts';
import type { Stage } from '../../bench/stage.ts';

/** How API keys are kept: docs/operating.md. */
const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];

export interface ClusterRedis {
  /** For REDIS_URL. */
  readonly url: string;
  /** Kills the master (SIGKILL); resolves when it is back after `absence` ms, or a replica of its successor. */
  replace(absence: number): Promise<void>;
}

async function oneServer(stage: Stage): Promise<ClusterRedis> {
  const server = await stage.redis(...durable);
  return {
    url: server.url,
    async replace(absence) {
      await server.kill();
      await rest(absence);
      await server.restart();
    },
  };
}

async function groupOfServers(stage: Stage): Promise<ClusterRedis> {
  const group = await startGroup(stage, { args: durable });
  return {
    url: group.url,
    async replace(absence) {
      const { master: former } = await group.roles();
      await former.kill();
      await Promise.all([rest(absence), group.promoted(former)]);
      await former.restart();
      await group.inStep(1);
    },
  };
}

/** Starts the servers; resolves when they answer. */
export const startClusterRedis = (stage: Stage, ha: boolean): Promise<ClusterRedis> =>
  ha ? groupOfServers(stage) : oneServer(stage);
