import { readNumber } from './codec.ts';
import { budgetKey } from './keys.ts';
import { type Commands, script } from './script.ts';

/**
 * A window in steps, so that it takes one small hash however many requests there are: a step counts until `per` ms after
 * its end, so that no window of `per` ms holds more than the weight. Times are those of Redis.
 */
const takeScript = script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local most, per, step, weight = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local entries, used = {}, 0
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local over = (tonumber(all[i]) + 1) * step + per
  if over <= now then
    redis.call('HDEL', KEYS[1], all[i])
  else
    used = used + tonumber(all[i + 1])
    entries[#entries + 1] = { over, tonumber(all[i + 1]) }
  end
end
if used == 0 or used + weight <= most then
  redis.call('HINCRBYFLOAT', KEYS[1], string.format('%.0f', math.floor(now / step)), weight)
  redis.call('PEXPIRE', KEYS[1], math.ceil(per + 2 * step))
  return 0
end
table.sort(entries, function(a, b) return a[1] < b[1] end)
for _, entry in ipairs(entries) do
  used = used - entry[2]
  if used <= 0 or used + weight <= most then return math.max(1, math.ceil(entry[1] - now)) end
end
return 1`);

export const budgetScripts = [takeScript];

/** Steps of a window. */
const steps = 60;

/** Windows of weight that all processes of one Redis share. */
export interface Budgets {
  /**
   * Spends `weight` where no window of `per` ms then holds more than `budget.weight`: 0 when it is spent, else the ms
   * after which there may be room. Rejects when Redis is away.
   */
  take(
    name: string,
    budget: { readonly weight: number; readonly per: number },
    weight: number,
  ): Promise<number>;
}

export const createBudgets = (commands: Commands): Budgets => ({
  async take(name, { weight: most, per }, weight) {
    const step = Math.max(1, Math.ceil(per / steps));
    const args = [most, Math.ceil(per), step, weight];
    return readNumber(await commands.run(takeScript, [budgetKey(name)], args));
  },
});
