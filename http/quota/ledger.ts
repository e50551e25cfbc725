/** What a process has stated to Redis in the windows that are open: a fail-over may lose the latest of it, which is then stated again. */
import { type Commands, script } from '../../actors/bus/script.ts';
import { BoundedMap } from '../wire/bounded-map.ts';

/** The effect of one settlement. */
export interface Statement {
  number: number;
  /** Requests that were reserved, less those that were returned. */
  reserved: number;
  /** Admitted, by key id. */
  used: ReadonlyMap<string, number>;
}

interface Account {
  window: string;
  /** The oldest first. */
  readonly statements: Statement[];
}

/** Subjects whose open windows are known. */
const capacity = 50_000;
/** Subjects that are looked at together after a connection. */
const step = 500;

/**
 * Begins a script: it ends with `{'lost', NUMBER}` where the window does not have the statements of the process after that
 * number, and is not over. ARGV: the field of the process, number of its latest statement (0 without one), the window of that,
 * and the length of windows.
 */
export const lossCheck = `
local number = 0
if ARGV[2] ~= '0' then
  local have = redis.call('HMGET', KEYS[1], 'window', ARGV[1])
  if have[1] == ARGV[3] then number = tonumber(string.match(have[2] or '0', '^%d+')) end
  if number < tonumber(ARGV[2]) then
    local time = redis.call('TIME')
    local seconds, micros = string.match(ARGV[3], '^(%d+)%.(%d+)$')
    if (time[1] - seconds) * 1000 + (time[2] - micros) / 1000 < tonumber(ARGV[4]) then return {'lost', number} end
  end
end
`;

const lossScript = script(`${lossCheck} return 0`);

/**
 * States again what was lost, once, in the window that it was stated in where Redis has none. ARGV: as of `lossCheck`, the number
 * that was found, the requests reserved, then key ids and uses. The window.
 */
const restateScript = script(`
local window = redis.call('HGET', KEYS[1], 'window')
local latest = redis.call('HGET', KEYS[1], ARGV[1])
if window and tonumber(string.match(latest or '0', '^%d+')) ~= tonumber(ARGV[5]) then return window end
if not window then
  window = ARGV[3]
  local seconds, micros = string.match(window, '^(%d+)%.(%d+)$')
  redis.call('HSET', KEYS[1], 'window', window)
  redis.call('PEXPIREAT', KEYS[1], math.floor(seconds * 1000 + micros / 1000 + ARGV[4]))
end
redis.call('HINCRBY', KEYS[1], 'reserved', ARGV[6])
for i = 7, #ARGV, 2 do
  redis.call('HINCRBY', KEYS[1], 'used', ARGV[i + 1])
  redis.call('HINCRBY', KEYS[1], 'key:' .. ARGV[i], ARGV[i + 1])
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' 0')
return window`);

export const ledgerScripts = [lossScript, restateScript];

const keyOf = (subject: string) => `quota:${subject}`;

/** The effect of several settlements. */
function sumOf(statements: readonly Statement[]): Omit<Statement, 'number'> {
  const used = new Map<string, number>();
  let reserved = 0;
  for (const one of statements) {
    reserved += one.reserved;
    for (const [key, count] of one.used) used.set(key, (used.get(key) ?? 0) + count);
  }
  return { reserved, used };
}

export class QuotaLedger {
  readonly #commands: Commands;
  /** Field of the process in the hashes of windows. */
  readonly #field: string;
  /** Of windows, ms. */
  readonly #length: number;
  readonly #accounts = new BoundedMap<string, Account>({ entries: capacity });

  constructor(commands: Commands, field: string, length: number) {
    this.#commands = commands;
    this.#field = field;
    this.#length = length;
    let isFirst = true;
    commands.redis.on('ready', () => {
      if (!isFirst) void this.#restateAll();
      isFirst = false;
    });
  }

  /**
   * Runs a script that begins with `lossCheck`, after what was lost has been stated again. Rejects when Redis is away.
   */
  async run(
    of: Parameters<Commands['run']>[0],
    subject: string,
    args: readonly (string | number)[],
  ): Promise<unknown> {
    const attempt = () =>
      this.#commands.run(of, [keyOf(subject)], [...this.#last(subject), ...args]);
    const reply = await attempt();
    if (!isLoss(reply)) return reply;
    await this.#restate(subject, Number(reply[1]));
    return attempt();
  }

  /** Keeps what a settlement has stated in a window. */
  note(subject: string, window: string, statement: Statement): void {
    const known = this.#accounts.get(subject);
    if (known?.window === window) known.statements.push(statement);
    else this.#accounts.set(subject, { window, statements: [statement] });
  }

  #last(subject: string): (string | number)[] {
    const known = this.#accounts.get(subject);
    const number = known?.statements.at(-1)?.number ?? 0;
    return [this.#field, number, known?.window ?? '', this.#length];
  }

  /** States what came after a number again. */
  async #restate(subject: string, number: number): Promise<void> {
    const account = this.#accounts.get(subject);
    if (account === undefined) return;
    const lost = sumOf(account.statements.filter((one) => one.number > number));
    const args = [...this.#last(subject), number, lost.reserved, ...[...lost.used].flat()];
    account.window = String(await this.#commands.run(restateScript, [keyOf(subject)], args));
  }

  /** After a connection, which may lead to another server. */
  async #restateAll(): Promise<void> {
    const subjects = [...this.#accounts.keys()];
    for (let at = 0; at < subjects.length; at += step) {
      const part = subjects.slice(at, at + step);
      await Promise.all(part.map((subject) => this.run(lossScript, subject, []).catch(() => {})));
    }
  }
}

const isLoss = (reply: unknown): reply is unknown[] =>
  Array.isArray(reply) && String(reply[0]) === 'lost';
