/** The windows of all processes in Redis: one hash per account or address, which expires with its window. */
import { randomUUID } from 'node:crypto';
import { type BusLog, silent } from '../../actors/bus/log.ts';
import { closeAtOnce, connect } from '../../actors/bus/redis.ts';
import { Commands, script } from '../../actors/bus/script.ts';
import { type Clock, late, within } from '../../actors/kernel/clock.ts';
import { minute } from '../../config/time.ts';

/** Length of a window, milliseconds: the plans count by the minute. */
export const windowLength = minute;
export const windowSeconds = windowLength / 1000;

/** A reservation leaves this many times its size to other processes: blocks become smaller near the limit. */
const shares = 16;

/**
 * Longest wait of a request for one reservation, milliseconds; after it Redis counts as away and the process decides
 * alone. It is long because a slow Redis may have given the same requests to other processes.
 */
export const reservationDeadline = 2_000;

/** An answer of the store, or an error when Redis is away or late. */
export async function inTime<T>(clock: Clock, answer: Promise<T>): Promise<T | Error> {
  const asked = answer.catch((error: unknown) => new Error(String(error)));
  // In two halves: after a stall of this process a timer fires before an answer that has arrived is read.
  let found = await within(clock, reservationDeadline / 2, asked);
  if (found === late) found = await within(clock, reservationDeadline / 2, asked);
  return found === late ? new Error('no answer in time') : found;
}

/** The report and request of a process about one account or address. */
export interface Settlement {
  /** Grows with every settlement of the process, whichever account it is of. */
  number: number;
  /** Identifies the account or address. */
  subject: string;
  /** Requests a window. */
  limit: number;
  /** Requests that wait to be admitted; 0 asks for none. A block may be larger, but never larger than the rest. */
  want: number;
  /** The window of `back` and `used`; empty when the process knows none, for example after an outage. */
  window: string;
  /** Reserved requests that are returned. */
  back: number;
  /** Admitted without a reservation, while Redis was away. */
  owed: number;
  /** Admitted since the last settlement, by key id. */
  used: ReadonlyMap<string, number>;
}

/** The window in Redis after a settlement. */
export interface QuotaWindow {
  window: string;
  /** Requests that this process may admit now. */
  granted: number;
  /** Requests that no process has used or reserved. */
  rest: number;
  /** Milliseconds to the end of the window. */
  resetIn: number;
}

/** The use of one window. */
export interface Usage {
  /** Admitted requests, as reported by the processes so far. */
  used: number;
  /** Milliseconds to the end of the window; null when none is open. */
  resetIn: number | null;
  /** By key id; requests by other credentials are in `used` only. */
  keys: Map<string, number>;
}

/** The store of windows. All methods reject when Redis is away. */
export interface QuotaStore {
  /** Null when there is no window and nothing opens one. */
  settle(settlement: Settlement): Promise<QuotaWindow | null>;
  /**
   * Of a settlement whose answer did not come, the latest of its account: returns what it has reserved, carries its
   * return out where that was not done, and keeps it from being carried out later. Whether it has reported its uses.
   */
  undo(settlement: Settlement): Promise<boolean>;
  usage(subject: string): Promise<Usage>;
}

/**
 * A window begins with the first reservation and ends by the clock of Redis, so the clocks of processes do not matter.
 * The field of a process (ARGV 8) holds the number of its latest settlement and what that has reserved.
 */
