/**
 * The Redis keys of accounts and API keys, and the scripts that use them. Records of idempotency keys, codes, tickets
 * and keys that end by themselves expire. Of an API key only the digest is stored.
 */
import { type Commands, script } from '../../actors/bus/script.ts';
import { day, hour, minute } from '../../config/time.ts';

/**
 * Prefix of a key's hash, followed by its digest: `id`, `account`, `name`, `prefix`, `created`, `used` (Unix ms),
 * `d` and the number of a UTC day, how often it was used on that day, of a link key `paths`, a JSON array, of a key that ends by itself
 * `until` (Unix ms), and of one that another replaces `replaced`, the id of that.
 */
export const keyPrefix = 'auth:key:';
/** Prefix of an account's hash: `created` (Unix ms), `plan` and `issued`, the `iat` of its token (Unix s). */
export const accountPrefix = 'auth:account:';
/**
 * List of an account's revoked keys, the newest first. Each is a JSON array: id, name, prefix, created, used, requests
 * (false where the key has none), revoked, paths (absent of keys that were revoked before there were link keys).
 */
export const revokedOf = (account: string): string => `auth:revoked:${account}`;
/** Most revoked keys that are stored of one account. */
export const mostRevoked = 100;
/** Hash of one creation with an idempotency key: `id`, `name`, `prefix`, `created`. */
export const creationOf = (account: string, digest: string): string =>
  `auth:creation:${digest}:${account}`;
/** Number of the latest change that processes with a key in memory must apply. */
export const changesKey = 'auth:changes';

/** Counts what was written about keys and accounts, but uses: when it has changed, a copy is out of date. */
export const writesKey = 'auth:writes';
/** A text that is there as long as Redis has not been emptied. */
export const markerKey = 'auth:marker';
/** There once it was found that the marker has gone, until keys and accounts are restored. */
export const lostKey = 'auth:lost';

/**
 * KEYS: marker, lost. ARGV: the marker as it was, empty where none is known, and the marker to be set where there is
 * none. The marker; nil when it has gone.
 */
export const lookScript = script(`
if redis.call('EXISTS', KEYS[2]) == 1 then return nil end
local marker = redis.call('GET', KEYS[1])
if ARGV[1] ~= '' and marker ~= ARGV[1] then
  redis.call('SET', KEYS[2], 1)
  return nil
end
if not marker then redis.call('SET', KEYS[1], ARGV[2]) end
return marker or ARGV[2]`);

/** Runs `lookScript`. Rejects as `Commands.run` does. */
export async function look(
  commands: Commands,
  seen: string,
  fresh: string,
): Promise<string | null> {
  const marker = await commands.run(lookScript, [markerKey, lostKey], [seen, fresh]);
  return marker === null ? null : String(marker);
}

/** Milliseconds that a creation can be repeated under its idempotency key. */
export const creationLife = day;

/** One sign-in code, by its digest: the account that it opens a browser session for. */
export const codeOf = (digest: string): string => `auth:code:${digest}`;
/** Milliseconds that a sign-in code can be used. */
export const codeLife = hour;
/** Milliseconds that a browser session lasts at most: it is a key with the field `until`, which Redis forgets then. */
export const sessionLife = 30 * day;

/** Most browser sessions of an account: the next one ends the one that would end first. */
export const mostSessions = 20;
/** Most replaced keys of an account that still work. */
export const mostReplaced = 20;

/**
 * Lua: the keys of an account that its plan counts, those that were replaced, the browser sessions, and the session that ends first, as its
 * id and its Redis key. Keys that are over leave the account's keys here.
 */
const tally = `
local function tally(keys, prefix)
  local of = {counted = 0, replaced = 0, sessions = 0}
  local known = redis.call('HGETALL', keys)
  for at = 1, #known, 2 do
    local key = prefix .. known[at + 1]
    local row = redis.call('HMGET', key, 'id', 'until', 'replaced')
    if not row[1] then redis.call('HDEL', keys, known[at])
    elseif row[3] then of.replaced = of.replaced + 1
    elseif not row[2] then of.counted = of.counted + 1
    else
      of.sessions = of.sessions + 1
      if not of.soonest or tonumber(row[2]) < of.soonest then
        of.soonest, of.id, of.key = tonumber(row[2]), known[at], key
      end
    end
  end
  return of
end
`;

/**
 * KEYS: the account's keys, the key. ARGV: id, digest, account, name, prefix, created, until (both Unix ms), key prefix, most
 * sessions.
 */
