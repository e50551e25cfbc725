/** The scripts of alerts. What belongs together is written in one of them: all of it, or nothing. */
import { appendLua } from '../../actors/bus/published.ts';
import { script } from '../../actors/bus/script.ts';
import { queuePrefix, triesPrefix } from './keys.ts';

/**
 * Deliveries that wait are entries of the queue of a shard, and members `shard entry rule` of the account's sorted set, by their
 * time. `enqueue` adds one, `settled` removes it, `most` gives up the oldest of an account beyond so many: they are dead letters
 * then. `dropRule` removes those of a rule.
 */
const waitingLua = `
local function settled(waiting, shard, entry, rule)
  redis.call('HDEL', '${triesPrefix}' .. shard, entry)
  redis.call('ZREM', waiting, shard .. ' ' .. entry .. ' ' .. rule)
  return redis.call('XDEL', '${queuePrefix}' .. shard, entry)
end
local function enqueue(waiting, shard, rule, data)
  local entry = redis.call('XADD', '${queuePrefix}' .. shard, '*', 'data', data)
  redis.call('ZADD', waiting, string.match(entry, '^%d+'), shard .. ' ' .. entry .. ' ' .. rule)
end
local function most(waiting, dead, limit, letters)
  for _ = 1, redis.call('ZCARD', waiting) - limit do
    local shard, entry, rule = string.match(redis.call('ZRANGE', waiting, 0, 0)[1], '^(%S+) (%S+) (%S+)$')
    local found = redis.call('XRANGE', '${queuePrefix}' .. shard, entry, entry)[1]
    if found then
      local at = string.match(entry, '^%d+')
      local letter = '{"queued":' .. found[2][2] .. ',"attempts":0,"at":' .. at .. ',"error":"too many deliveries wait"}'
      redis.call('XADD', dead, 'MAXLEN', letters, '*', 'data', letter)
    end
    settled(waiting, shard, entry, rule)
  end
end
local function dropRule(waiting, id)
  for _, member in ipairs(redis.call('ZRANGE', waiting, 0, -1)) do
    local shard, entry, rule = string.match(member, '^(%S+) (%S+) (%S+)$')
    if rule == id then settled(waiting, shard, entry, rule) end
  end
end
`;

/**
 * `record` adds an event to the log of all accounts, which has of one account its newest `limit` alone: the flood of one pushes
 * out nothing of another.
 */
const recordLua = `
local function record(feed, numbers, own, rule, event, keep, limit)
  redis.call('RPUSH', own, append(feed, numbers, rule, event, keep, 0))
  redis.call('PEXPIRE', own, keep)
  for _ = 1, redis.call('LLEN', own) - limit do redis.call('XDEL', feed, redis.call('LPOP', own)) end
end
`;

/**
 * KEYS: revisions, the account's rules, feed, last values and number of the topic of rules. ARGV: id, revision before (0 for a new
 * rule), most rules (-1 for no limit), created (Unix ms), the change, how long the stream is kept (ms), 'reset' where the states
 * are void, the states of the rule. 1; 0 where another writer came first, -1 where there are too many.
 */
export const putScript = script(`${appendLua}
local known = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 0)
if known ~= tonumber(ARGV[2]) then return 0 end
local most = tonumber(ARGV[3])
if known == 0 and most >= 0 and redis.call('HLEN', KEYS[2]) >= most then return -1 end
redis.call('HSET', KEYS[1], ARGV[1], known + 1)
redis.call('HSET', KEYS[2], ARGV[1], ARGV[4])
if ARGV[7] == 'reset' then redis.call('DEL', ARGV[8]) end
append(KEYS[3], KEYS[5], ARGV[1], ARGV[5], ARGV[6], 0)
redis.call('HSET', KEYS[4], ARGV[1], ARGV[5])
return 1`);

/**
 * KEYS: as of `putScript`, the states of the rule, what waits of the account, and the states of its receivers. ARGV: id, the change,
 * how long the stream is kept (ms), the receivers of the rule. 0 where there is no such rule.
 */
export const deleteScript = script(`${appendLua}${waitingLua}
if redis.call('HDEL', KEYS[2], ARGV[1]) == 0 then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[6])
dropRule(KEYS[7], ARGV[1])
for i = 4, #ARGV do redis.call('HDEL', KEYS[8], ARGV[i]) end
append(KEYS[3], KEYS[5], ARGV[1], ARGV[2], ARGV[3], 0)
redis.call('HDEL', KEYS[4], ARGV[1])
return 1`);

/** KEYS: the account's rules, last values of the topic of rules. The rules of the account. */
export const listScript = script(`
local ids = redis.call('HKEYS', KEYS[1])
if #ids == 0 then return {} end
return redis.call('HMGET', KEYS[2], unpack(ids))`);

/**
 * Whether an account may fire once more, by the generic cell rate algorithm: `burst` ms are those events at once that the rate
 * makes up for in that time. 0, or in how many ms it may.
 */
