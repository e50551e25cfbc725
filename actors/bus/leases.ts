import type { LeaseStore, Successors } from '../kernel/lease-store.ts';
import { readNumber } from './codec.ts';
import { fenceKey, leaseKey, restKey, successorKey } from './keys.ts';
import { type Commands, script } from './script.ts';

/**
 * The fencing number is at least the server's Unix time in ms, so that it keeps growing when Redis lost its
 * data.
 */
const acquireScript = script(`
local successor = redis.call('GET', KEYS[3])
if successor and string.sub(ARGV[1], 1, #successor + 1) ~= successor .. '/' then return nil end
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return nil end
if successor then redis.call('DEL', KEYS[3]) end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local fence = redis.call('INCR', KEYS[2])
if fence < now then
  fence = now
  redis.call('SET', KEYS[2], string.format('%.0f', fence))
end
return fence`);

/** A lease that has run out is held again where nobody has had it since: the fencing number is still that of the holder. */
const renewScript = script(`
local holder = redis.call('GET', KEYS[1])
if holder == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
if holder or not ARGV[3] or redis.call('GET', KEYS[2]) ~= ARGV[3] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`);

const releaseScript = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`);

const reserveScript = script(`
local successor = redis.call('GET', KEYS[1])
if successor == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
if successor or redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[3])
return 1`);

export const leaseScripts = [acquireScript, renewScript, releaseScript, reserveScript];

/** Least time between two successors of the holders of a lease, ms. */
const rest = 60_000;

/** Leases in Redis. Every method rejects when Redis is away. */
export const createLeases = (commands: Commands): LeaseStore & Successors => ({
  async acquire(name, holder, ttl) {
    const keys = [leaseKey(name), fenceKey(name), successorKey(name)];
    const fence = await commands.run(acquireScript, keys, [holder, Math.ceil(ttl)]);
    return fence === null ? null : readNumber(fence);
  },
  async renew(name, holder, ttl, fence) {
    const keys = [leaseKey(name), fenceKey(name)];
    const args = [holder, Math.ceil(ttl)];
    if (fence !== undefined) args.push(fence);
    return (await commands.run(renewScript, keys, args)) === 1;
  },
  async release(name, holder) {
    await commands.run(releaseScript, [leaseKey(name)], [holder]);
  },
  async reserve(name, process, ttl) {
    const keys = [successorKey(name), restKey(name)];
    return (await commands.run(reserveScript, keys, [process, Math.ceil(ttl), rest])) === 1;
  },
  async withdraw(name, process) {
    await commands.run(releaseScript, [successorKey(name)], [process]);
  },
  async successor(name) {
    const found = await commands.send('GET', successorKey(name));
    return found === null ? null : String(found);
  },
});
