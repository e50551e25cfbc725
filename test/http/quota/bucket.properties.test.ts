/** Several processes that spend the quota of one account, against a plain count of what each window admitted. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import type { Allowance } from '../../../http/quota/allowance.ts';
import { Bucket } from '../../../http/quota/bucket.ts';
import { createQuota } from '../../../http/quota/quota.ts';
import type { QuotaWindow, Settlement } from '../../../http/quota/store.ts';
import { FakeClock, settle } from '../../support/clock.ts';
import { command, play, property } from '../../support/property.ts';
import { alice, MemoryQuotaStore } from '../../support/quota.ts';

const subject = 'account:alice';
const quiet = { info() {}, warn() {}, error() {} };

/** A store that notes its windows, of which each admits up to the limit. */
class NotingStore extends MemoryQuotaStore {
  readonly windows: { name: string; until: number }[] = [];
  readonly #now: () => number;

  constructor(clock: FakeClock) {
    super(clock);
    this.#now = () => clock.now();
  }

  override async settle(settlement: Settlement): Promise<QuotaWindow | null> {
    const found = await super.settle(settlement);
    if (found) this.windows.push({ name: found.window, until: this.#now() + found.resetIn });
    return found;
  }

  /** The window of now. */
  get current(): string {
    const [found] = this.windows.filter(({ until }) => until > this.#now());
    return found?.name ?? '';
  }
}

interface Admission {
  bucket: Bucket;
  epoch: number;
  window: string;
}

class World {
  readonly clock = new FakeClock();
  readonly store = new NotingStore(this.clock);
  readonly #limit: number;
  readonly #quotas;
  /** Admitted and not refunded, by window. */
  readonly #counts = new Map<string, number>();
  readonly #admissions: Admission[] = [];
  admitted = 0;

  constructor(limit: number) {
    this.#limit = limit;
    const options = { store: this.store, clock: this.clock, log: quiet, limitOf: () => limit };
    this.#quotas = [0, 1, 2].map(() => createQuota(options));
  }

  async take(process: number, count: number): Promise<void> {
    const bucket: Allowance | undefined = this.#quotas[process]?.account(alice);
    if (!(bucket instanceof Bucket)) throw new Error('no bucket');
    for (let i = 0; i < count; i++) {
      const admission = bucket.take('k1');
      if (admission === true) this.#admit(bucket);
      else if (admission !== false) void admission.then((is) => is && this.#admit(bucket));
    }
    await settle();
  }

  #admit(bucket: Bucket): void {
    const window = this.store.current;
    this.#admissions.push({ bucket, epoch: bucket.epoch, window });
    this.#count(window, 1);
    this.admitted += 1;
  }

  #count(window: string, by: number): void {
    const count = (this.#counts.get(window) ?? 0) + by;
    this.#counts.set(window, count);
    assert.ok(window !== '', 'admitted outside of all windows');
    assert.ok(count <= this.#limit, `${count} of ${this.#limit}`);
    assert.ok(count >= 0);
  }

  /** A request is given back: once. */
  refund(which: number): void {
    const [one] = this.#admissions.splice(which % Math.max(1, this.#admissions.length), 1);
    if (!one) return;
    one.bucket.refund('k1', one.epoch);
    if (one.epoch === one.bucket.epoch) this.#count(one.window, -1);
  }

  /** All processes end: what the store counts is what was admitted, and nothing stays reserved beside it. */
  async finish(): Promise<void> {
    this.store.state = 'up';
    await this.clock.advance(600);
    for (const quota of this.#quotas) await quota.close();
    const count = this.#counts.get(this.store.current) ?? 0;
    const { used } = await this.store.usage(subject);
    assert.deepEqual([used, this.store.reserved(subject)], [count, count]);
  }
}

const process = fc.nat({ max: 2 });
const take = fc
  .tuple(process, fc.integer({ min: 1, max: 12 }))
  .map(([process, count]) =>
    command(`${process} takes ${count}`, (world: World) => world.take(process, count)),
  );
const wait = (most: number) =>
  fc.nat(most).map((ms) => command(`wait ${ms}`, (world: World) => world.clock.advance(ms)));
const commands = fc.commands<object, World, false>(
  [
    ...[take, take, take, wait(2_000), wait(20_000)],
    fc.nat(40).map((which) => command(`refund ${which}`, (world: World) => world.refund(which))),
    fc.constantFrom('up' as const, 'slow' as const).map((state) =>
      command(state, ({ store }: World) => {
        store.state = state;
      }),
    ),
  ],
  { maxCommands: 40, size: 'max' },
);

t.test('no window admits more than the limit, and what is not used goes back', async (t) => {
  let admitted = 0;
  const end = async (world: World) => {
    await world.finish();
    admitted += world.admitted;
  };
  const limits = fc.integer({ min: 1, max: 40 });
  await property(
    t,
    fc.tuple(limits, commands),
    ([limit, steps]) => play(steps, () => new World(limit), end),
    100,
  );
  t.ok(admitted > 500, `${admitted} admitted`);
});
