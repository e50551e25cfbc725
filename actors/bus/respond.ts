/** From the fields of a request entry to the bytes of its reply. */
import { failed, type Result } from '../failure.ts';
import { late, within } from '../kernel/clock.ts';
import { type Ask, type Asks, asks } from '../topics.ts';
import { decode, type Entry, encode, readNumber } from './codec.ts';
import { reason } from './log.ts';
import type { BusContext } from './loop.ts';

/** What answers each service. It should end by `deadline` (Unix ms): what comes later is thrown away. */
export type Answers = {
  [A in Ask]?: (
    request: Asks[A]['request'],
    context: { deadline: number },
  ) => Promise<Result<Asks[A]['reply']>>;
};

/** The services that `answers` has a handler for. */
export function servicesOf(answers: Answers): Ask[] {
  const names: Ask[] = [];
  let service: Ask;
  for (service in asks) if (answers[service]) names.push(service);
  return names;
}

export class Responder {
  /** Calls of a handler that threw. */
  thrown = 0;
  readonly #context: BusContext;
  readonly #answers: Answers;

  constructor(context: BusContext, answers: Answers) {
    this.#context = context;
    this.#answers = answers;
  }

  /** The encoded Result, or null when the deadline passed before there was one. Never rejects. */
  async respond(service: Ask, fields: Entry['fields']): Promise<Buffer | null> {
    const { clock } = this.#context;
    const deadline = readNumber(fields?.get('by'));
    const payload = fields?.get('data');
    const left = deadline - clock.now();
    if (!payload || !(left > 0)) return null;
    const reply = await within(clock, left, this.#reply(service, payload, deadline));
    return reply === late ? null : reply;
  }

  async #reply<A extends Ask>(service: A, payload: Buffer, deadline: number): Promise<Buffer> {
    let request: Asks[A]['request'];
    try {
      request = decode<Asks[A]['request']>(payload);
    } catch (error) {
      return encode(failed('shape', `unreadable request: ${reason(error)}`));
    }
    try {
      const handler: Answers[A] = this.#answers[service];
      return encode(await handler?.(request, { deadline }));
    } catch (error) {
      this.thrown += 1;
      this.#context.log.error({ service, error: reason(error) }, 'a handler threw');
      return encode(failed('unavailable', 'the answering process failed'));
    }
  }
}
