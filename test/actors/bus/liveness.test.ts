import t from 'tap';
import {
  claim,
  die,
  join,
  leave,
  live,
  livenessScripts,
  Presence,
} from '../../../actors/bus/liveness.ts';
import { closeAtOnce, connect } from '../../../actors/bus/redis.ts';
import { Commands } from '../../../actors/bus/script.ts';
import { redisStage } from '../../support/bus-stage.ts';
import { FakeClock } from '../../support/clock.ts';

const { server, raw } = await redisStage(t);
const redis = connect(server.url, { name: 'p' });
t.teardown(() => closeAtOnce(redis));
const commands = new Commands(redis, livenessScripts);

/** The processes that have read queries, with the number of those that are not answered. */
const readers = async () => {
  const rows = await raw.xinfo('CONSUMERS', 'query:okx', 'servers');
  return (Array.isArray(rows) ? rows : []).map(([, name, , pending]) => `${name} ${pending}`);
};
const read = (process: string) =>
  raw.xreadgroup('GROUP', 'servers', process, 'STREAMS', 'query:okx', '>');

t.test('a sign of life lasts three seconds', async (t) => {
  await live(commands, 'p');
  const left = await raw.pttl('alive:p');
  t.ok(left > 2_000 && left <= 3_000, `${left} ms`);
  await die(commands, 'p');
  t.equal(await raw.exists('alive:p'), 0);
});

t.test('queries of the dead are claimed, as many as there is room for', async (t) => {
  t.strictSame(await claim(commands, 'heir', 'okx', 9), [], 'no process serves the source');
  const ids = [];
  for (const at of [1, 2, 3]) ids.push(await raw.xadd('query:okx', '*', 'id', at));
  for (let i = 0; i < 2; i++) await join(commands, 'okx');
  for (const process of ['victim', 'idle']) await read(process);
  await live(commands, 'victim');
  t.strictSame(await claim(commands, 'heir', 'okx', 9), [], 'it lives');
  await die(commands, 'victim');
  const claimed = async (most: number) =>
    (await claim(commands, 'heir', 'okx', most)).map(({ id, fields }) => [
      id,
      `${fields?.get('id')}`,
    ]);
  t.strictSame(await claimed(2), [
    [ids[0], '1'],
    [ids[1], '2'],
  ]);
  t.strictSame(await readers(), ['heir 2', 'victim 1']);
  t.strictSame(await claimed(9), [[ids[2], '3']]);
  t.strictSame(await readers(), ['heir 3']);
  await leave(commands, 'heir', 'okx');
  t.strictSame(await readers(), ['heir 3'], 'a process with queries stays');
  await raw.xack('query:okx', 'servers', ...ids.map(String));
  await leave(commands, 'other', 'okx');
  t.strictSame(await readers(), ['heir 0']);
  await leave(commands, 'heir', 'okx');
  t.strictSame(await readers(), []);
  await raw.set('query:text', '');
  await t.rejects(join(commands, 'text'), /WRONGTYPE/);
});

t.test('a source is served by a process that lives; Redis is asked once a second', async (t) => {
  const clock = new FakeClock();
  const presence = new Presence(commands, clock);
  const isServed = async (ms = 1_000) => {
    await clock.advance(ms);
    return presence.served('okx');
  };
  await raw.del('query:okx', 'alive:heir');
  t.equal(await isServed(), false, 'without a group');
  await join(commands, 'okx');
  await raw.xgroup('CREATECONSUMER', 'query:okx', 'servers', 'heir');
  t.equal(await isServed(), false, 'without a sign of life');
  await live(commands, 'heir');
  t.equal(await isServed(999), false, 'as it was seen');
  t.equal(await isServed(1), true);
  await die(commands, 'heir');
  t.equal(await isServed(), false);
});
