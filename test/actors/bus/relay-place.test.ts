/** Which of several processes on a machine relays. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { access, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { startRelay } from '../../../actors/bus/relay/relay.ts';
import { allTopics, redisStage } from '../../support/bus-stage.ts';
import { status, watch } from '../../support/follow-contract.ts';
import { until } from '../../support/until.ts';

/** A relay in a process of its own; resolves with its state. */
async function relayProcess(
  t: Pick<typeof import('tap').t, 'teardown'>,
  options: { url: string; path: string; process: string },
): Promise<{ child: ChildProcess; state: unknown }> {
  const script = join(import.meta.dirname, '..', '..', 'support', 'relay-process.ts');
  const child = fork(script, [JSON.stringify(options)]);
  t.teardown(() => child.kill('SIGKILL'));
  const [state] = await once(child, 'message');
  return { child, state };
}

for (const [how, signal] of [
  ['ends', 'SIGTERM'],
  ['is killed', 'SIGKILL'],
  ['hangs', 'SIGSTOP'],
] as const) {
  t.test(`the next process takes over when one ${how}`, async (t) => {
    const stage = await redisStage(t);
    const path = join(stage.server.dir, 'relay.sock');
    const { url } = stage.server;
    const first = await relayProcess(t, { url, path, process: 'one' });
    t.equal(first.state, 'relaying');
    const second = await startRelay({ url, path, process: 'two', topics: allTopics });
    t.teardown(() => second.stop());
    t.equal(second.state(), 'standby');
    const publisher = stage.join();
    const { newest, seen, follower } = watch(stage.join({ relay: path }));
    await follower.ready;
    await publisher.publish('status', 'k', status(1));
    await until(() => newest.get('k') === 1, 'the first relays');
    first.child.kill(signal);
    await publisher.publish('status', 'k', status(2));
    await until(() => second.state() === 'relaying', 'the second relays');
    await publisher.publish('status', 'k', status(3));
    await until(() => newest.get('k') === 3, 'the follower has what came since');
    t.strictSame(seen, seen.toSorted(), 'no value went back');
    await until(() => follower.state() === 'up', 'it is up');
    if (signal !== 'SIGSTOP') return;
    const late = await relayProcess(t, { url, path, process: 'three' });
    t.equal(late.state, 'standby');
    first.child.kill('SIGCONT');
    await publisher.publish('status', 'k', status(4));
    await until(() => newest.get('k') === 4, 'one that comes back takes nothing away');
    t.equal(second.state(), 'relaying');
  });
}

t.test(
  'two that start at once, or find a socket that nobody has: one of them relays',
  async (t) => {
    const stage = await redisStage(t);
    const path = join(stage.server.dir, 'relay.sock');
    // A listener that is killed leaves its socket behind: so does a renamed one.
    await writeFile(path, '');
    const begin = async (process: string) => {
      const relay = await startRelay({ url: stage.server.url, path, process, topics: allTopics });
      t.teardown(() => relay.stop());
      return relay;
    };
    const relays = await Promise.all(['one', 'two', 'three'].map(begin));
    const relaying = () => relays.filter((one) => one.state() === 'relaying').length;
    await until(() => relaying() === 1, 'one relays');
    const { newest } = watch(stage.join({ relay: path }));
    await stage.join().publish('status', 'k', status(1));
    await until(() => newest.get('k') === 1, 'it is followed');
    t.equal(relaying(), 1);
    await Promise.all(relays.map((one) => one.stop()));
    await t.rejects(access(path), 'the last one takes the socket away');
    t.strictSame(
      (await readdir(stage.server.dir)).filter((name) => name.includes('relay')),
      [],
    );
  },
);

t.test('a place where no socket can be', async (t) => {
  const stage = await redisStage(t);
  const path = join(stage.server.dir, 'none', 'relay.sock');
  const about = { url: stage.server.url, process: 'one', topics: allTopics };
  await t.rejects(startRelay({ ...about, path }), /EACCES|ENOENT/);
});

t.test('another program on the socket that says nothing is replaced', async (t) => {
  const stage = await redisStage(t);
  const path = join(stage.server.dir, 'relay.sock');
  const silent = createServer(() => {});
  t.teardown(() => silent.close());
  silent.listen(path);
  await once(silent, 'listening');
  const relay = await startRelay({
    url: stage.server.url,
    path,
    process: 'one',
    topics: allTopics,
  });
  t.teardown(() => relay.stop());
  t.equal(relay.state(), 'relaying');
});
