/** From the fields of a query's entry to the bytes of its reply. */
import { beyond, failed, type Result } from '../failure.ts';
import { late, within } from '../kernel/clock.ts';
import { Slots } from '../kernel/slots.ts';
import type { Asking, Params, QueryName, Reply, ReplyOf } from '../topics/index.ts';
import { decode, type Entry, encodeResult, readNumber } from './codec.ts';
import { reason } from './log.ts';
import type { BusContext } from './loop.ts';

/** Answers one query of a source. */
export type Answer<N extends QueryName> = (
  params: Params<N>,
  asking: Asking,
) => Promise<Result<ReplyOf<N>>>;

/** The answers to the queries of a source, by name: for `satisfies`, where all names are known. */
export type Answers = { [N in QueryName]?: Answer<N> };

/** The same as the bus takes it: a value from the wire has the type that its sender gave it. */
export type AnyAnswers = Readonly<
  Record<string, ((params: never, asking: Asking) => Promise<Result<Reply<unknown>>>) | undefined>
>;

/** A query as its entry holds it. */
interface Asked {
  name: string;
  params: never;
}

export class Responder {
  readonly #context: BusContext;
  readonly #source: string;
  readonly #answers: AnyAnswers;
  readonly #slots: Slots;

  /** `concurrency`: queries at a time. */
  constructor(
    context: BusContext,
    source: string,
    answers: Answers | AnyAnswers,
    concurrency: number,
  ) {
    this.#context = context;
    this.#source = source;
    this.#answers = answers;
    this.#slots = new Slots(concurrency);
  }

  /** The encoded Result of a query that has waited so long, ms, or null when the deadline passed before there was one. Never rejects. */
  async respond(fields: Entry['fields'], waited: number): Promise<Buffer | null> {
    const { clock } = this.#context;
    const left = readNumber(fields?.get('within')) - waited;
    const payload = fields?.get('data');
    if (!payload || !(left > 0)) return null;
    const account = fields?.get('for')?.toString() ?? '';
    if (account !== '' && !this.#slots.enter(account)) {
      const bound = this.#slots.heldBy(account, `questions at ${this.#source}`);
      return encodeResult(beyond(bound, { retryAfter: 1_000 }));
    }
    const deadline = clock.monotonic() + left;
    const reply = await within(clock, left, this.#reply(payload, { deadline, account }));
    this.#slots.leave(account);
    return reply === late ? null : reply;
  }

  async #reply(payload: Buffer, asking: Asking): Promise<Buffer> {
    let asked: Asked;
    try {
      asked = decode<Asked>(payload);
    } catch (error) {
      return encodeResult(failed('shape', `unreadable query: ${reason(error)}`));
    }
    const { name, params } = asked;
    const answer = Object.hasOwn(this.#answers, name) ? this.#answers[name] : undefined;
    if (!answer) return encodeResult(failed('refused', `${this.#source} does not answer this`));
    try {
      return encodeResult(await answer(params, asking));
    } catch (error) {
      const fields = { source: this.#source, name, error: reason(error) };
      this.#context.log.error(fields, 'a handler threw');
      return encodeResult(failed('unavailable', 'the answering process failed'));
    }
  }
}

/** Reads entries that were delivered to this process and are still pending. */
export const own = '0-0';

/** A source that this process serves. */
export interface Serving {
  /** Resolves when its queries are read for the first time; when stopped before, then too. */
  readonly ready: Promise<void>;
  /** Reads no more, finishes what is in progress within five seconds and leaves the rest to others. */
  stop(): Promise<void>;
}

/** The state of one served source. */
export class Source {
  readonly name: string;
  readonly responder: Responder;
  readonly ready = Promise.withResolvers<void>();
  /** Where the next read begins. */
  cursor = own;
  /** Whether its group is known to exist. */
  joined = false;
  /** A query that this process read could not be finished: it is pending without a worker. */
  dropped = false;
  inProgress = 0;
  /** A read that may deliver queries is under way. */
  inRead = false;
  readonly #concurrency: number;

  constructor(name: string, responder: Responder, concurrency: number) {
    this.name = name;
    this.responder = responder;
    this.#concurrency = concurrency;
  }

  /** How many more queries may be read. */
  get room(): number {
    return this.#concurrency - this.inProgress;
  }
}
