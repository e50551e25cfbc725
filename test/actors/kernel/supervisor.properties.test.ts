/** An actor that crashes at any time, against plain lists of its lives, its crashes and its messages. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { createSupervisor, type SupervisorEvent } from '../../../actors/kernel/supervisor.ts';
import { FakeClock, settle } from '../../support/clock.ts';
import { command, play, property } from '../../support/property.ts';

/** What is promised of restarts, ms: a life as long as the window is healthy. */
const policy = { base: 250, cap: 10_000, restarts: 5, window: 60_000, probe: 60_000 };
/** Of the longest wait. */
const share = 0.5;

/** A life of the actor: from its start to its crash. */
interface LifeSpan {
  from: number;
  until: number;
}

class World {
  readonly clock = new FakeClock();
  readonly lives: LifeSpan[] = [];
  /** Messages that were accepted and not lost by a crash, and those that were handled, in order. */
  #accepted: number[] = [];
  readonly #handled: number[] = [];
  /** It was down, and has not been healthy since. */
  #isTrial = false;
  #sent = 0;
  /** When it may begin again at the earliest and must at the latest. */
  #next = this.clock.now();
  readonly #supervisor = createSupervisor({
    name: 'test',
    clock: this.clock,
    random: () => share,
    onEvent: (event) => this.#event(event),
  });
  readonly #child = this.#supervisor.spawn<number>({
    name: 'child',
    behaviour: () => {
      this.#begin();
      return { receive: (message) => this.#receive(message) };
    },
  });

  /** Numbers below zero crash it. */
  async tell(count: number, isBad: boolean): Promise<void> {
    for (let i = 0; i < count; i++) {
      this.#sent += 1;
      const message = isBad && i === count - 1 ? -this.#sent : this.#sent;
      if (this.#child.tell(message)) this.#accepted.push(message);
    }
    await settle();
    this.#check();
  }

  async wait(ms: number): Promise<void> {
    await this.clock.advance(ms);
    this.#check();
  }

  #begin(): void {
    const now = this.clock.now();
    assert.ok(
      this.lives.every(({ until }) => until <= now),
      'two lives at once',
    );
    assert.equal(now, this.#next, 'when the next life begins');
    this.lives.push({ from: now, until: Number.POSITIVE_INFINITY });
  }

  #receive(message: number): void {
    this.#handled.push(message);
    if (message < 0) throw new Error('a bug');
  }

  #event(event: SupervisorEvent): void {
    const now = this.clock.now();
    const life = this.lives.at(-1);
    if (event.type === 'crashed' && life) {
      if (now - life.from >= policy.window) this.#isTrial = false;
      life.until = now;
      const restarts = this.#restarts(now);
      this.#next = now + share * Math.min(policy.cap, policy.base * 2 ** restarts);
      this.#accepted = [...this.#handled];
    }
    if (event.type === 'down') {
      assert.ok(this.#isTrial || this.#restarts(now) >= policy.restarts, 'down too early');
      this.#isTrial = true;
      this.#next = now + policy.probe;
    }
  }

  /** Restarts in the window that ends now. */
  #restarts(now: number): number {
    return this.lives.slice(1).filter(({ from }) => from > now - policy.window).length;
  }

  #check(): void {
    assert.ok(this.#restarts(this.clock.now()) <= policy.restarts, 'too many restarts');
    assert.deepEqual(this.#handled, this.#accepted.slice(0, this.#handled.length));
  }

  /** Without more crashes it handles all that it has accepted, and is healthy again. */
  async finish(): Promise<void> {
    for (let i = 0; i < 25; i++) await this.wait(policy.probe);
    assert.deepEqual(this.#handled, this.#accepted);
    assert.equal(this.lives.at(-1)?.until, Number.POSITIVE_INFINITY);
    await this.#supervisor.stop();
  }
}

const tell = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.boolean())
  .map(([count, isBad]) =>
    command(`tell ${count}${isBad ? ', the last bad' : ''}`, (world: World) =>
      world.tell(count, isBad),
    ),
  );
const wait = (most: number) =>
  fc.nat(most).map((ms) => command(`wait ${ms}`, (world: World) => world.wait(ms)));
const commands = fc.commands<object, World, false>([tell, tell, tell, wait(1_000), wait(90_000)], {
  maxCommands: 60,
  size: 'max',
});

t.test('restarts are rationed and far enough apart, and only a crash loses messages', async (t) => {
  let lives = 0;
  const end = async (world: World) => {
    await world.finish();
    lives += world.lives.length;
  };
  await property(t, commands, (steps) => play(steps, () => new World(), end), 100);
  t.ok(lives > 300, `${lives} lives`);
});
