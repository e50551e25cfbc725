import type { LeaseStore } from '../kernel/lease.ts';
import { readNumber } from './codec.ts';
import { fenceKey, leaseKey, standbyKey } from './keys.ts';
import { type Commands, script } from './script.ts';

/**
 * The fencing number is above all that were given or published with, as far as this server (KEYS) and the one that is
 * published to (ARGV 3) know, and at least the server's Unix time in ms. The time makes it grow also where a server lost its
 * data, and where the replica that became the master never got the latest one: that is older than the fail-over takes, so
 * the number is right as long as the clocks of the servers differ by less. A number that waited for replicas would need no
 * clock, but after a fail-over there may be none, and nobody could publish.
 */
const acquireScript = script(`
local holder, standby = redis.call('GET', KEYS[1]), redis.call('GET', KEYS[3])
if holder and holder ~= ARGV[1] then return nil end
if standby and string.match(standby, '^(.*)/') ~= ARGV[1] then return nil end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local newest = math.max(tonumber(redis.call('GET', KEYS[2]) or 0), tonumber(ARGV[3]))
local fence = math.max(newest + 1, now)
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('SET', KEYS[2], string.format('%.0f', fence))
redis.call('DEL', KEYS[3])
return fence`);

/**
 * A lease that has ended, also while this server was away, goes on where nobody else got it since: the fencing number is still
 * that of the holder.
 */
const renewScript = script(`
local holder = redis.call('GET', KEYS[1]) or ARGV[1]
if holder ~= ARGV[1] or redis.call('GET', KEYS[2]) ~= ARGV[3] then return 0 end
redis.call('SET', KEYS[1], holder, 'PX', ARGV[2])
return 1`);

const releaseScript = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] or redis.call('GET', KEYS[2]) ~= ARGV[2] then return 0 end
return redis.call('DEL', KEYS[1])`);

const standByScript = script(`
local standby = redis.call('GET', KEYS[1])
if standby and string.match(standby, '^(.*)/') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1] .. '/' .. ARGV[2], 'PX', ARGV[3])
return 1`);

export const leaseScripts = [acquireScript, renewScript, releaseScript, standByScript];

/** The newest fencing number of a lease that a server knows; 0 without one. Rejects when Redis is away. */
export const fenceOf = async (commands: Commands, name: string): Promise<number> =>
  readNumber(await commands.send('GET', fenceKey(name))) || 0;

/**
 * Leases in Redis. Every method rejects when Redis is away.
 *
 * Where publications go to another server, `seen` asks that one for the newest fencing number of a lease. While the server of the
 * leases is away nobody gets one, and a holder keeps its own until the other server has seen a newer number.
 */
export const createLeases = (
  commands: Commands,
  seen?: (name: string) => Promise<number>,
): LeaseStore => ({
  async acquire(name, process, ttl) {
    const keys = [leaseKey(name), fenceKey(name), standbyKey(name)];
    const published = (await seen?.(name)) ?? 0;
    const fence = await commands.run(acquireScript, keys, [process, ttl, published]);
    return fence === null ? null : readNumber(fence);
  },
  async renew(name, process, ttl, fence) {
    const keys = [leaseKey(name), fenceKey(name)];
    try {
      return (await commands.run(renewScript, keys, [process, ttl, fence])) === 1;
    } catch (error) {
      if (seen === undefined) throw error;
      return (await seen(name)) <= fence;
    }
  },
  async release(name, process, fence) {
    await commands.run(releaseScript, [leaseKey(name), fenceKey(name)], [process, fence]);
  },
  async standBy(name, process, ttl, isReady) {
    const args = [process, isReady ? 'ready' : '', ttl];
    return (await commands.run(standByScript, [standbyKey(name)], args)) === 1;
  },
  async look(names) {
    const keys = [leaseKey, fenceKey, standbyKey].flatMap((keyOf) => names.map(keyOf));
    const found = await commands.send('MGET', ...keys);
    const values: unknown[] = Array.isArray(found) ? found : [];
    return names.map((_, at) => {
      const [holder, fence, standby] = [0, 1, 2].map((n) => values[n * names.length + at] ?? null);
      const [, process = null, ready] = /^(.*)\/(.*)$/.exec(String(standby)) ?? [];
      return {
        holder: holder === null ? null : String(holder),
        fence: readNumber(fence) || 0,
        standby: process,
        isReady: ready === 'ready',
      };
    });
  },
});
