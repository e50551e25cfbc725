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

/** The consumers that have an `alive:` key. */
const aliveScript = script(`
local consumers = redis.pcall('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])
if consumers.err then return {} end
local alive = {}
for _, row in ipairs(consumers) do
  for i = 1, #row, 2 do
    if row[i] == 'name' and redis.call('EXISTS', 'alive:' .. row[i + 1]) == 1 then alive[#alive + 1] = row[i + 1] end
  end
end
return alive`);

export const livenessScripts = [claimScript, leaveScript, aliveScript];

/** How the connection ends its name by which a process reads queries; the process comes before. */
export const reader = 'queries';

/** How long a look is good for, ms: Redis is asked once in that time, however many questions wait. */
const lookLife = 1_000;

/**
 * Which sources are served, as this process has seen within the last second. `own` is the name of the connection of the
 * commands: where Redis does not list it, the list says nothing of the others.
 */
export class Presence {
  readonly #commands: Commands;
  readonly #own: string;
  readonly #clock: Clock;
  readonly #looks = new Map<string, { at: number; found: Promise<readonly string[]> }>();

  constructor(commands: Commands, own: string, clock: Clock) {
    this.#commands = commands;
    this.#own = own;
    this.#clock = clock;
  }

  /**
   * Whether a living process serves a source: one with a sign of life whose reader is connected. The connection of a process
   * that was killed ends at once, and that of one which is only busy stays. Rejects when Redis is away.
   */
  async served(source: string): Promise<boolean> {
    const alive = await this.#look(source, () => consumers(this.#commands, source));
    if (alive.length === 0) return false;
    const connected = await this.#look('', () => connections(this.#commands));
    return (
      !connected.includes(this.#own) ||
      alive.some((name) => connected.includes(`${name}/${reader}`))
    );
  }

  #look(what: string, ask: () => Promise<readonly string[]>): Promise<readonly string[]> {
    const now = this.#clock.monotonic();
    const last = this.#looks.get(what);
    if (last && now - last.at < lookLife) return last.found;
    const found = ask();
    this.#looks.set(what, { at: now, found });
    return found;
  }
}

async function consumers(commands: Commands, source: string): Promise<string[]> {
  const alive = await commands.run(aliveScript, [queryKey(source)], [group]);
  return Array.isArray(alive) ? alive.map(String) : [];
}

/** The names of all connections; none where an account of Redis may not list them. */
async function connections(commands: Commands): Promise<string[]> {
  const listed = String(await commands.send('CLIENT', 'LIST').catch(() => ''));
  return Array.from(listed.matchAll(/ name=(\S+)/g), ([, name = '']) => name);
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