export const sessionScript = script(`${tally}
local of = tally(KEYS[1], ARGV[8])
if of.sessions >= tonumber(ARGV[9]) then
  redis.call('HDEL', KEYS[1], of.id)
  redis.call('DEL', of.key)
end
redis.call('HSET', KEYS[2], 'id', ARGV[1], 'account', ARGV[3], 'name', ARGV[4], 'prefix', ARGV[5],
  'created', ARGV[6], 'until', ARGV[7])
redis.call('PEXPIREAT', KEYS[2], ARGV[7])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return redis.call('INCR', '${writesKey}')`);

/**
 * KEYS: the account's keys, the key, the creation (optional). ARGV: most active keys (-1 for no limit), id,
 * digest, account, name, prefix, created, life of the creation, paths (empty for none), key prefix, and for a key that replaces another
 * the id of that (else empty), when that ends (Unix ms), and most replaced keys.
 */
export const createScript = script(`${tally}
if KEYS[3] and redis.call('EXISTS', KEYS[3]) == 1 then
  local made = redis.call('HMGET', KEYS[3], 'id', 'name', 'prefix', 'created', 'paths')
  if made[2] ~= ARGV[5] or (made[5] or '') ~= ARGV[9] then return {'mismatch'} end
  return {'repeated', unpack(made, 1, 4)}
end
local most = tonumber(ARGV[1])
if ARGV[11] ~= '' then
  local digest = redis.call('HGET', KEYS[1], ARGV[11])
  local old = ARGV[10] .. (digest or '')
  local row = redis.call('HMGET', old, 'id', 'until')
  if not row[1] or row[2] then return {'gone'} end
  if tally(KEYS[1], ARGV[10]).replaced >= tonumber(ARGV[13]) then return {'full'} end
  redis.call('HSET', old, 'until', ARGV[12], 'replaced', ARGV[2])
  redis.call('PEXPIREAT', old, ARGV[12])
elseif most >= 0 and tally(KEYS[1], ARGV[10]).counted >= most then return {'full'} end
local row = {'id', ARGV[2], 'name', ARGV[5], 'prefix', ARGV[6], 'created', ARGV[7]}
if ARGV[9] ~= '' then
  row[9] = 'paths'
  row[10] = ARGV[9]
end
redis.call('HSET', KEYS[2], 'account', ARGV[4], unpack(row))
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
redis.call('INCR', '${writesKey}')
if KEYS[3] then
  redis.call('HSET', KEYS[3], unpack(row))
  redis.call('PEXPIRE', KEYS[3], ARGV[8])
end
return {'created', ARGV[2], ARGV[5], ARGV[6], ARGV[7]}`);

/**
 * KEYS: the account's keys, the key, the creation (optional). ARGV: id, key prefix, id of the key that it replaces (else empty). Takes a
 * key back whose creation was not confirmed; the one that it replaces stays.
 */
export const withdrawScript = script(`
local digest = redis.call('HGET', KEYS[1], ARGV[3])
if digest then
  redis.call('HDEL', ARGV[2] .. digest, 'until', 'replaced')
  redis.call('PERSIST', ARGV[2] .. digest)
end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2])
if KEYS[3] then redis.call('DEL', KEYS[3]) end
return redis.call('INCR', '${writesKey}')`);

/**
 * KEYS: the account's keys, changes, the account's revoked keys. ARGV: id, key prefix, now (Unix ms), most revoked
 * keys, length of a day (ms). The number of the change, or 0 without such a key.
 */
export const revokeScript = script(`
local digest = redis.call('HGET', KEYS[1], ARGV[1])
if not digest then return 0 end
local key = ARGV[2] .. digest
local row = redis.call('HMGET', key, 'id', 'name', 'prefix', 'created', 'used')
if not row[1] then return 0 end
row[6] = redis.call('HGET', key, 'd' .. math.floor((row[5] or 0) / ARGV[5]))
row[7] = ARGV[3]
row[8] = redis.call('HGET', key, 'paths')
redis.call('LPUSH', KEYS[3], cjson.encode(row))
redis.call('LTRIM', KEYS[3], 0, ARGV[4] - 1)
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('DEL', key)
redis.call('INCR', '${writesKey}')
return redis.call('INCR', KEYS[2])`);

/**
 * KEYS: the account's keys, its revoked keys. ARGV: key prefix, length of a day (ms). Rows in the order of `revokedOf`, then when the key
 * ends by itself; none of a key that is over.
 */
