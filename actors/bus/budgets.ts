import type { Part, Room, SharedWindow, SharedWindows } from '../kernel/shared-window.ts';
import { budgetKey, pauseKey } from './keys.ts';
import { type Commands, script } from './script.ts';

/**
 * A window in steps, so that it takes one small hash however many requests there were: a step counts until `per` ms after its
 * end, so that no window of `per` ms holds more than the weight. Beside the steps the hash has the part of each process as
 * `WEIGHT:END`: what is not replaced by its end counts for `per` from there. The pause is a text `UNTIL:CODE`, which is never
 * shortened. Times are those of Redis.
 */
const windowScript = script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local most, per, step = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local id, spent, held = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
local least, want, life = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local till, code = string.match(redis.call('GET', KEYS[2]) or '0:', '^(%d+):(.*)$')
if tonumber(ARGV[10]) > 0 and now + ARGV[10] > tonumber(till) then
  till, code = now + ARGV[10], ARGV[11]
  redis.call('SET', KEYS[2], string.format('%.0f:%s', till, code), 'PX', ARGV[10])
end
if spent > 0 then
  redis.call('HINCRBYFLOAT', KEYS[1], string.format('%.0f', math.floor(now / step)), spent)
end
local entries, used = {}, 0
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local of, ends = string.match(all[i + 1], '^(.+):(.+)$')
  local over = (ends and tonumber(ends) or (tonumber(all[i]) + 1) * step) + per
  if over <= now then
    redis.call('HDEL', KEYS[1], all[i])
  elseif all[i] ~= id then
    of = tonumber(of or all[i + 1])
    used = used + of
    entries[#entries + 1] = { math.min(over, ends and now + per or over), of }
  end
end
local wait = 0
if used + least <= most then
  held = math.max(held, math.min(want, most - used))
elseif least > held then
  wait = 1
  table.sort(entries, function(a, b) return a[1] < b[1] end)
  for _, entry in ipairs(entries) do
    used = used - entry[2]
    if used + least <= most then
      wait = math.max(1, math.ceil(entry[1] - now))
      break
    end
  end
end
if held > 0 then
  redis.call('HSET', KEYS[1], id, string.format('%.17g:%.0f', held, now + life))
else
  redis.call('HDEL', KEYS[1], id)
end
local keep = math.ceil(per + math.max(2 * step, held > 0 and life or 0))
if redis.call('PTTL', KEYS[1]) < keep then redis.call('PEXPIRE', KEYS[1], keep) end
return string.format('%.17g %.0f %.0f %s', held, wait, math.max(0, till - now), code)`);

export const budgetScripts = [windowScript];

/** Steps of a window. */
const steps = 60;

/** Budgets of upstreams that all processes of one Redis share. */
export const createBudgets = (commands: Commands): SharedWindows => ({
  async sync({ name, api, weight, per }: SharedWindow, part: Part): Promise<Room> {
    const { id, spent, held, least, want, life, pause } = part;
    const step = Math.max(1, Math.ceil(per / steps));
    const args = [weight, Math.ceil(per), step, id, spent, held, least, want, Math.ceil(life)];
    const asked = [Math.ceil(pause?.ms ?? 0), pause?.code ?? ''];
    const keys = [budgetKey(name), pauseKey(api)];
    const words = `${await commands.run(windowScript, keys, [...args, ...asked])}`.split(' ');
    const [now = 0, wait = 0, ms = 0] = words.map(Number);
    const code = words[3] === 'banned' ? 'banned' : 'rate_limited';
    return { held: now, wait, pause: ms > 0 ? { ms, code } : null };
  },
});
