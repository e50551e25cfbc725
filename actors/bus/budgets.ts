import type { Room, SharedWindow, SharedWindows } from '../kernel/shared-window.ts';
import { budgetKey, pauseKey } from './keys.ts';
import { type Commands, script } from './script.ts';

/**
 * A window is a hash from a step of time to the weight that counts until the end of that step, so that it stays small however many
 * requests there are. A request counts from its turn until `per` ms after its end; one that never ends, until `per` ms after its
 * longest life. Times are those of Redis.
 */
const window = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local per, step = tonumber(ARGV[1]), tonumber(ARGV[2])
local function held()
  local entries, used, all = {}, 0, redis.call('HGETALL', KEYS[1])
  for i = 1, #all, 2 do
    local over, weight = (tonumber(all[i]) + 1) * step, tonumber(all[i + 1])
    if over <= now then
      redis.call('HDEL', KEYS[1], all[i])
    else
      used = used + weight
      entries[#entries + 1] = { math.min(over, now + per), weight }
    end
  end
  return entries, used
end
local function hold(weight, ms)
  local place = string.format('%.0f', math.floor((now + ms) / step))
  redis.call('HINCRBYFLOAT', KEYS[1], place, weight)
  local keep = math.ceil(ms + 2 * step)
  if redis.call('PTTL', KEYS[1]) < keep then redis.call('PEXPIRE', KEYS[1], keep) end
  return place
end
local till, code, probed = string.match(redis.call('GET', KEYS[2]) or '0::0', '^(%d+):(.*):(%d+)$')
till = tonumber(till)`;

/** How long the first request after a pause is waited for, and for how long the others then wait before they ask again, ms. */
const probe = { life: 5_000, wait: 200 };
/** How long an API remembers that it was asked for silence, after the end of that, ms. */
const memory = 3_600_000;

/** Answers `PLACE WAIT PAUSE CODE`. What is larger than the window takes all of it. */
const takeScript = script(`${window}
local most, weight, life = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
if now < till then return string.format('- 0 %.0f %s', till - now, code) end
if now < tonumber(probed) then return '- ${probe.wait} 0 -' end
local entries, used = held()
if used > 0 and used + weight > most + 1e-9 then
  table.sort(entries, function(a, b) return a[1] < b[1] end)
  local over = now
  for _, entry in ipairs(entries) do
    over, used = entry[1], used - entry[2]
    if used + weight <= most then break end
  end
  return string.format('- %.0f 0 -', math.max(1, math.ceil(over - now)))
end
if till > 0 then
  redis.call('SET', KEYS[2], string.format('%.0f:%s:%.0f', till, code, now + ${probe.life}), 'PX', ${memory})
end
return hold(weight, life + per) .. ' 0 0 -'`);

const endScript = script(`${window}
local place, weight, keep = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
if place ~= '-' and tonumber(redis.call('HINCRBYFLOAT', KEYS[1], place, -weight)) < 1e-9 then
  redis.call('HDEL', KEYS[1], place)
end
if keep > 0 then hold(weight, keep) end
local stated = tonumber(ARGV[7])
if stated > 0 then
  local _, used = held()
  if stated > used then hold(stated - used, per) end
end
if ARGV[6] == '1' and till > 0 and till <= now then redis.call('DEL', KEYS[2]) end`);

/** The pause is a text `UNTIL:CODE:PROBED`, the last for how long the request after it is waited for. */
const pauseScript = script(`
local time = redis.call('TIME')
local till = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
local known = string.match(redis.call('GET', KEYS[1]) or '0', '^%d+')
if till > tonumber(known) then
  redis.call('SET', KEYS[1], string.format('%.0f:%s:0', till, ARGV[2]), 'PX', ARGV[1] + ${memory})
end`);

export const budgetScripts = [takeScript, endScript, pauseScript];

/** Steps of a window. */
const steps = 60;

/** Budgets of upstreams, for all processes of one Redis whose requests leave from the address of that name. Null: all. */
export function createBudgets(commands: Commands, address: string | null): SharedWindows {
  const from = address === null ? '' : `${address}/`;
  const keys = ({ name, api }: SharedWindow) => [budgetKey(from, name), pauseKey(from, api)];
  const times = ({ per }: SharedWindow) => [Math.ceil(per), Math.max(1, Math.ceil(per / steps))];
  return {
    async take(window, { weight, life }): Promise<Room> {
      const args = [...times(window), window.weight, weight, Math.ceil(life)];
      const reply = `${await commands.run(takeScript, keys(window), args)}`;
      const [place = '-', wait, ms, code] = reply.split(' ');
      return {
        place: place === '-' ? null : Number(place),
        wait: Number(wait),
        pause:
          Number(ms) > 0
            ? { ms: Number(ms), code: code === 'banned' ? 'banned' : 'rate_limited' }
            : null,
      };
    },
    async end(window, { place, weight, keep, isAnswer, stated }) {
      const args = [place ?? '-', weight, Math.ceil(keep), isAnswer ? 1 : 0, stated];
      await commands.run(endScript, keys(window), [...times(window), ...args]);
    },
    async pause(api, { ms, code }) {
      await commands.run(pauseScript, [pauseKey(from, api)], [Math.ceil(ms), code]);
    },
  };
}
