/** The log that clients follow: positions, resuming, repeats, losses of Redis. */
import t from 'tap';
import type { Liquidations } from '../../../actors/topics/index.ts';
import { Pace } from '../../../config/pace.ts';
import { type Event, EventLog } from '../../../http/answers/event-log.ts';
import { LogSubscription, requestsOf } from '../../../http/live/log-subscription.ts';
import type { Message } from '../../../http/live/message.ts';
import { type Steps, Turns } from '../../../http/live/turns.ts';
import { FakeClock } from '../../support/clock.ts';

const at = 1_700_000_000_000;

/** An entry with events of these ids. */
const entry = (...ids: number[]): Liquidations => ({
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
    value_usd: 50_000 * id,
    timestamp: at,
    id: `${id}`,
  })),
});

const place = (seq: number, ms = at + seq) => ({ seq, id: `${ms}-0` });

/** A log with entries of one event each, numbered from 1. */
function logOf(count: number): EventLog {
  const log = new EventLog();
  for (let seq = 1; seq <= count; seq++) log.accept(entry(seq), place(seq));
  return log;
}

interface Wanted {
  resume?: string;
  limit?: number;
  every?: number;
  item?: (event: Event) => object | null;
  clock?: FakeClock;
  work?: (steps: Steps) => void;
}

/** Does work at once, in one turn. */
function atOnce(steps: Steps): void {
  while (!steps.next().done);
}

/** A client of a log: the ids that it has got, in all and by message, its position, and whether it may be sent more. */
function clientOf(
  log: EventLog,
  { resume, limit = 50, every = 0, item = (one) => one, ...more }: Wanted = {},
) {
  const client = { ids: [] as string[], full: false, lost: 0, first: '', position: '' };
  const sizes: number[] = [];
  const { clock = new FakeClock(), work = atOnce } = more;
  const receiver = {
    clock,
    account: 'a',
    work,
    get full() {
      return client.full;
    },
    lost: () => void client.lost++,
    failed(_: unknown, error: unknown) {
      throw error;
    },
    send(_: unknown, { event, rest, version }: Message) {
      client.first ||= `${event}${rest}`;
      client.position = version;
      const { events } = JSON.parse(`{${rest.slice(1)}}`);
      client.ids.push(...events.map(({ id }: { id: string }) => id));
      sizes.push(events.length);
    },
  };
  const from = resume === undefined ? null : log.after(resume);
  const options = { mode: 'log' as const, every, resume };
  const query = { log, limit, item };
  const subscription = new LogSubscription(query, { id: 1, options, receiver, from });
  subscription.start();
  return {
    client,
    clock,
    sizes,
    flush: () => subscription.flush(),
    stop: () => subscription.stop(),
  };
}

t.test('the newest, then each event once', (t) => {
  const log = logOf(5);
  const { client } = clientOf(log, { limit: 2 });
  t.strictSame(client.ids, ['4', '5']);
  log.accept(entry(6, 7), place(6));
  log.accept(entry(7, 8), place(7));
  t.strictSame(client.ids, ['4', '5', '6', '7', '8'], 'a repeat is left out');
  t.end();
});

t.test('how many past events there are at first, and events in a message', async (t) => {
  const log = new EventLog();
  log.accept(entry(1, 2, 3), place(1));
  log.accept(entry(4), place(2));
  t.strictSame(clientOf(log, { limit: 3 }).client.ids, ['4'], 'an entry comes whole or not');
  t.strictSame(clientOf(log, { limit: 4 }).client.ids, ['1', '2', '3', '4']);
  const item = (event: Event) => (event.id === '4' ? null : event);
  const { client } = clientOf(log, { limit: 2, item });
  t.strictSame(client.ids, ['1', '2', '3'], 'the newest entry with a wanted event');
  t.equal(clientOf(new EventLog()).client.position, new EventLog().end().position);
  const { client: none } = clientOf(log, { item: () => null });
  t.match(none, { first: 'events,"events":[]', position: log.end().position });
  const { sizes } = clientOf(logOf(450), { limit: 450 });
  t.strictSame(sizes.slice(0, 3), [200, 200, 50]);
});

