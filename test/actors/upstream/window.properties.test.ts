/** A weight budget under any sequence of claims, ends, pauses and corrections, against a plain list of what was granted. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { BudgetWindow, type Claim, type Pass } from '../../../actors/upstream/window.ts';
import { FakeClock, settle } from '../../support/clock.ts';
import { command, play, property } from '../../support/property.ts';

const budget = { weight: 10, per: 1_000 };
/** Of a host, ms. */
const patience = 100;

/** A request that was granted; the upstream may count it at any time from its grant to its end. */
interface Granted {
  weight: number;
  until: number;
  pass: Pass;
}

interface Open extends Claim {
  abort: AbortController;
}

class World {
  readonly clock = new FakeClock();
  readonly window = new BudgetWindow({
    name: 'x/rest/default',
    api: 'x/rest',
    budget,
    reserved: 5,
    clock: this.clock,
    limits: { spread: 0, abandoned: 0, patience },
    shared: undefined,
    onPause: () => {},
  });
  readonly #granted: Granted[] = [];
  /** Claims without an answer, and how often each claim was answered. */
  readonly #waiting: Open[] = [];
  readonly #answers = new Map<Claim, number>();
  #silentUntil = Number.NEGATIVE_INFINITY;

  take(claim: Pick<Claim, 'weight' | 'asker'>, patience: number): void {
    const abort = new AbortController();
    const deadline = this.clock.monotonic() + patience;
    const full = { ...claim, deadline, abort, signal: abort.signal };
    this.#waiting.push(full);
    this.#answers.set(full, 0);
    void this.window.enter(full).then((pass) => {
      this.#answers.set(full, (this.#answers.get(full) ?? 0) + 1);
      this.#waiting.splice(this.#waiting.indexOf(full), 1);
      if (typeof pass === 'function') this.#grant(full, pass);
    });
  }

  get granted(): number {
    return this.#granted.length;
  }

  /** What the upstream may have counted within the last `per` ms. */
  #counted(): number {
    const since = this.clock.monotonic() - budget.per;
    const counted = this.#granted.filter(({ until }) => until > since);
    return counted.reduce((sum, { weight }) => sum + weight, 0);
  }

  #grant({ weight, deadline }: Claim, pass: Pass): void {
    const now = this.clock.monotonic();
    this.#granted.push({ weight, until: Number.POSITIVE_INFINITY, pass });
    assert.ok(this.#counted() <= budget.weight, `${this.#counted()} in one window`);
    assert.ok(now < deadline, 'granted after its deadline');
    assert.ok(now >= this.#silentUntil, 'granted in a pause');
  }

  /** One of the requests under way ends; the upstream may state what it counts itself. */
  end(which: number, stated = 0): void {
    const open = this.#granted.filter(({ until }) => until === Number.POSITIVE_INFINITY);
    const one = open[which % Math.max(1, open.length)];
    if (!one) return;
    const now = this.clock.monotonic();
    one.until = now;
    const more = stated - this.#counted();
    if (more > 0) this.#granted.push({ weight: more, until: now, pass: () => {} });
    one.pass({ how: 'answered', stated });
  }

  leave(which: number): void {
    const claim = this.#waiting[which % Math.max(1, this.#waiting.length)];
    claim?.abort.abort();
  }

  pause(ms: number): void {
    this.#silentUntil = Math.max(this.#silentUntil, this.clock.monotonic() + ms);
    this.window.pause(this.clock.monotonic() + ms, 'banned');
  }

  /** All requests end, and time passes: nobody waits any more, and each was answered once. */
  async finish(): Promise<void> {
    for (let second = 0; second < 12; second++) {
      for (let i = 0; i < 20; i++) this.end(0);
      await this.clock.advance(1_000);
    }
    assert.ok([...this.#answers.values()].every((count) => count === 1));
    this.window.close();
  }
}

const take = fc
  .record({
    weight: fc.integer({ min: 1, max: 5 }),
    asker: fc.constantFrom(null, '', 'x', 'y'),
    patience: fc.integer({ min: 1, max: 5_000 }),
  })
  .map(({ weight, asker, patience }) =>
    command(`take ${weight} for ${asker} in ${patience}`, (world: World) => {
      world.take({ weight, asker }, patience);
      return settle();
    }),
  );
const commands = fc.commands<object, World, false>(
  [
    take,
    take,
    take,
    take,
    fc.nat(20).map((which) => command(`end ${which}`, (world: World) => world.end(which))),
    fc.nat(20).map((which) => command(`end ${which}`, (world: World) => world.end(which))),
    fc.nat(20).map((which) => command(`leave ${which}`, (world: World) => world.leave(which))),
    fc.nat(1_500).map((ms) => command(`wait ${ms}`, (world: World) => world.clock.advance(ms))),
    fc.nat(900).map((ms) => command(`pause ${ms}`, (world: World) => world.pause(ms))),
    fc.nat(14).map((sum) => command(`end, stated ${sum}`, (world: World) => world.end(0, sum))),
  ],
  { maxCommands: 60, size: 'max' },
);

t.test('no window ever holds more than the weight, and everybody is answered once', async (t) => {
  let granted = 0;
  const end = async (world: World) => {
    await world.finish();
    granted += world.granted;
  };
  await property(t, commands, (steps) => play(steps, () => new World(), end), 100);
  t.ok(granted > 0, `${granted} granted`);
});