const settleScript = script(`
local limit, want, share = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[7])
local window = redis.call('HGET', KEYS[1], 'window')
local latest = redis.call('HGET', KEYS[1], ARGV[8])
if latest and tonumber(string.match(latest, '^%d+')) >= tonumber(ARGV[9]) then return false end
if not window then
  if want == 0 and ARGV[5] == '0' then return false end
  local time = redis.call('TIME')
  window = time[1] .. '.' .. time[2]
  redis.call('HSET', KEYS[1], 'window', window)
  redis.call('PEXPIRE', KEYS[1], ARGV[6])
end
if ARGV[3] == window or ARGV[3] == '' then
  redis.call('HINCRBY', KEYS[1], 'reserved', ARGV[5] - ARGV[4])
  for i = 10, #ARGV, 2 do
    redis.call('HINCRBY', KEYS[1], 'used', ARGV[i + 1])
    redis.call('HINCRBY', KEYS[1], 'key:' .. ARGV[i], ARGV[i + 1])
  end
end
local rest = math.max(0, limit - (tonumber(redis.call('HGET', KEYS[1], 'reserved')) or 0))
local granted = 0
if want > 0 then granted = math.min(rest, math.max(want, math.ceil(rest / share))) end
if granted > 0 then redis.call('HINCRBY', KEYS[1], 'reserved', granted) end
redis.call('HSET', KEYS[1], ARGV[8], ARGV[9] .. ' ' .. granted)
return {window, granted, rest - granted, redis.call('PTTL', KEYS[1])}`);

/** KEYS: the window. ARGV: field of the process, number of the settlement, its window, what it returns. */
const undoScript = script(`
local window = redis.call('HGET', KEYS[1], 'window')
if not window then return 0 end
local number, granted = string.match(redis.call('HGET', KEYS[1], ARGV[1]) or '', '^(%d+) (%d+)$')
local done = number == ARGV[2]
local back = 0
if done then back = tonumber(granted) elseif ARGV[3] == window then back = tonumber(ARGV[4]) end
if back > 0 then redis.call('HINCRBY', KEYS[1], 'reserved', -back) end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' 0')
return done and 1 or 0`);

const usageScript = script(`return {redis.call('PTTL', KEYS[1]), redis.call('HGETALL', KEYS[1])}`);

const keyOf = (subject: string) => `quota:${subject}`;

function readStanding(reply: unknown): QuotaWindow | null {
  if (!Array.isArray(reply)) return null;
  const [window, granted, rest, resetIn] = reply.map(String);
  return {
    window: window ?? '',
    granted: Number(granted),
    rest: Number(rest),
    resetIn: Math.max(0, Number(resetIn)),
  };
}

function readUsage(reply: unknown): Usage {
  const [life, fields] = Array.isArray(reply) ? reply : [];
  const keys = new Map<string, number>();
  const usage: Usage = { used: 0, resetIn: Number(life) > 0 ? Number(life) : null, keys };
  const texts: string[] = Array.isArray(fields) ? fields.map(String) : [];
  for (let i = 0; i < texts.length; i += 2) {
    const [name = '', value] = [texts[i], Number(texts[i + 1])];
    if (name === 'used') usage.used = value;
    else if (name.startsWith('key:') && name !== 'key:') keys.set(name.slice(4), value);
  }
  return usage;
}

/** Windows in the Redis at `url`, over their own connection named `name`. */
export function createQuotaStore(options: StoreOptions): ClosableStore {
  const { url, name, log = silent, length = windowLength } = options;
  const redis = connect(url, { name, log });
  const commands = new Commands(redis, [settleScript, undoScript, usageScript]);
  const process = `process:${randomUUID()}`;
  return {
    async settle({ number, subject, limit, want, window, back, owed, used }) {
      const by = [process, number, ...[...used].flat()];
      const args = [limit, want, window, back, owed, length, shares, ...by];
      return readStanding(await commands.run(settleScript, [keyOf(subject)], args));
    },
    async undo({ number, subject, window, back }) {
      const args = [process, number, window, back];
      return (await commands.run(undoScript, [keyOf(subject)], args)) === 1;
    },
    async usage(subject) {
      return readUsage(await commands.run(usageScript, [keyOf(subject)], []));
    },
    close: () => closeAtOnce(redis),
  };
}

export interface StoreOptions {
  /** See `connect`. */
  url: string;
  name: string;
  log?: BusLog;
  /** Of a window, milliseconds; a minute when absent. */
  length?: number;
}

export interface ClosableStore extends QuotaStore {
  close(): void;
}
