import type { LeaseStore } from '../kernel/lease.ts';
import { readNumber } from './codec.ts';
import { fenceKey, leaseKey } from './keys.ts';
import { type Commands, script } from './script.ts';

/**
 * The fencing number is at least the server's Unix time in ms, so that it keeps growing when Redis lost its
 * data.
 */
const acquireScript = script(`
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return nil end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local fence = redis.call('INCR', KEYS[2])
if fence < now then
  fence = now
  redis.call('SET', KEYS[2], string.format('%.0f', fence))
end
return fence`);

const renewScript = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`);

const releaseScript = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`);

export const leaseScripts = [acquireScript, renewScript, releaseScript];

/** Leases in Redis. Every method rejects when Redis is away. */
export const createLeases = (commands: Commands): LeaseStore => ({
  async acquire(name, holder, ttl) {
    const keys = [leaseKey(name), fenceKey(name)];
    const fence = await commands.run(acquireScript, keys, [holder, Math.ceil(ttl)]);
    return fence === null ? null : readNumber(fence);
  },
  async renew(name, holder, ttl) {
    return (await commands.run(renewScript, [leaseKey(name)], [holder, Math.ceil(ttl)])) === 1;
  },
  async release(name, holder) {
    await commands.run(releaseScript, [leaseKey(name)], [holder]);
  },
});
