/** A server of Redis for each role. */
import type { Test } from 'tap';
import { ownPorts } from './ports.ts';
import { redisOf } from './redis.ts';

/** One server for keys, one for market data, and its replica. */
export async function redisRoles(t: Pick<Test, 'teardown'>) {
  const [first = 0, second = 0] = ownPorts;
  const quick = ['--repl-diskless-sync-delay', '0'];
  const keys = await redisOf(t, { args: ['--appendonly', 'yes'] });
  const bus = await redisOf(t, { port: first, args: quick });
  const replicaOf = ['--replicaof', '127.0.0.1', String(first)];
  const read = await redisOf(t, { port: second, args: [...quick, ...replicaOf] });
  const settings = { REDIS_URL: keys.url, REDIS_BUS_URL: bus.url, REDIS_READ_URL: read.url };
  return { keys, bus, read, settings };
}
