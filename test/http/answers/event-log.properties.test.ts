/** Clients of the log of events that come and go in any process, against the plain list of what was published. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import type { Liquidations } from '../../../actors/topics/index.ts';
import { type Event, EventLog } from '../../../http/answers/event-log.ts';
import { LogSubscription } from '../../../http/live/log-subscription.ts';
import type { Message } from '../../../http/live/message.ts';
import type { Steps } from '../../../http/live/turns.ts';
import { FakeClock } from '../../support/clock.ts';
import { property } from '../../support/property.ts';

const at = 1_700_000_000_000;

/** An entry as it is in Redis: its place, and the ids of its events, of which some may have been in an entry before. */
interface Entry {
  seq: number;
  id: string;
  ids: number[];
}

const liquidationsOf = ({ ids }: Entry): Liquidations => ({
  source: 'okx',
  part: 'linear',
  at,
  since: at,
  events: ids.map((id) => ({
    symbol: 'BTC',
    contract: 'BTC-USDT-SWAP',
    side: 'long',
    price: 50_000,
    price_kind: 'fill',
    quantity_base: id,
    value_usd: 7 * id,
    timestamp: at,
    id: `${id}`,
  })),
});

/** Publishes entries of up to three events; `pause` is the time since the one before, ms: several may have one ms. */
const published: fc.Arbitrary<Entry[]> = fc
  .array(
    fc.record({
      ids: fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 3 }),
      pause: fc.integer({ min: 0, max: 2 }),
    }),
    { maxLength: 60, size: 'max' },
  )
  .map((all) => {
    let [ms, nth] = [at, 0];
    return all.map(({ ids, pause }, i) => {
      [ms, nth] = pause > 0 ? [ms + pause, 0] : [ms, nth + 1];
      return { seq: i + 1, id: `${ms}-${nth}`, ids };
    });
  });

/** A process that has read the first so many entries of the log; it may read some twice. */
class Process {
  readonly log = new EventLog();
  readonly #entries: readonly Entry[];
  #read = 0;

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
  }

  /** Reads up to an entry; from the first one again where Redis was lost. */
  readTo(count: number, again = false): void {
    for (const entry of this.#entries.slice(again ? 0 : this.#read, count))
      this.log.accept(liquidationsOf(entry), entry);
    this.#read = Math.max(this.#read, count);
  }
}

/** A client: what it has got, and its position. */
class Client {
  readonly ids: number[] = [];
  readonly recovered: boolean[] = [];
  position = new EventLog().end().position;
  full = false;
  readonly clock = new FakeClock(at);
  readonly account = 'a';
  #subscription: LogSubscription | null = null;
  readonly #wanted: (id: number) => boolean;

  constructor(wanted: (id: number) => boolean) {
    this.#wanted = wanted;
  }

  connect({ log }: Process): void {
    this.leave();
    const item = (event: Event) => (this.#wanted(Number(event.id)) ? event : null);
    const options = { mode: 'log' as const, every: 0, resume: this.position };
    const around = { id: 1, options, receiver: this, from: log.after(this.position) };
    this.#subscription = new LogSubscription({ log, limit: 50, item }, around);
    this.#subscription.start();
  }

  leave(): void {
    this.#subscription?.stop();
    this.#subscription = null;
  }

  /** What was waiting because the client read slowly is sent. */
  read(): void {
    this.full = false;
    this.#subscription?.flush();
  }

  work(steps: Steps): void {
    while (!steps.next().done);
  }

  failed(_: unknown, error: unknown): void {
    throw error;
  }

  lost(): void {
    throw new Error('a short log loses nothing');
  }

  send(_: unknown, { rest, version }: Message): void {
    this.position = version;
    const said: { recovered?: boolean; events: { id: string }[] } = JSON.parse(
      `{${rest.slice(1)}}`,
    );
    if (said.recovered !== undefined) this.recovered.push(said.recovered);
    this.ids.push(...said.events.map(({ id }) => Number(id)));
  }
}

type Step =
  | { does: 'read'; process: number; entries: number; again: boolean }
  | { does: 'connect'; process: number }
  | { does: 'leave' | 'stall' | 'go on' };

const process = fc.integer({ min: 0, max: 2 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      does: fc.constant('read' as const),
      process,
      entries: fc.integer({ min: 1, max: 60 }),
      again: fc.boolean(),
    }),
    fc.record({ does: fc.constant('connect' as const), process }),
    fc.record({ does: fc.constantFrom('leave' as const, 'stall' as const, 'go on' as const) }),
  ),
  { maxLength: 40, size: 'max' },
);

/** The slow model: each event once, in the order of the log. */
const eachOnce = (entries: readonly Entry[]): number[] => [
  ...new Set(entries.flatMap(({ ids }) => ids)),
];

/** Three processes that read the same log, and a client that is connected to one of them at a time. */
class World {
  readonly client: Client;
  readonly #processes: Process[];

  constructor(entries: readonly Entry[], wanted: (id: number) => boolean) {
    this.#processes = [0, 1, 2].map(() => new Process(entries));
    this.client = new Client(wanted);
  }

  play(step: Step): void {
    if (step.does === 'read') this.#at(step.process).readTo(step.entries, step.again);
    if (step.does === 'connect') this.client.connect(this.#at(step.process));
    if (step.does === 'leave') this.client.leave();
    if (step.does === 'stall') this.client.full = true;
    if (step.does === 'go on') this.client.read();
  }

  #at(process: number): Process {
    const found = this.#processes[process];
    if (!found) throw new Error('no such process');
    return found;
  }
}

t.test('a client that reconnects anywhere gets each wanted event once and in order', async (t) => {
  let resumed = 0;
  await property(t, fc.tuple(published, steps, fc.boolean()), ([entries, steps, odd]) => {
    const wanted = (id: number) => !odd || id % 2 === 1;
    const world = new World(entries, wanted);
    const { client } = world;
    const all = eachOnce(entries).filter(wanted);
    for (const step of steps) {
      world.play(step);
      assert.deepEqual(client.ids, all.slice(0, client.ids.length));
    }
    world.play({ does: 'read', process: 0, entries: entries.length, again: false });
    world.play({ does: 'connect', process: 0 });
    world.play({ does: 'go on' });
    assert.deepEqual(client.ids, all);
    assert.ok(client.recovered.every(Boolean), 'nothing was lost');
    resumed += client.recovered.length;
  });
  t.ok(resumed > 0, `${resumed} connections`);
});

t.test('a position after which something is lost is never called recovered', async (t) => {
  let lost = 0;
  const part = fc.integer({ min: 0, max: 60 });
  await property(t, fc.tuple(published, part, part), ([entries, had, first]) => {
    const whole = new Process(entries);
    whole.readTo(had);
    const { position } = whole.log.end();
    const rest = new EventLog();
    for (const entry of entries.slice(first)) rest.accept(liquidationsOf(entry), entry);
    const isLost =
      eachOnce(entries.slice(0, first)).length > eachOnce(entries.slice(0, had)).length;
    if (!isLost || first >= entries.length) return;
    lost += 1;
    assert.equal(rest.after(position)?.recovered, false);
  });
  t.ok(lost > 0, `${lost} times`);
});
