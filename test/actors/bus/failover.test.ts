/** The bus on real servers that Sentinels watch, whose master is killed. */
import t from 'tap';
import { createBus, type LogPosition } from '../../../actors/bus/bus.ts';
import { feedStatus, liquidations } from '../../support/makers.ts';
import { startGroup } from '../../support/redis-group.ts';
import { until } from '../../support/until.ts';

const group = await startGroup(t);
const { url } = group;
const status = (rows: number) => feedStatus({ rows });
const entry = (at: number) => liquidations({ source: 'x', part: 'all', at, since: null });

function join(process: string) {
  const bus = createBus({ url, process, random: () => 0.5 });
  t.teardown(() => bus.close());
  return bus;
}

/** Follows a topic with state and one with a log. */
function watch(process: string) {
  const newest = new Map<string, number>();
  const rows: number[] = [];
  const events: number[] = [];
  const places: LogPosition[] = [];
  const restarts: string[] = [];
  const follower = join(process).follow(
    {
      status(key, value) {
        newest.set(key, value.rows);
        rows.push(value.rows);
      },
      liquidations(_key, { at }, place) {
        events.push(at);
        places.push(place);
      },
    },
    { onRestart: (topic) => restarts.push(topic) },
  );
  return { newest, rows, events, places, restarts, follower };
}

const bus = join('publisher');
const published = async (rows: number, key = 'k') => {
  const tell = async () => (await bus.publish('status', key, status(rows))) === 'published';
  await until(tell, 'it is published', 20_000);
};

t.test('a follower goes on by its position where the replica has it', async (t) => {
  await published(1);
  await bus.publish('liquidations', 'x/all', entry(1));
  const { newest, rows, events, restarts, follower } = watch('a');
  await follower.ready;
  const { master } = await group.roles();
  await group.inStep(1);
  await master.kill();
  await group.promoted(master);
  await published(2);
  await bus.publish('liquidations', 'x/all', entry(2));
  await until(() => newest.get('k') === 2 && events.length === 2, 'the next ones have come');
  t.strictSame(events, [1, 2]);
  t.strictSame(restarts, []);
  t.strictSame(rows, [1, 2], 'no value came again');
  await master.restart();
  await group.inStep(1);
  await follower.stop();
});

t.test(
  'it reads the last values again where it has not, and no event of a log is left out',
  async (t) => {
    const { newest, events, places, restarts, follower } = watch('b');
    await follower.ready;
    const known = events.length;
    const { master } = await group.roles();
    await group.cutOff();
    for (const rows of [3, 4, 5]) await published(rows, 'lost');
    for (const at of [3, 4]) await bus.publish('liquidations', 'x/all', entry(at));
    await until(() => newest.get('lost') === 5 && events.length === known + 2, 'they have come');
    await master.kill();
    await group.promoted(master);
    await group.reconnect();
    await published(6);
    for (const at of [6, 7, 8]) await bus.publish('liquidations', 'x/all', entry(at));
    await until(() => newest.get('k') === 6 && events.at(-1) === 8, 'the next ones have come');
    t.strictSame(events.slice(known), [3, 4, 6, 7, 8], 'though their numbers were given before');
    t.equal(places.at(-1)?.seq, (places[known - 1]?.seq ?? 0) + 3);
    t.strictSame(restarts, []);
    const again = watch('c');
    await again.follower.ready;
    t.strictSame([...again.newest], [['k', 6]], 'what the replica never had is lost, for all');
    await master.restart();
    await group.inStep(1);
  },
);

t.test('fencing numbers grow, though the replica never got the latest', async (t) => {
  const leases = bus.leases();
  const { master } = await group.roles();
  await group.cutOff();
  const old = Number(await leases.acquire('binance', 'a', 60_000));
  const fence = { name: 'binance', fence: old };
  t.equal(await bus.publish('status', 'f', status(1), fence), 'published');
  await master.kill();
  await group.promoted(master);
  await group.reconnect();
  await published(7);
  const look = () =>
    leases.look(['binance']).then(
      () => true,
      () => false,
    );
  await until(look, 'the connection of the leases is back');
  t.equal(
    await leases.renew('binance', 'a', 60_000, old),
    false,
    'the promoted one does not know it',
  );
  const next = Number(await leases.acquire('binance', 'b', 60_000));
  t.ok(next > old);
  t.equal(await bus.publish('status', 'f', status(2), { ...fence, fence: next }), 'published');
  t.equal(await bus.publish('status', 'f', status(3), fence), 'refused');
  await master.restart();
  await group.inStep(1);
});

t.test('a master that only stood still is left for the new one', async (t) => {
  const { master } = await group.roles();
  master.freeze();
  await group.promoted(master);
  await published(8);
  master.thaw();
  await published(9);
  const { master: now } = await group.roles();
  t.equal(await group.client(now).exists('last:status'), 1);
  t.equal((await bus.lastOf('status', 'k'))?.rows, 9);
  await group.inStep(1);
  t.equal(
    await group.client(master).hget('last:status', 'k'),
    await group.client(now).hget('last:status', 'k'),
  );
});

t.test('a group that the Sentinels do not know, and Sentinels that are not there', async (t) => {
  const open = (at: string) => {
    const one = createBus({ url: at, process: 'lost', random: () => 0.5 });
    t.teardown(() => one.close());
    return one;
  };
  const unknown = open(`${url}x`);
  t.equal(await unknown.publish('status', 'k', status(1)), 'unavailable', 'at once');
  await until(() => unknown.fault() !== null, 'it is said', 5_000);
  t.match(unknown.fault()?.message, /^All sentinels are unreachable.*No such master/);
  t.equal(unknown.state(), 'down');
  const nobody = open('redis+sentinel://127.0.0.1:1/tidemark');
  await nobody.publish('status', 'k', status(1));
  await until(() => nobody.fault() !== null, 'it is said', 5_000);
  t.match(
    nobody.fault()?.message,
    /^All sentinels are unreachable.*Last error: Connection is closed/,
  );
});

t.test('a follower of a replica', async (t) => {
  const read = createBus({ url: `${url}?role=replica`, process: 'r', random: () => 0.5 });
  t.teardown(() => read.close());
  let newest = 0;
  read.follow({
    status: (key, { rows }) => {
      if (key === 'k') newest = rows;
    },
  });
  await published(10);
  await until(() => newest === 10, 'it has come', 20_000);
  t.equal(
    await read.publish('status', 'k', status(11)),
    'unavailable',
    'a replica takes no writes',
  );
});
