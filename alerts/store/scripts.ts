/** The scripts of alerts. What belongs together is written in one of them: all of it, or nothing. */
import { script } from '../../actors/bus/script.ts';

/**
 * KEYS: revisions, the account's rules, feed, last values and number of the topic of rules. ARGV: id, revision before (0 for a new
 * rule), most rules (-1 for no limit), created (Unix ms), the change, length of the stream, 'reset' where the states are void, the
 * states of the rule. The number of the entry; 0 where another writer came first, -1 where there are too many.
 */
export const putScript = script(`
local known = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 0)
if known ~= tonumber(ARGV[2]) then return 0 end
local most = tonumber(ARGV[3])
if known == 0 and most >= 0 and redis.call('HLEN', KEYS[2]) >= most then return -1 end
redis.call('HSET', KEYS[1], ARGV[1], known + 1)
redis.call('HSET', KEYS[2], ARGV[1], ARGV[4])
if ARGV[7] == 'reset' then redis.call('DEL', ARGV[8]) end
local seq = redis.call('INCR', KEYS[5])
redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[6], '*', 'key', ARGV[1], 'seq', seq, 'data', ARGV[5])
redis.call('HSET', KEYS[4], ARGV[1], ARGV[5])
return seq`);

/** KEYS: as of `putScript`, and the states of the rule. ARGV: id, the change, length of the stream. 0 where there is no such rule. */
export const deleteScript = script(`
if redis.call('HDEL', KEYS[2], ARGV[1]) == 0 then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[6])
local seq = redis.call('INCR', KEYS[5])
redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[3], '*', 'key', ARGV[1], 'seq', seq, 'data', ARGV[2])
redis.call('HDEL', KEYS[4], ARGV[1])
return seq`);

/** KEYS: the account's rules, last values of the topic of rules. The rules of the account. */
export const listScript = script(`
local ids = redis.call('HKEYS', KEYS[1])
if #ids == 0 then return {} end
return redis.call('HMGET', KEYS[2], unpack(ids))`);

/**
 * A state of a rule, and with it the event that it fires and what is to be delivered of it. KEYS: revisions, states of the rule,
 * the account's API keys, feed and number of the topic of events, the queue. ARGV: id, revision, subject, the state before (empty
 * for none), the state, the event (empty for none), length of the stream, what is to be delivered.
 * `gone`: the rule has changed; `revoked`: the account has no API key any more; `other` with the state of another process;
 * `done`, also where that was done before.
 */
export const fireScript = script(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return {'gone'} end
local known = redis.call('HGET', KEYS[2], ARGV[3]) or ''
if known == ARGV[5] then return {'done'} end
if known ~= ARGV[4] then return {'other', known} end
if ARGV[6] ~= '' and redis.call('EXISTS', KEYS[3]) == 0 then return {'revoked'} end
redis.call('HSET', KEYS[2], ARGV[3], ARGV[5])
if ARGV[6] ~= '' then
  local seq = redis.call('INCR', KEYS[5])
  redis.call('XADD', KEYS[4], 'MAXLEN', '~', ARGV[7], '*', 'key', ARGV[1], 'seq', seq, 'data', ARGV[6])
  for i = 8, #ARGV do redis.call('XADD', KEYS[6], '*', 'data', ARGV[i]) end
end
return {'done'}`);

/** An event without a state, such as a test. KEYS: feed and number of the topic of events, the queue. ARGV: id, the event, length of the stream, what is to be delivered. */
export const testScript = script(`
local seq = redis.call('INCR', KEYS[2])
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[3], '*', 'key', ARGV[1], 'seq', seq, 'data', ARGV[2])
for i = 4, #ARGV do redis.call('XADD', KEYS[3], '*', 'data', ARGV[i]) end
return seq`);

/**
 * The outcome of an attempt. KEYS: queue, tries, feed and number of the topic of deliveries, dead letters of the account. ARGV:
 * entry, `delivered`, `failed` or `dead`, the delivery, length of its stream, the tries so far, the dead letter, most dead
 * letters. 0 where the entry is gone.
 */
export const outcomeScript = script(`
if #redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1]) == 0 then return 0 end
if ARGV[2] == 'failed' then
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[5])
else
  redis.call('XDEL', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[2], ARGV[1])
end
if ARGV[2] == 'dead' then redis.call('XADD', KEYS[5], 'MAXLEN', ARGV[7], '*', 'data', ARGV[6]) end
local seq = redis.call('INCR', KEYS[4])
redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[4], '*', 'key', ARGV[1], 'seq', seq, 'data', ARGV[3])
return seq`);

/** KEYS: dead letters of the account, queue. ARGV: entry, what is to be delivered. 0 where there is no such dead letter. */
export const resendScript = script(`
if redis.call('XDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('XADD', KEYS[2], '*', 'data', ARGV[2])
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

export const alertScripts = [
  deleteScript,
  listScript,
  fireScript,
  testScript,
  outcomeScript,
  resendScript,
];
