/** The log that clients follow: positions, resuming, repeats, losses of Redis. */
import t from 'tap';
import type { Liquidations } from '../../../actors/topics/index.ts';
import { EventLog } from '../../../http/live/event-log.ts';
import { LogSubscription } from '../../../http/live/log-subscription.ts';
import type { Message } from '../../../http/live/message.ts';
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

/** A client of a log: the ids that it has got, its position, and whether it may be sent more. */
function clientOf(log: EventLog, { resume, limit = 50 }: { resume?: string; limit?: number } = {}) {
  const client = { ids: [] as string[], full: false, lost: 0, first: '', position: '' };
  const receiver = {
    clock: new FakeClock(),
    get full() {
      return client.full;
    },
    lost: () => void client.lost++,
    send(_: unknown, { rest, version }: Message) {
      client.first ||= rest;
      client.position = version;
      const { events } = JSON.parse(`{${rest.slice(1)}}`);
      client.ids.push(...events.map(({ id }: { id: string }) => id));
    },
  };
  const from = resume === undefined ? null : log.after(resume);
  const wishes = { mode: 'log' as const, every: 0, resume };
  const query = { log, limit, item: (event: object) => event };
  const subscription = new LogSubscription(query, { id: 1, wishes, receiver, from });
  subscription.start();
  return { client, flush: () => subscription.flush() };
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

t.test('who comes back goes on where it was', (t) => {
  const log = logOf(5);
  const { client: before } = clientOf(log);
  log.accept(entry(6), place(6));
  const other = logOf(7);
  const { client } = clientOf(other, { resume: before.position });
  t.strictSame(client.ids, ['7']);
  t.match(client.first, '"recovered":true');
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
  const emptied = new EventLog();
  emptied.accept(entry(9), place(1, at + 9_000));
  const { client: after } = clientOf(emptied, { resume: `5.${at + 5}-0` });
  t.match(after.first, '"recovered":false');
  t.strictSame(after.ids, ['9']);
  t.equal(part.after('x'), null);
  t.end();
});

t.test('a slow client waits at its place, and is ended when that is lost', (t) => {
  const log = logOf(1);
  const { client, flush } = clientOf(log);
  client.full = true;
  for (let seq = 2; seq <= 70_000; seq++) log.accept(entry(seq), place(seq));
  t.equal(client.ids.length, 1);
  client.full = false;
  flush();
  t.equal(client.lost, 1);
  t.end();
});
