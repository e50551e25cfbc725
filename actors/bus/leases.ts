import type { LeaseStore } from '../kernel/lease.ts';
import { readNumber } from './codec.ts';
import { fenceKey, leaseKey } from './keys.ts';
import { type Commands, script } from './script.ts';

/**
 * The fencing number is above all that were granted or published with, as far as this server (KEYS) and the one that is
 * published to (ARGV 3) know, and at least the server's Unix time in ms. The time makes it grow also where a server lost its
 * data, and where the replica that became the master never got the latest grant: that is older than the fail-over takes, so
 * the number is right as long as the clocks of the servers differ by less. A number that waited for replicas would need no
 * clock, but after a fail-over there may be none, and nobody could publish.
 */
const acquireScript = script(`
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return nil end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local newest = math.max(tonumber(redis.call('GET', KEYS[2]) or 0), tonumber(ARGV[3]))
local fence = math.max(newest + 1, now)
redis.call('SET', KEYS[2], string.format('%.0f', fence))
return fence`);

/**
 * A lease that has ended while this server was away goes on where nobody else got it since. One whose number a newer one has
 * passed is lost.
 */
const renewScript = script(`
local newest, fence = tonumber(redis.call('GET', KEYS[2]) or 0), tonumber(ARGV[3])
if newest > fence then return 0 end
local holder = redis.call('GET', KEYS[1])
if holder == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
if holder or newest < fence then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`);

const releaseScript = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`);

export const leaseScripts = [acquireScript, renewScript, releaseScript];

/** The newest fencing number of a lease that a server knows; 0 without one. Rejects when Redis is away. */
export const fenceOf = async (commands: Commands, name: string): Promise<number> =>
  readNumber(await commands.send('GET', fenceKey(name))) || 0;

/**
 * Leases in Redis. Every method rejects when Redis is away.
 *
 * Where publications go to another server, `seen` asks that one for the newest fencing number of a lease. While the server of the
 * leases is away nobody gets one, and a holder keeps its own until the other server has seen a newer number.
 */
export function createLeases(
  commands: Commands,
  seen?: (name: string) => Promise<number>,
): LeaseStore {
  /** Fencing numbers by lease and holder. */
  const fences = new Map<string, number>();
  const renewed = async (name: string, holder: string, ttl: number): Promise<boolean> => {
    // One that was never granted has been passed by every number.
    const fence = fences.get(`${name} ${holder}`) ?? -1;
    const args = [holder, Math.ceil(ttl), fence];
    try {
      return (await commands.run(renewScript, [leaseKey(name), fenceKey(name)], args)) === 1;
    } catch (error) {
      if (seen === undefined) throw error;
      return (await seen(name)) <= fence;
    }
  };
  return {
    async acquire(name, holder, ttl) {
      const keys = [leaseKey(name), fenceKey(name)];
      const published = (await seen?.(name)) ?? 0;
      const reply = await commands.run(acquireScript, keys, [holder, Math.ceil(ttl), published]);
      if (reply === null) return null;
      const fence = readNumber(reply);
      fences.set(`${name} ${holder}`, fence);
      return fence;
    },
    async renew(name, holder, ttl) {
      const isHeld = await renewed(name, holder, ttl);
      if (!isHeld) fences.delete(`${name} ${holder}`);
      return isHeld;
    },
    async release(name, holder) {
      fences.delete(`${name} ${holder}`);
      await commands.run(releaseScript, [leaseKey(name)], [holder]);
    },
  };
}