t.test('no more often than a client asks for, and none left out', async (t) => {
  const log = logOf(1);
  const { client, clock, sizes, stop } = clientOf(log, { every: 5_000 });
  for (const seq of [2, 3]) log.accept(entry(seq), place(seq));
  await clock.advance(4_999);
  t.strictSame(client.ids, ['1']);
  await clock.advance(1);
  t.strictSame(
    [client.ids, sizes],
    [
      ['1', '2', '3'],
      [1, 2],
    ],
  );
  log.accept(entry(4), place(4));
  stop();
  await clock.advance(5_000);
  t.equal(client.ids.length, 3);
});

t.test('an event that a client does not want keeps no other waiting', async (t) => {
  const log = logOf(1);
  const item = (event: Event) => (event.id === '2' ? null : event);
  const { client, clock, stop } = clientOf(log, { every: 5_000, item });
  await clock.advance(5_000);
  log.accept(entry(2), place(2));
  log.accept(entry(3), place(3));
  await clock.advance(0);
  t.strictSame(client.ids, ['1', '3']);
  stop();
});

t.test('a client that reconnects continues where it was', (t) => {
  const log = logOf(5);
  const { client: before } = clientOf(log);
  log.accept(entry(6), place(6));
  const other = logOf(7);
  const { client } = clientOf(other, { resume: before.position });
  t.strictSame(client.ids, ['7']);
  t.match(client.first, '"recovered":true');
  const { client: same } = clientOf(log, { resume: before.position });
  t.match(same, { first: 'events,"recovered":true,"events":[]', position: before.position });
  const start = new EventLog().end().position;
  const { client: early } = clientOf(logOf(2), { resume: start });
  t.match(early, { ids: ['1', '2'], first: /"recovered":true/ }, 'from its first entry');
  const { client: ahead } = clientOf(logOf(4), { resume: before.position });
  t.match(ahead.first, '"recovered":true', 'this process is behind');
  const behind = logOf(4);
  const { client: later } = clientOf(behind, { resume: before.position });
  for (const seq of [5, 6, 7]) behind.accept(entry(seq), place(seq));
  t.strictSame(later.ids, ['7']);
  t.end();
});

t.test('a log that has lost something says so', (t) => {
  const part = new EventLog();
  for (const seq of [4, 5]) part.accept(entry(seq), place(seq));
  const { client } = clientOf(part, { resume: `2.${at + 2}-0` });
  t.match(client.first, '"recovered":false');
  t.strictSame(client.ids, ['4', '5']);
  const { client: early } = clientOf(part, { resume: new EventLog().end().position });
  t.match(early.first, '"recovered":false');
  const emptied = new EventLog();
  for (let seq = 1; seq <= 5; seq++) emptied.accept(entry(4 + seq), place(seq, at + 9_000 + seq));
  const { client: after } = clientOf(emptied, { resume: `5.${at + 5}-0` });
  t.match(after.first, '"recovered":false');
  t.strictSame(after.ids, ['5', '6', '7', '8', '9']);
  t.equal(part.after('x'), null);
  t.end();
});

t.test('of more than 100,000 events a sixteenth of the entries goes', (t) => {
  const log = new EventLog();
  const bases: number[] = [];
  for (let seq = 1; seq <= 1_064; seq++) {
    log.accept(entry(...Array.from({ length: 100 }, (_, i) => seq * 100 + i)), place(seq));
    if ([1_000, 1_001, 1_063, 1_064].includes(seq)) bases.push(log.base);
  }
  t.strictSame(bases, [0, 63, 63, 126]);
  t.strictSame([log.read(125), log.read(126)?.events.length, log.end().next], [null, 100, 1_064]);
  const repeated = { ...entry(1), at: at + 599_999 };
  const [first, second] = [logOf(1), logOf(1)];
  first.accept(repeated, place(2));
  second.accept(entry(2), place(1, at + 1));
  second.accept(entry(3), { seq: 2, id: `${at + 1}-1` });
  t.strictSame([first.end().next, second.end().next], [1, 2], 'neither repeats nor old entries');
  t.end();
});