export const listScript = script(`
local rows = {}
for _, digest in ipairs(redis.call('HVALS', KEYS[1])) do
  local key = ARGV[1] .. digest
  local row = redis.call('HMGET', key, 'id', 'name', 'prefix', 'created', 'used')
  row[6] = redis.call('HGET', key, 'd' .. math.floor((row[5] or 0) / ARGV[2]))
  row[7] = false
  row[8] = redis.call('HGET', key, 'paths')
  row[9] = redis.call('HGET', key, 'until')
  if row[1] then rows[#rows + 1] = row end
end
for _, text in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do
  rows[#rows + 1] = cjson.decode(text)
end
return rows`);

/** KEYS: the account's keys, the account. ARGV: key prefix. How many keys the plan counts, as text, and `created`; nil where it is not known. */
export const accountScript = script(`${tally}
return {tostring(tally(KEYS[1], ARGV[1]).counted), redis.call('HGET', KEYS[2], 'created')}`);

/** KEYS: the key. ARGV: account prefix. Id, account, plan, paths and until; nil where there is no such key. */
export const findScript = script(`
local key = redis.call('HMGET', KEYS[1], 'id', 'account', 'paths', 'until')
if not key[1] then return nil end
return {key[1], key[2], redis.call('HGET', ARGV[1] .. key[2], 'plan'), key[3], key[4]}`);

/**
 * The plan of the newest token that states one counts: an older token that is still valid does not restore a former
 * plan. KEYS: the account, changes. ARGV: plan (empty where the token states none), issued (Unix s), now (Unix ms),
 * the plan of an account for which no token has stated one. The plan of the account, and the number of the change, or 0
 * when nothing changed.
 */
export const observeScript = script(`
local known = redis.call('HMGET', KEYS[1], 'plan', 'issued', 'created')
local before = known[1] or ARGV[4]
if not known[3] then
  redis.call('HSET', KEYS[1], 'created', ARGV[3])
  redis.call('INCR', '${writesKey}')
end
if ARGV[1] == '' then return {before, 0} end
if known[2] and tonumber(known[2]) > tonumber(ARGV[2]) then return {before, 0} end
if known[2] == ARGV[2] and before == ARGV[1] then return {before, 0} end
redis.call('HSET', KEYS[1], 'plan', ARGV[1], 'issued', ARGV[2])
redis.call('INCR', '${writesKey}')
if before == ARGV[1] then return {before, 0} end
return {ARGV[1], redis.call('INCR', KEYS[2])}`);

/** Days of which the requests with a key are kept. */
export const daysKept = 30;

/**
 * KEYS: keys. ARGV: length of a day (ms), days kept, then for each key when it was last used (Unix ms) and how often on that UTC day. A
 * key that is gone stays gone.
 */
export const touchScript = script(`
for i, key in ipairs(KEYS) do
  local at, count = ARGV[2 * i + 1], ARGV[2 * i + 2]
  local known = redis.call('HMGET', key, 'id', 'used')
  if known[1] then
    local today = math.floor(at / ARGV[1])
    local last = math.floor((known[2] or 0) / ARGV[1])
    redis.call('HINCRBY', key, 'd' .. today, count)
    if (known[2] or 0) - at < 0 then redis.call('HSET', key, 'used', at) end
    if today > last then
      for _, field in ipairs(redis.call('HKEYS', key)) do
        local day = string.match(field, '^d(%d+)$')
        if day and tonumber(day) <= today - ARGV[2] then redis.call('HDEL', key, field) end
      end
    end
  end
end
return 1`);

/** KEYS: the account's keys. ARGV: key prefix, the fields of the days. Id, name and the counts of each key. */
export const historyScript = script(`
local rows = {}
for _, digest in ipairs(redis.call('HVALS', KEYS[1])) do
  local row = redis.call('HMGET', ARGV[1] .. digest, 'id', 'name', unpack(ARGV, 2))
  if row[1] then rows[#rows + 1] = row end
end
return rows`);

/** One ticket, by its digest: account and id of the key, as a JSON array. */
export const ticketOf = (digest: string): string => `auth:ticket:${digest}`;
/** Milliseconds that a ticket can be used. */
export const ticketLife = minute;

/** KEYS: the ticket. ARGV: the account's keys without the account. The digest of the key; nil without ticket or key. */
export const takeTicketScript = script(`
local text = redis.call('GET', KEYS[1])
if not text then return nil end
redis.call('DEL', KEYS[1])
local of = cjson.decode(text)
return redis.call('HGET', ARGV[1] .. of[1], of[2])`);

export const authScripts = [
  historyScript,
  lookScript,
  takeTicketScript,
  withdrawScript,
  sessionScript,
  listScript,
  accountScript,
  findScript,
  observeScript,
  touchScript,
];