const rateLua = `
local function wait(key, each, burst)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local full = math.max(now, tonumber(redis.call('GET', key) or 0)) + each
  if full - now > burst then return full - now - burst end
  redis.call('SET', key, string.format('%d', full), 'PX', full - now)
  return 0
end
`;

/**
 * A state of a rule, and with it the event that it fires and what is to be delivered of it. KEYS: revisions, states of the rule,
 * the account's API keys, feed and number of the topic of events, and of the account: the entries of the log, the rate, what
 * waits, and its dead letters. ARGV: id, revision, subject, the state before (empty for none), the state, the event (empty for
 * none), how long the log is kept (ms), the shard, the limits of `limits` in its order, what is to be delivered.
 * `gone`: the rule has changed; `revoked`: the account has no API key any more; `later` with the ms until it may fire again;
 * `other` with the state of another process; `done`, also where that was done before.
 */
export const fireScript = script(`${appendLua}${waitingLua}${recordLua}${rateLua}
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return {'gone'} end
local known = redis.call('HGET', KEYS[2], ARGV[3]) or ''
if known == ARGV[5] then return {'done'} end
if known ~= ARGV[4] then return {'other', known} end
if ARGV[6] ~= '' then
  if redis.call('EXISTS', KEYS[3]) == 0 then return {'revoked'} end
  local left = wait(KEYS[7], tonumber(ARGV[12]), tonumber(ARGV[13]))
  if left > 0 then return {'later', tostring(left)} end
  record(KEYS[4], KEYS[5], KEYS[6], ARGV[1], ARGV[6], ARGV[7], ARGV[9])
  for i = 14, #ARGV do enqueue(KEYS[8], ARGV[8], ARGV[1], ARGV[i]) end
  most(KEYS[8], KEYS[9], ARGV[10], ARGV[11])
end
redis.call('HSET', KEYS[2], ARGV[3], ARGV[5])
return {'done'}`);

/**
 * An event without a state, such as a test. KEYS: feed and number of the topic of events, and of the account: the entries of the
 * log, what waits, and its dead letters. ARGV: id, the event, how long the log is kept (ms), the shard, most events and deliveries
 * and dead letters of the account, what is to be delivered.
 */
export const testScript = script(`${appendLua}${waitingLua}${recordLua}
record(KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2], ARGV[3], ARGV[5])
for i = 8, #ARGV do enqueue(KEYS[4], ARGV[4], ARGV[1], ARGV[i]) end
most(KEYS[4], KEYS[5], ARGV[6], ARGV[7])
return 1`);

/**
 * The outcome of an attempt. KEYS: feed and number of the topic of deliveries, and of the account: what waits, its dead letters,
 * and the states of its receivers. ARGV: shard, entry, rule, `delivered`, `failed` or `dead`, the delivery, how long the stream is
 * kept (ms), the tries so far, the dead letter, most dead letters, the receiver, its state (empty where it takes deliveries).
 * 0 where the entry is gone.
 */
export const outcomeScript = script(`${appendLua}${waitingLua}
if #redis.call('XRANGE', '${queuePrefix}' .. ARGV[1], ARGV[2], ARGV[2]) == 0 then return 0 end
if ARGV[11] == '' then redis.call('HDEL', KEYS[5], ARGV[10])
else redis.call('HSET', KEYS[5], ARGV[10], ARGV[11]) end
if ARGV[4] == 'failed' then redis.call('HSET', '${triesPrefix}' .. ARGV[1], ARGV[2], ARGV[7])
else settled(KEYS[3], ARGV[1], ARGV[2], ARGV[3]) end
if ARGV[4] == 'dead' then redis.call('XADD', KEYS[4], 'MAXLEN', ARGV[9], '*', 'data', ARGV[8]) end
append(KEYS[1], KEYS[2], ARGV[3], ARGV[5], ARGV[6], 0)
return 1`);

/**
 * KEYS: the account's dead letters, and what waits of it. ARGV: entry, shard, rule, what is to be delivered, most deliveries and
 * dead letters of the account. 0 where there is no such dead letter.
 */
export const resendScript = script(`${waitingLua}
if redis.call('XDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
enqueue(KEYS[2], ARGV[2], ARGV[3], ARGV[4])
most(KEYS[2], KEYS[1], ARGV[5], ARGV[6])
return 1`);

/**
 * KEYS: the account's secrets. ARGV: the new secret, now and until when the former one signs too (Unix ms), 'first' to keep one
 * that is there. Whether the new one counts.
 */
export const secretScript = script(`
local known = redis.call('HGET', KEYS[1], 'current')
if known and ARGV[4] == 'first' then return 0 end
if known then redis.call('HSET', KEYS[1], 'previous', known, 'until', ARGV[3]) end
redis.call('HSET', KEYS[1], 'current', ARGV[1])
return 1`);

export const alertScripts = [listScript, fireScript, testScript, outcomeScript, resendScript];
