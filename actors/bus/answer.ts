import { type Cancel, within } from '../kernel/clock.ts';
import type { Ask } from '../topics.ts';
import { type Entry, readStreams } from './codec.ts';
import { askKey, beat, block, group, replyLength, replyLife } from './keys.ts';
import { claim, join, leave, live } from './liveness.ts';
import { reason } from './log.ts';
import { type BusContext, Loop } from './loop.ts';
import type { Redis } from './redis.ts';
import { type Answers, Responder, servicesOf } from './respond.ts';
import { type Commands, script } from './script.ts';

export interface AnswerCounts {
  /** Replies sent, failures among them. */
  answered: number;
  /** Requests dropped because their deadline passed, before or while they were worked on. */
  expired: number;
  /** Requests taken over from an answerer that died. */
  claimed: number;
  /** Calls of a handler that threw. */
  thrown: number;
}

export interface Answering {
  /** Resolves when requests are being read for the first time; when stopped before, then too. */
  readonly ready: Promise<void>;
  state(): 'up' | 'down';
  counts(): Readonly<AnswerCounts>;
  /** Reads no more, finishes what is in hand within `deadline` ms (5,000 when absent) and leaves the rest to others. */
  stop(deadline?: number): Promise<void>;
}

export const finishScript = script(`
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
redis.call('XDEL', KEYS[1], ARGV[2])
if KEYS[2] then
  redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[3], '*', 'id', ARGV[5], 'data', ARGV[6])
  redis.call('PEXPIRE', KEYS[2], ARGV[4])
end
return 1`);

const unread = '>';

class Answerer implements Answering {
  readonly ready: Promise<void>;
  readonly #context: BusContext;
  readonly #commands: Commands;
  readonly #responder: Responder;
  readonly #services: Ask[];
  readonly #concurrency: number;
  readonly #counts = { answered: 0, expired: 0, claimed: 0 };
  readonly #loop: Loop;
  /** Requests that are worked on, by service and entry id. */
  readonly #inHand = new Set<string>();
  /** Where to read on: what is already ours but may be in nobody's hand, then `>`, what is nobody's. */
  readonly #cursors = new Map<Ask, string>();
  #becomeReady: () => void = () => {};
  /** Called whenever a request leaves the hand. */
  #freed: () => void = () => {};
  #connection = '';
  #stopping = false;
  /** A request of ours is in nobody's hand. */
  #dropped = false;
  #looked = 0;
  #stopped: Promise<void> | null = null;
  #nextBeat: Cancel = () => {};

