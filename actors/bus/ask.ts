import { randomBytes } from 'node:crypto';
import { failed, type Result } from '../failure.ts';
import type { Cancel } from '../kernel/clock.ts';
import { type Ask, type Asks, asks } from '../topics.ts';
import { decodeResult, encode, readNumber, readStreams } from './codec.ts';
import { askKey, askLength, block, replyKey } from './keys.ts';
import { reason } from './log.ts';
import { type BusContext, Loop } from './loop.ts';
import type { Redis } from './redis.ts';
import { type Commands, script } from './script.ts';

/** Never trims: expired requests make room, and when there are none the request is refused. */
export const askScript = script(`
local length = redis.call('XLEN', KEYS[1])
if length >= tonumber(ARGV[1]) then
  for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 64)) do
    if tonumber(entry[2][6]) <= tonumber(ARGV[2]) then
      length = length - redis.call('XDEL', KEYS[1], entry[1])
    end
  end
  if length >= tonumber(ARGV[1]) then return 0 end
end
redis.call('XADD', KEYS[1], '*', 'id', ARGV[3], 'to', ARGV[4], 'by', ARGV[5], 'data', ARGV[6])
return 1`);

interface Open {
  settle(result: Result<never>): void;
  reply(payload: Buffer): void;
  cancel: Cancel;
}

/** Asks, and reads the replies to this process on a connection made with the first ask. */
export class Asker {
  readonly #context: BusContext;
  readonly #commands: Commands;
  readonly #inFlight: number;
  readonly #open = new Map<string, Open>();
  // Differs between two lives of one process name, so that an old reply is not taken for a new one.
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
    commands.redis.on('close', () => this.#failAll('unavailable', 'connection to Redis lost'));
  }

  /** Asks that wait for a reply. */
  get open(): number {
    return this.#open.size;
  }

  ask<A extends Ask>(
    service: A,
    request: Asks[A]['request'],
    ms: number = asks[service].deadline,
  ): Promise<Result<Asks[A]['reply']>> {
    if (!(ms > 0 && Number.isFinite(ms))) {
      throw new RangeError(`ask: deadline must be a positive number of ms, not ${ms}`);
    }
    if (this.#closed) return Promise.resolve(failed('stopped', 'the bus is closed'));
    if (this.#open.size >= this.#inFlight) {
      const message = `${this.#inFlight} questions are open already`;
      return Promise.resolve(failed('over_budget', message));
    }
    const data = encode(request);
    this.#loop ??= this.#listen();
    const id = `${this.#prefix}${(this.#count++).toString(36)}`;
    return new Promise((resolve) => {
      const settle = (result: Result<Asks[A]['reply']>): void => {
        if (!this.#open.delete(id)) return;
        cancel();
        resolve(result);
      };
      const late = failed('timeout', `${service} did not answer within ${ms} ms`);
      const cancel = this.#context.clock.after(ms, () => settle(late));
      const reply = (payload: Buffer): void => settle(read(payload));
      this.#open.set(id, { settle, reply, cancel });
      void this.#send(service, id, { data, by: this.#context.clock.now() + ms });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#failAll('stopped', 'the bus is closed');
    await this.#loop?.stop();
    if (this.#loop) await this.#commands.send('DEL', this.#key).catch(() => {});
  }

  async #send(service: Ask, id: string, { data, by }: { data: Buffer; by: number }) {
    const now = this.#context.clock.now();
    const args = [askLength, now, id, this.#key, by, data];
    try {
      const written = await this.#commands.run(askScript, [askKey(service)], args);
      if (written !== 0) return;
      const message = `${askLength} questions wait for ${service} already`;
      this.#open.get(id)?.settle(failed('over_budget', message));
    } catch (error) {
      this.#open.get(id)?.settle(failed('unavailable', `not asked: ${reason(error)}`));
    }
  }

  #listen(): Loop {
    return new Loop(this.#context, {
      name: 'replies',
      blocking: block,
      begin: async () => {
        this.#handled = null;
      },
      round: (redis) => this.#round(redis),
      down: () => this.#failAll('unavailable', 'connection to Redis lost'),
    });
  }

  /**
   * What was handled is trimmed just before the next read, on the same connection, so that every read begins
   * at the start of the stream: no position to lose when Redis is wiped or its clock goes back.
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
      if (payload) this.#open.get(String(fields?.get('id')))?.reply(payload);
    }
  }

  #failAll(code: 'unavailable' | 'stopped', message: string): void {
    for (const { settle } of this.#open.values()) settle(failed(code, message));
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
