import type { LeaseStore, Successors } from '../kernel/lease-store.ts';
import { readNumber } from './codec.ts';
import { fenceKey, leaseKey, restKey, successorKey } from './keys.ts';
import { type Commands, script } from './script.ts';

/**
 * The fencing number is above all that were granted or published with, as far as this server (KEYS) and the one that is
 * published to (ARGV 3) know, and at least the server's Unix time in ms. The time makes it grow also where a server lost its
 * data, and where the replica that became the master never got the latest grant: that is older than the fail-over takes, so
 * the number is right as long as the clocks of the servers differ by less. A number that waited for replicas would need no
 * clock, but after a fail-over there may be none, and nobody could publish.
 */
const acquireScript = script(`
local successor = redis.call('GET', KEYS[3])
if successor and string.sub(ARGV[1], 1, #successor + 1) ~= successor .. '/' then return nil end
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return nil end
if successor then redis.call('DEL', KEYS[3]) end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local newest = math.max(tonumber(redis.call('GET', KEYS[2]) or 0), tonumber(ARGV[3]))
local fence = math.max(newest + 1, now)
redis.call('SET', KEYS[2], string.format('%.0f', fence))
return fence`);

/**
 * A lease that has ended, also while this server was away, goes on where nobody else got it since: the fencing number is still
 * that of the holder. One whose number a newer one has passed is lost.
 */
const renewScript = script(`
local newest, fence = tonumber(redis.call('GET', KEYS[2]) or 0), tonumber(ARGV[3])
if fence and newest > fence then return 0 end
local holder = redis.call('GET', KEYS[1])
if holder == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
if holder or not fence or newest < fence then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`);

const releaseScript = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`);

const reserveScript = script(`
local successor = redis.call('GET', KEYS[1])
if successor == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
if successor or (ARGV[4] == '' and redis.call('EXISTS', KEYS[2]) == 1) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[3])
return 1`);

export const leaseScripts = [acquireScript, renewScript, releaseScript, reserveScript];

/** Least time between two successors of the holders of a lease, ms. */
const rest = 60_000;

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
): LeaseStore & Successors => ({
  async acquire(name, holder, ttl) {
    const keys = [leaseKey(name), fenceKey(name), successorKey(name)];
    const published = (await seen?.(name)) ?? 0;
    const fence = await commands.run(acquireScript, keys, [holder, Math.ceil(ttl), published]);
    return fence === null ? null : readNumber(fence);
  },
  async renew(name, holder, ttl, fence) {
    const keys = [leaseKey(name), fenceKey(name)];
    try {
      return (await commands.run(renewScript, keys, [holder, Math.ceil(ttl), fence ?? ''])) === 1;
    } catch (error) {
      if (seen === undefined || fence === undefined) throw error;
      return (await seen(name)) <= fence;
    }
  },
  async release(name, holder) {
    await commands.run(releaseScript, [leaseKey(name)], [holder]);
  },
  async reserve(name, process, ttl, isLeft = false) {
    const keys = [successorKey(name), restKey(name)];
    const args = [process, Math.ceil(ttl), rest, isLeft ? 'left' : ''];
    return (await commands.run(reserveScript, keys, args)) === 1;
  },
  async withdraw(name, process) {
    await commands.run(releaseScript, [successorKey(name)], [process]);
  },
  async successor(name) {
    const found = await commands.send('GET', successorKey(name));
    return found === null ? null : String(found);
  },
});