  constructor(context: BusContext, commands: Commands, answers: Answers, concurrency: number) {
    this.#context = context;
    this.#commands = commands;
    this.#responder = new Responder(context, answers);
    this.#services = servicesOf(answers);
    this.#concurrency = concurrency;
    if (this.#services.length === 0) throw new RangeError('answer: at least one service is needed');
    if (!Number.isInteger(concurrency) || concurrency < this.#services.length) {
      const least = this.#services.length;
      throw new RangeError(`answer: concurrency must be a whole number from ${least}`);
    }
    this.ready = new Promise((resolve) => {
      this.#becomeReady = resolve;
    });
    this.#loop = new Loop(context, {
      name: 'answer',
      blocking: block,
      begin: (redis) => this.#begin(redis),
      round: (redis) => this.#round(redis),
    });
    this.#beat();
  }

  state(): 'up' | 'down' {
    return this.#loop.state;
  }

  counts(): Readonly<AnswerCounts> {
    return { ...this.#counts, thrown: this.#responder.thrown };
  }

  stop(deadline = 5_000): Promise<void> {
    this.#stopped ??= this.#stop(deadline);
    return this.#stopped;
  }

  async #stop(deadline: number): Promise<void> {
    this.#stopping = true;
    this.#freed();
    const finished = this.#loop.finish();
    await this.#commands.send('CLIENT', 'UNBLOCK', this.#connection).catch(() => {});
    await finished;
    this.#becomeReady();
    await within(this.#context.clock, deadline, this.#emptyHanded());
    this.#nextBeat();
    await leave(this.#commands, this.#context.process, this.#services).catch(() => {});
  }

  async #emptyHanded(): Promise<void> {
    while (this.#inHand.size > 0) await this.#oneFreed();
  }

  #oneFreed(): Promise<void> {
    return new Promise((resolve) => {
      this.#freed = resolve;
    });
  }

  async #begin(redis: Redis): Promise<void> {
    this.#connection = String(await redis.callBuffer('CLIENT', 'ID'));
    await live(this.#commands, this.#context.process);
    await join(this.#commands, this.#services);
    this.#readOwnAgain();
    this.#becomeReady();
  }

  async #round(redis: Redis): Promise<void> {
    await this.#lookAround();
    const room = await this.#room();
    if (room === 0) return;
    const services = this.#services;
    const cursors = services.map((service) => this.#cursors.get(service) ?? unread);
    const from = ['GROUP', group, this.#context.process, 'COUNT', room, 'BLOCK', block, 'STREAMS'];
    const reply = await redis.callBuffer(
      'XREADGROUP',
      ...from,
      ...services.map(askKey),
      ...cursors,
    );
    const streams = readStreams(reply);
    for (const [i, service] of services.entries()) {
      const entries = streams.get(askKey(service));
      if (cursors[i] !== unread) this.#cursors.set(service, entries?.at(-1)?.id ?? unread);
      for (const entry of entries ?? []) this.#take(service, entry);
    }
  }

  /** How many requests of each service may be read; waits until it is one. 0 when this shall end. */
  async #room(): Promise<number> {
    while (!this.#stopping) {
      const room = this.#share();
      if (room > 0) return room;
      await this.#oneFreed();
    }
    return 0;
  }

  /** COUNT holds for each stream, so every service gets an equal part of the room. */
  #share(): number {
    return Math.floor((this.#concurrency - this.#inHand.size) / this.#services.length);
  }

  #beat(): void {
    this.#nextBeat = this.#context.clock.after(beat, () => this.#beat());
    if (this.#commands.redis.status !== 'ready') return;
    live(this.#commands, this.#context.process).catch(() => {});
  }

  #readOwnAgain(): void {
    this.#dropped = false;
    for (const service of this.#services) this.#cursors.set(service, '0-0');
  }

  /** Once a second, between reads: takes up what was dropped, here or by answerers that died. */
  async #lookAround(): Promise<void> {
    const now = this.#context.clock.now();
    if (now - this.#looked < beat && now >= this.#looked) return;
    this.#looked = now;
    if (this.#dropped) this.#readOwnAgain();
    await this.#takeOver();
  }

  async #takeOver(): Promise<void> {
    for (const service of this.#services) {
      const room = Math.min(this.#share(), 1_000);
      if (room === 0) return;
      const entries = await claim(this.#commands, this.#context.process, service, room);
      if (entries.length === 0) continue;
      this.#counts.claimed += entries.length;
      const fields = { service, requests: entries.length };
      this.#context.log.warn(fields, 'took over from a dead answerer');
      for (const entry of entries) this.#take(service, entry);
    }
  }

  #take(service: Ask, entry: Entry): void {
    const hold = `${service} ${entry.id}`;
    if (this.#inHand.has(hold)) return;
    this.#inHand.add(hold);
    const done = (): void => {
      this.#inHand.delete(hold);
      this.#freed();
    };
    this.#work(service, entry)
      .catch((error: unknown) => {
        this.#dropped = true;
        this.#context.log.warn({ service, error: reason(error) }, 'reply not sent');
      })
      .finally(done);
  }

  async #work(service: Ask, { id: entry, fields }: Entry): Promise<void> {
    const reply = await this.#responder.respond(service, fields);
    const to = fields?.get('to')?.toString();
    const id = fields?.get('id');
    if (reply && to && id) {
      const args = [group, entry, replyLength, replyLife, id, reply];
      await this.#commands.run(finishScript, [askKey(service), to], args);
      this.#counts.answered += 1;
    } else {
      await this.#commands.run(finishScript, [askKey(service)], [group, entry]);
      this.#counts.expired += 1;
    }
  }
}

/**
 * Answers requests, at most `concurrency` at a time; one that is not read waits for whoever has room. A request
 * whose answerer dies is answered by another: handlers may run twice for one request. Deadlines compare two
 * processes' clocks. Throws RangeError when there is no service or `concurrency` is below their number.
 */
export const answer = (
  context: BusContext,
  commands: Commands,
  answers: Answers,
  concurrency: number,
): Answering => new Answerer(context, commands, answers, concurrency);