t.test('a slow client waits at its place, and is ended when that is lost', (t) => {
  const log = logOf(1);
  const { client, flush } = clientOf(log);
  client.full = true;
  for (let seq = 2; seq <= 70_000; seq++) log.accept(entry(seq), place(seq));
  t.equal(client.ids.length, 1);
  t.equal(log.base, 8_194, 'of more than 65,536 entries a sixteenth goes');
  client.full = false;
  flush();
  t.equal(client.lost, 1);
  t.end();
});

t.test(
  'a filter that matches nothing is looked for in turns, and weighs what it looks at',
  async (t) => {
    const log = logOf(60_000);
    const clock = new FakeClock();
    const turns = new Turns(clock, new Pace(0, () => clock.monotonic()), (error) => t.error(error));
    const looked = [0];
    const item = () => {
      looked[looked.length - 1] = (looked.at(-1) ?? 0) + 1;
      return null;
    };
    const after = clock.after.bind(clock);
    clock.after = (ms, run) =>
      after(ms, () => {
        looked.push(0);
        run();
      });
    const work = (steps: Steps) => turns.add('a', steps);
    const resume = new EventLog().end().position;
    t.equal(requestsOf(log, log.after(resume)), 13);
    t.equal(requestsOf(log, null), 1);
    const { client } = clientOf(log, { resume, item, clock, work });
    t.same(looked, [400], '20 units at once');
    await clock.advance(0);
    t.equal(Math.max(...looked), 4_000, '200 units in a turn');
    t.equal(
      looked.reduce((sum, one) => sum + one, 0),
      60_000,
    );
    t.match(client.first, '"recovered":true,"events":[]');
    looked.splice(0, looked.length, 0);
    clientOf(log, { item, clock, work });
    await clock.advance(0);
    t.equal(
      looked.reduce((sum, one) => sum + one, 0),
      5_000,
      'a new client gets past events out of the newest entries only',
    );
    log.accept(entry(60_001), place(60_001));
    await clock.advance(0);
    t.equal(client.lost, 0);
  },
);

t.test('the entry after any position, also of an entry that is not there', (t) => {
  const log = new EventLog();
  for (let seq = 1; seq <= 99; seq++) log.accept(entry(seq), place(seq, at + 10 * seq));
  for (let seq = 1; seq <= 99; seq++) {
    t.match(log.after(`${seq}.${at + 10 * seq}-0`), { next: seq, recovered: true });
    t.match(log.after(`${seq}.${at + 10 * seq - 5}-0`), { next: seq - 1, recovered: false });
  }
  t.end();
});

t.test(
  'a log that goes on after an earlier entry, with places before those of the lost ones',
  (t) => {
    const log = logOf(9);
    const { client } = clientOf(log);
    const lost = client.position;
    log.goBack(place(5));
    const { client: between } = clientOf(log, { resume: `6.${at + 5}-1` });
    t.match(between.first, '"recovered":true', 'another process has read more of the new log');
    for (const [i, id] of [11, 12, 13].entries())
      log.accept(entry(id), { seq: 6 + i, id: `${at + 5}-${1 + i}` });
    const all = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '11', '12', '13'];
    t.strictSame([client.ids, between.ids], [all, ['12', '13']]);
    for (const [i, position] of [`3.${at + 3}-0`, lost, `7.${at + 5}-2`].entries()) {
      const { client: back } = clientOf(log, { resume: position });
      t.strictSame(back.ids, all.slice([3, 9, 11][i]));
      t.match(back.first, '"recovered":true');
    }
    const { client: unknown } = clientOf(log, { resume: `7.${at + 7}-9` });
    t.strictSame(unknown.ids, all.slice(7));
    t.match(unknown.first, '"recovered":false', 'an entry that was lost, and never here');
    t.end();
  },
);

t.test('numbers have twelve significant digits', (t) => {
  const item = () => ({ value_usd: 112_990.72743700001, timestamp: 1_700_000_000_000 });
  const { client } = clientOf(logOf(1), { item });
  t.equal(client.first, 'events,"events":[{"value_usd":112990.727437,"timestamp":1700000000000}]');
  t.end();
});
