/** Signs of life of the processes that serve queries, and the transfer of pending queries from dead to living ones. */
import type { Clock } from '../kernel/clock.ts';
import { type Entry, readEntries } from './codec.ts';
import { aliveKey, aliveLife, group, queryKey } from './keys.ts';
import { type Commands, script } from './script.ts';

/** Claims entries pending at consumers without an `alive:` key, at most ARGV[3], and removes consumers left empty. */
const claimScript = script(`
local consumers = redis.pcall('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])
if consumers.err then return {} end
local taken = {}
for _, row in ipairs(consumers) do
  local consumer = {}
  for i = 1, #row, 2 do consumer[row[i]] = row[i + 1] end
  local left, room = consumer.pending, tonumber(ARGV[3]) - #taken
  if consumer.name ~= ARGV[2] and redis.call('EXISTS', 'alive:' .. consumer.name) == 0 then
    if left > 0 and room > 0 then
      local ids = {}
      for _, pending in ipairs(redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', room, consumer.name)) do
        ids[#ids + 1] = pending[1]
      end
      for _, entry in ipairs(redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, unpack(ids))) do
        taken[#taken + 1] = entry
      end
      left = left - #ids
    end
    if left <= 0 then redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], consumer.name) end
  end
end
return taken`);

/** A consumer with something pending stays: deleting it would lose the queries, which others claim. */
const leaveScript = script(`
local consumers = redis.pcall('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])
if consumers.err then return 0 end
for _, row in ipairs(consumers) do
  local consumer = {}
  for i = 1, #row, 2 do consumer[row[i]] = row[i + 1] end
  if consumer.name == ARGV[2] and consumer.pending == 0 then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
  end
end
return 1`);

/** Whether a consumer has an `alive:` key. */
const aliveScript = script(`
local consumers = redis.pcall('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])
if consumers.err then return 0 end
for _, row in ipairs(consumers) do
  for i = 1, #row, 2 do
    if row[i] == 'name' and redis.call('EXISTS', 'alive:' .. row[i + 1]) == 1 then return 1 end
  end
end
return 0`);

export const livenessScripts = [claimScript, leaveScript, aliveScript];

/** How long a look is good for, ms: Redis is asked once in that time, however many questions wait. */
const lookLife = 1_000;

/** Which sources are served, as this process has seen within the last second. */
export class Presence {
  readonly #commands: Commands;
  readonly #clock: Clock;
  readonly #looks = new Map<string, { at: number; found: Promise<boolean> }>();

  constructor(commands: Commands, clock: Clock) {
    this.#commands = commands;
    this.#clock = clock;
  }

  /** Whether a process with a sign of life serves a source. Rejects when Redis is away. */
  served(source: string): Promise<boolean> {
    const now = this.#clock.monotonic();
    const last = this.#looks.get(source);
    if (last && now - last.at < lookLife) return last.found;
    const found = this.#commands
      .run(aliveScript, [queryKey(source)], [group])
      .then((alive) => alive === 1);
    this.#looks.set(source, { at: now, found });
    return found;
  }
}

/** Renews this process's sign of life. */
export async function live(commands: Commands, process: string): Promise<void> {
  await commands.send('SET', aliveKey(process), '1', 'PX', aliveLife);
}

/** Claims at most `most` pending queries of processes that died. */
export async function claim(
  commands: Commands,
  process: string,
  source: string,
  maxEntries: number,
): Promise<Entry[]> {
  return readEntries(
    await commands.run(claimScript, [queryKey(source)], [group, process, maxEntries]),
  );
}

/** Deletes the consumer of a source where nothing is pending. */
export async function leave(commands: Commands, process: string, source: string): Promise<void> {
  await commands.run(leaveScript, [queryKey(source)], [group, process]);
}

/** Deletes the `alive:` key: entries still pending may be claimed at once. */
export async function die(commands: Commands, process: string): Promise<void> {
  await commands.send('DEL', aliveKey(process));
}

/** Creates the group where it is missing; it begins with the oldest query in the stream. */
export async function join(commands: Commands, source: string): Promise<void> {
  try {
    await commands.send('XGROUP', 'CREATE', queryKey(source), group, '0', 'MKSTREAM');
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('BUSYGROUP')) throw error;
  }
}
