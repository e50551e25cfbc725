/**
 * What is kept in Redis of accounts and keys, and the scripts that touch it. Nothing here expires but the
 * records of idempotency keys; no key is stored, only its digest.
 */
import { script } from '../../actors/bus/script.ts';

/** Prefix of a key's hash, followed by its digest: `id`, `account`, `name`, `prefix`, `created`, `used` (Unix ms). */
export const keyPrefix = 'auth:key:';
/** Prefix of an account's hash: `plan` and `issued`, the `iat` of the token that said so (Unix s). */
export const accountPrefix = 'auth:account:';
/** Hash of an account's active keys: id to digest. */
export const keysOf = (account: string): string => `auth:keys:${account}`;
/** Hash of one creation with an idempotency key: `id`, `name`, `prefix`, `created`. */
export const creationOf = (account: string, digest: string): string =>
  `auth:creation:${digest}:${account}`;
/** Number of the latest change that processes with a key in memory must learn of. */
export const changesKey = 'auth:changes';

/** Milliseconds that a creation can be repeated under its idempotency key. */
export const creationLife = 86_400_000;

/**
 * KEYS: the account's keys, the key, the creation (optional). ARGV: most active keys (-1 for no limit), id,
 * digest, account, name, prefix, created, life of the creation.
 */
export const createScript = script(`
if KEYS[3] and redis.call('EXISTS', KEYS[3]) == 1 then
  local made = redis.call('HMGET', KEYS[3], 'id', 'name', 'prefix', 'created')
  if made[2] ~= ARGV[5] then return {'mismatch'} end
  return {'repeated', unpack(made)}
end
local most = tonumber(ARGV[1])
if most >= 0 and redis.call('HLEN', KEYS[1]) >= most then return {'full'} end
local row = {'id', ARGV[2], 'name', ARGV[5], 'prefix', ARGV[6], 'created', ARGV[7]}
redis.call('HSET', KEYS[2], 'account', ARGV[4], unpack(row))
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
if KEYS[3] then
  redis.call('HSET', KEYS[3], unpack(row))
  redis.call('PEXPIRE', KEYS[3], ARGV[8])
end
return {'created', ARGV[2], ARGV[5], ARGV[6], ARGV[7]}`);

/** KEYS: the account's keys, changes. ARGV: id, key prefix. The number of the change, or 0 without such a key. */
export const revokeScript = script(`
local digest = redis.call('HGET', KEYS[1], ARGV[1])
if not digest then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('DEL', ARGV[2] .. digest)
return redis.call('INCR', KEYS[2])`);

/** KEYS: the account's keys. ARGV: key prefix. */
export const listScript = script(`
local rows = {}
local keys = redis.call('HGETALL', KEYS[1])
for i = 1, #keys, 2 do
  local row = redis.call('HMGET', ARGV[1] .. keys[i + 1], 'name', 'prefix', 'created', 'used')
  rows[#rows + 1] = {keys[i], row[1], row[2], row[3], row[4]}
end
return rows`);

/** KEYS: the key. ARGV: account prefix. Id, account and plan; nil where there is no such key. */
export const findScript = script(`
local key = redis.call('HMGET', KEYS[1], 'id', 'account')
if not key[1] then return nil end
return {key[1], key[2], redis.call('HGET', ARGV[1] .. key[2], 'plan')}`);

/**
 * The plan of the newest token counts: an older one that is still valid does not bring a former plan back.
 * KEYS: the account, changes. ARGV: plan, issued (Unix s), the plan of an account that has no record. The plan
 * that holds, and the number of the change, or 0 when nothing changed.
 */
export const observeScript = script(`
local known = redis.call('HMGET', KEYS[1], 'plan', 'issued')
local before = known[1] or ARGV[3]
if known[2] and tonumber(known[2]) > tonumber(ARGV[2]) then return {before, 0} end
if known[2] == ARGV[2] and before == ARGV[1] then return {before, 0} end
if not known[1] and before == ARGV[1] then return {before, 0} end
redis.call('HSET', KEYS[1], 'plan', ARGV[1], 'issued', ARGV[2])
if before == ARGV[1] then return {before, 0} end
return {ARGV[1], redis.call('INCR', KEYS[2])}`);

/** KEYS: keys. ARGV: when each was last used. A key that is gone stays gone. */
export const touchScript = script(`
for i, key in ipairs(KEYS) do
  local known = redis.call('HMGET', key, 'id', 'used')
  if known[1] and tonumber(known[2] or 0) < tonumber(ARGV[i]) then
    redis.call('HSET', key, 'used', ARGV[i])
  end
end
return 1`);

export const authScripts = [
  createScript,
  revokeScript,
  listScript,
  findScript,
  observeScript,
  touchScript,
];
