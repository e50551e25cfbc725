import { randomBytes } from 'node:crypto';
import { beyond, failed, type Result } from '../failure.ts';
import type { Cancel } from '../kernel/clock.ts';
import { deadlineOf, type Query, type QueryName, type ReplyOf } from '../topics/index.ts';
import { decodeResult, encode, readNumber, readStreams } from './codec.ts';
import { block, queryKey, queryLength, replyKey } from './keys.ts';
import { reason } from './log.ts';
import { type BusContext, Loop } from './loop.ts';
import type { Redis } from './redis.ts';
import { type Commands, script } from './script.ts';

/** The stream is never trimmed: expired queries make room, and when there are none the query is refused. */
export const queryScript = script(`
local length = redis.call('XLEN', KEYS[1])
if length >= tonumber(ARGV[1]) then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + time[2] / 1000
  for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 64)) do
    if tonumber(string.match(entry[1], '%d+')) + tonumber(entry[2][6]) <= now then
      length = length - redis.call('XDEL', KEYS[1], entry[1])
    end
  end
  if length >= tonumber(ARGV[1]) then return 0 end
end
redis.call('XADD', KEYS[1], '*', 'id', ARGV[2], 'to', ARGV[3], 'within', ARGV[4], 'data', ARGV[5], 'for', ARGV[6])
return 1`);

/** How a query is asked. */
export interface QueryOptions {
  /** Milliseconds; that of `deadlineOf` when absent. */
  deadline?: number;
  /** Opaque id of the account that asks, for its fair share of the source; the service itself when absent. */
  account?: string;
}

/**
 * A query that waits for its reply, which it does not hold once it is settled: the tables that a Map has outgrown keep
 * their entries, and each leads to the next one, so that after a collection of the whole heap every reply of the following
 * seconds would be kept until the next such collection, which they then cause.
 */
class Open {
  /** Ends the deadline. */
  cancel: Cancel = () => {};
  #resolve: ((result: Result<never>) => void) | null;

  constructor(resolve: (result: Result<never>) => void) {
    this.#resolve = resolve;
  }

  settle(result: Result<never>): void {
    this.cancel();
    this.#resolve?.(result);
    this.#resolve = null;
  }
}

/** Sends queries, and reads the replies to this process on a connection made with the first query. */
export class Querier {
  readonly #context: BusContext;
  readonly #commands: Commands;
  readonly #inFlight: number;
  readonly #open = new Map<string, Open>();
  // Differs after a restart under the same process name, so that an old reply is not taken for a new one.
  readonly #prefix = randomBytes(6).toString('base64url');
  readonly #key: string;
  #count = 0;
  #loop: Loop | null = null;
  #closed = false;
  /** Replies up to this one were handled and are to be trimmed. */
  #handled: string | null = null;

  constructor(context: BusContext, commands: Commands, inFlight: number) {
    this.#context = context;
    this.#commands = commands;
    this.#inFlight = inFlight;
    this.#key = replyKey(context.process);
    commands.redis.on('close', () => this.#failAll('redis_away', 'connection to Redis lost'));
  }

  query<N extends QueryName>(
    { source, name, params }: Query<N>,
    { deadline: ms = deadlineOf(name), account = '' }: QueryOptions = {},
  ): Promise<Result<ReplyOf<N>>> {
    if (this.#closed) return Promise.resolve(failed('stopped', 'the bus is closed'));
    if (this.#open.size >= this.#inFlight) {
      const bound = `${this.#inFlight} questions of this process wait for their answers already`;
      return Promise.resolve(beyond(bound));
    }
    const data = encode({ name, params });
    this.#loop ??= this.#listen();
    const id = `${this.#prefix}${(this.#count++).toString(36)}`;
    return new Promise((resolve) => {
      const open = new Open(resolve);
      this.#open.set(id, open);
      const late = beyond(`nothing answered for ${source} within ${ms} ms`, {}, 'unanswered');
      open.cancel = this.#context.clock.after(ms, () => this.#settle(id, late));
      void this.#send(source, id, { data, ms, account });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#failAll('stopped', 'the bus is closed');
    await this.#loop?.stop();
    if (this.#loop) await this.#commands.send('DEL', this.#key).catch(() => {});
  }

  async #send(
    source: string,
    id: string,
    { data, ms, account }: { data: Buffer; ms: number; account: string },
  ) {
    const args = [queryLength, id, this.#key, ms, data, account];
    try {
      const written = await this.#commands.write(queryScript, [queryKey(source)], args);
      if (written !== 0) return;
      this.#settle(id, beyond(`${queryLength} questions wait for ${source} already`));
    } catch (error) {
      this.#settle(id, failed('redis_away', `not asked: ${reason(error)}`));
    }
  }

  #settle(id: string, result: Result<never>): void {
    const open = this.#open.get(id);
    this.#open.delete(id);
    open?.settle(result);
  }

  #listen(): Loop {
    return new Loop(this.#context, {
      name: 'replies',
      blocking: block,
      begin: async () => {
        this.#handled = null;
      },
      round: (redis) => this.#round(redis),
      down: () => this.#failAll('redis_away', 'connection to Redis lost'),
    });
  }

  /**
   * Handled entries are trimmed just before the next read, on the same connection, so that every read begins
   * at the start of the stream: so no position is lost when Redis is wiped or its clock goes back.
   */
  async #round(redis: Redis): Promise<void> {
    const from = ['COUNT', 512, 'BLOCK', block, 'STREAMS', this.#key, '0-0'];
    const trimmed = this.#handled
      ? redis.callBuffer('XTRIM', this.#key, 'MINID', following(this.#handled))
      : null;
    const [reply] = await Promise.all([redis.callBuffer('XREAD', ...from), trimmed]);
    this.#handled = null;
    for (const { id, fields } of readStreams(reply).get(this.#key) ?? []) {
      this.#handled = id;
      const payload = fields?.get('data');
      const of = String(fields?.get('id'));
      if (payload && this.#open.has(of)) this.#settle(of, read(payload));
    }
  }

  #failAll(code: 'redis_away' | 'stopped', message: string): void {
    for (const id of [...this.#open.keys()]) this.#settle(id, failed(code, message));
  }
}

function read<T>(payload: Buffer): Result<T> {
  try {
    return decodeResult<T>(payload);
  } catch (error) {
    return failed('shape', `unreadable reply: ${reason(error)}`);
  }
}

/** The lowest stream id above `id`. */
function following(id: string): string {
  const [ms = '0', n] = id.split('-');
  return `${ms}-${readNumber(Buffer.from(n ?? '0')) + 1}`;
}
