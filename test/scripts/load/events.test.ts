/** Events through the feed and the history alone, on a real Redis and real connections, while both are killed. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { recentFile } from '../../../actors/history/sqlite.ts';
import type { Liquidations } from '../../../actors/topics/index.ts';
import { busStage } from '../../support/bus-stage.ts';
import { EventUpstream, numberOf } from '../../support/event-upstream.ts';
import { until } from '../../support/until.ts';

/** Events in ten ms, and how many are sent on open connections between two disturbances. */
const [burst, between] = [5, 150];
/** An entry of the log may be written so long before an event that was sent earlier is read, ms. */
const slack = 500;
const root = join(import.meta.dirname, '..', '..', '..');
const script = new URL('../../support/event-process.ts', import.meta.url);
const flags = [
  '--disable-warning=ExperimentalWarning',
  `--require=${join(root, 'config', 'strip-types.cjs')}`,
];

/** What the log says of the time in which the stream was heard, Unix ms. */
class Heard {
  readonly stretches: { from: number; to: number }[] = [];

  accept({ at, since }: Liquidations): void {
    if (since === null) return;
    const last = this.stretches.at(-1);
    if (last && since <= last.to) last.to = Math.max(last.to, at);
    else this.stretches.push({ from: since, to: at });
  }

  holds(time: number): boolean {
    return this.stretches.some(({ from, to }) => time >= from && time <= to - slack);
  }
}

/** The numbers of the events that are stored in a file of the history, one for each row. */
function storedIn(file: string): number[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare('SELECT quantity_base AS quantity FROM liquidation_events').all();
  db.close();
  return rows.map(({ quantity }) => numberOf(Number(quantity)));
}

t.test('each received event is stored once, whichever process ends in between', async (t) => {
  const { server: redis, bus } = await busStage(t);
  const upstream = new EventUpstream();
  const gateway = await upstream.listen();
  t.teardown(() => upstream.close());
  const heard = new Heard();
  bus.follow({ liquidations: (_key, entry) => heard.accept(entry) });

  const folder = join(redis.dir, 'history');
  const file = join(folder, recentFile);
  const start = (role: 'feed' | 'history') => {
    const options = JSON.stringify({ role, redis: redis.url, gateway, folder });
    const child = fork(script, [options], { execArgv: flags });
    t.teardown(() => child.kill('SIGKILL'));
    return child;
  };
  const kill = async (child: ReturnType<typeof start>) => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };

  const sending = setInterval(() => {
    for (let sent = 0; sent < burst; sent++) upstream.send();
  }, 10);
  t.teardown(() => clearInterval(sending));
  const sent = () => upstream.sent.filter(({ listeners }) => listeners > 0).length;
  const more = async () => {
    const enough = sent() + between;
    await until(() => sent() >= enough, 'events are sent on an open connection');
  };

  const history = start('history');
  const feed = start('feed');
  await more();
  upstream.disconnect();
  await more();
  await kill(feed);
  start('feed');
  await more();
  await kill(history);
  await more();
  start('history');
  clearInterval(sending);

  /** Events of a time of which the log says that it was heard, and which are not stored. */
  const missing = () => {
    const stored = new Set(storedIn(file));
    return upstream.sent.filter(
      ({ at, listeners }, number) => listeners > 0 && heard.holds(at) && !stored.has(number),
    );
  };
  await until(() => missing().length === 0, 'all is stored', 30_000, 100).catch(() => {});
  t.same(missing(), []);
  const rows = storedIn(file);
  t.equal(rows.length, new Set(rows).size, 'none is stored twice');
  const unheard = upstream.sent.filter(({ listeners }) => listeners === 0).length;
  t.ok(unheard > 1 && rows.length >= 2 * between, 'some were sent to none, most are stored');
  t.ok(heard.stretches.length >= 3, 'both holes are named');
});
