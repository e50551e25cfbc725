/** Who answers, who has died, and who takes over what the dead left behind. */
import { type Entry, readEntries } from './codec.ts';
import { aliveKey, aliveLife, askKey, group } from './keys.ts';
import { type Commands, script } from './script.ts';

/** Gives the caller what is pending at consumers without a sign of life, at most ARGV[3], and removes those left empty. */
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

/** A consumer with something pending stays, or the requests would be lost with it; others claim them. */
const leaveScript = script(`
redis.call('DEL', KEYS[1])
for i = 2, #KEYS do
  local consumers = redis.pcall('XINFO', 'CONSUMERS', KEYS[i], ARGV[1])
  if not consumers.err then
    for _, row in ipairs(consumers) do
      local consumer = {}
      for j = 1, #row, 2 do consumer[row[j]] = row[j + 1] end
      if consumer.name == ARGV[2] and consumer.pending == 0 then
        redis.call('XGROUP', 'DELCONSUMER', KEYS[i], ARGV[1], ARGV[2])
      end
    end
  end
end
return 1`);

export const livenessScripts = [claimScript, leaveScript];

/** Renews this process's sign of life. */
export async function live(commands: Commands, process: string): Promise<void> {
  await commands.send('SET', aliveKey(process), '1', 'PX', aliveLife);
}

/** Takes over at most `most` requests of answerers that died. */
export async function claim(
  commands: Commands,
  process: string,
  service: string,
  most: number,
): Promise<Entry[]> {
  return readEntries(await commands.run(claimScript, [askKey(service)], [group, process, most]));
}

/** Withdraws the sign of life, and the consumer where nothing is pending. */
export async function leave(
  commands: Commands,
  process: string,
  services: readonly string[],
): Promise<void> {
  await commands.run(leaveScript, [aliveKey(process), ...services.map(askKey)], [group, process]);
}

/** Creates the group where it is missing; it begins with the oldest request there is. */
export async function join(commands: Commands, services: readonly string[]): Promise<void> {
  for (const service of services) {
    try {
      await commands.send('XGROUP', 'CREATE', askKey(service), group, '0', 'MKSTREAM');
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('BUSYGROUP')) throw error;
    }
  }
}
