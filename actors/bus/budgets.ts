import type { Hold, SharedWindow, SharedWindows } from '../kernel/shared-window.ts';
import { readNumber } from './codec.ts';
import { budgetKey } from './keys.ts';
import { type Commands, script } from './script.ts';

/**
 * A window in steps, so that it takes one small hash however many requests there were: a step counts until `per` ms after its
 * end, so that no window of `per` ms holds more than the weight. Beside the steps the hash has the holds, each as
 * `WEIGHT:END`: what is not settled by its end counts for `per` from there. Times are those of Redis. A weight of 0 holds
 * nothing; `spent` is below 0 where no hold has ended.
 */
const windowScript = script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local most, per, step = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local id, spent, weight, life = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local function keep(ms)
  if redis.call('PTTL', KEYS[1]) < ms then redis.call('PEXPIRE', KEYS[1], math.ceil(ms)) end
end
if spent >= 0 then redis.call('HDEL', KEYS[1], id) end
if spent > 0 then
  redis.call('HINCRBYFLOAT', KEYS[1], string.format('%.0f', math.floor(now / step)), spent)
  keep(per + 2 * step)
end
if weight == 0 then return 0 end
local entries, used = {}, 0
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local held, till = string.match(all[i + 1], '^(.+):(.+)$')
  local over = (till and tonumber(till) or (tonumber(all[i]) + 1) * step) + per
  if over <= now then
    redis.call('HDEL', KEYS[1], all[i])
  elseif all[i] ~= id then
    local of = tonumber(held or all[i + 1])
    used = used + of
    entries[#entries + 1] = { math.min(over, till and now + per or over), of }
  end
end
if used == 0 or used + weight <= most then
  redis.call('HSET', KEYS[1], id, ARGV[6] .. ':' .. string.format('%.0f', now + life))
  keep(life + per)
  return 0
end
table.sort(entries, function(a, b) return a[1] < b[1] end)
for _, entry in ipairs(entries) do
  used = used - entry[2]
  if used <= 0 or used + weight <= most then return math.max(1, math.ceil(entry[1] - now)) end
end
return 1`);

export const budgetScripts = [windowScript];

/** Steps of a window. */
const steps = 60;

/** Budgets of upstreams that all processes of one Redis share. */
export function createBudgets(commands: Commands): SharedWindows {
  const run = async (
    name: string,
    { weight: most, per }: SharedWindow,
    hold: Hold & { spent: number },
  ) => {
    const step = Math.max(1, Math.ceil(per / steps));
    const { id, spent, weight, life } = hold;
    const args = [most, Math.ceil(per), step, id, spent, weight, Math.ceil(life)];
    return readNumber(await commands.run(windowScript, [budgetKey(name)], args));
  };
  return {
    hold: (name, budget, wanted) => run(name, budget, { ...wanted, spent: -1 }),
    async settle(name, budget, { id, spent, next }) {
      const wait = await run(name, budget, { weight: 0, life: 0, ...next, id, spent });
      return next !== null && wait === 0;
    },
  };
}
