/** The log that clients follow: positions, resuming, repeats, losses of Redis. */
import t from 'tap';
import type { Liquidations } from '../../../actors/topics/index.ts';
import { EventLog } from '../../../http/live/event-log.ts';
import { LogSubscription } from '../../../http/live/log-subscription.ts';
import type { Message } from '../../../http/live/message.ts';
import type { Event } from '../../../http/views/liquidation-streams.ts';
import { FakeClock } from '../../support/clock.ts';

const at = 1_700_000_000_000;

/** An entry with events of these ids. */
const entry = (...ids: number[]): Liquidations => ({
  ...{ source: 'okx', part: 'linear', at, since: at },
  events: ids.map((id) => ({
    ...{ symbol: 'BTC', contract: 'BTC-USDT-SWAP', side: 'long', price: 50_000 },
    ...{
      price_kind: 'fill',
      quantity_base: id,
      value_usd: 50_000 * id,
      timestamp: at,
      id: `${id}`,
    },
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
}

/** A client of a log: the ids that it has got, in all and by message, its position, and whether it may be sent more. */
function clientOf(
  log: EventLog,
  { resume, limit = 50, every = 0, item = (one) => one }: Wanted = {},
) {
  const client = { ids: [] as string[], full: false, lost: 0, first: '', position: '' };
  const sizes: number[] = [];
  const clock = new FakeClock();
  const receiver = {
    clock,
    account: 'a',
    work: () => {},
    get full() {
      return client.full;
    },
    lost: () => void client.lost++,
    send(_: unknown, { event, rest, version }: Message) {
      client.first ||= `${event}${rest}`;
      client.position = version;
      const { events } = JSON.parse(`{${rest.slice(1)}}`);
      client.ids.push(...events.map(({ id }: { id: string }) => id));
      sizes.push(events.length);
    },
  };
  const from = resume === undefined ? null : log.after(resume);
  const wishes = { mode: 'log' as const, every, resume };
  const query = { log, limit, item };
  const subscription = new LogSubscription(query, { id: 1, wishes, receiver, from });
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

t.test('no more often than a client wishes, and none left out', async (t) => {
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
