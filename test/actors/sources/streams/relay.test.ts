/** Channels that are passed on, on a real WebSocket, with a clock that is moved by hand. */
import t, { type Test } from 'tap';
import { asRow, text } from '../../../../actors/read.ts';
import { SourceStatus } from '../../../../actors/sources/status/status.ts';
import { Relay, relayedFrames } from '../../../../actors/sources/streams/relay.ts';
import type { RelayStream } from '../../../../actors/sources/streams/stream.ts';
import { FakeClock } from '../../../support/clock.ts';
import { streamScene } from '../../../support/streaming.ts';
import { until } from '../../../support/until.ts';

const stream: RelayStream = {
  url: 'wss://x.example/stream',
  silence: 1e9,
  channels: (wanted) => [...wanted.keys()].map((name) => `{"method":"subscribe","of":"${name}"}`),
  nameOf: (message) => text(asRow(message).of) || null,
};

async function stage(t: Test) {
  const { server, clock, supervisor, peer } = await streamScene(t, 1_790_000_000_000);
  const relay = new Relay(clock);
  const status = new SourceStatus({ source: 'x', clock, publish: () => {} });
  const behaviour = relayedFrames({
    source: 'x',
    part: 'all',
    stream,
    relay,
    random: () => 0,
    gateway: `http://${server.host}`,
    status: status.row('relay', 'all'),
  });
  supervisor.spawn({ name: 'relay', behaviour });
  let began = 0;
  /** Asks for what is newer than these numbers; the clock goes on meanwhile. */
  const ask = async (next: Readonly<Record<string, number>>, of = began) => {
    const asked = relay.ask({ began: of, next });
    await clock.advance(250);
    const reply = await asked;
    began = reply.began;
    return Object.fromEntries(
      Object.entries(reply.frames).map(([name, { next: after, texts }]) => [
        name,
        [after, ...texts.map((one) => JSON.parse(one).n)],
      ]),
    );
  };
  return { server, clock, peer, ask, began: () => began, status: status.row('relay', 'all') };
}

t.test('one subscription for all who ask, as long as any does', async (t) => {
  const { server, clock, peer, ask, status } = await stage(t);
  t.equal(server.attempts, 0);
  t.equal(status.values.state, 'standby');
  for (let i = 0; i < 20; i++) t.strictSame(await ask({ A: 0 }), {});
  const upstream = await peer(1);
  t.strictSame(upstream.received, ['{"method":"subscribe","of":"A"}']);
  for (const n of [1, 2, 3]) upstream.send(`{"of":"A","n":${n}}`);
  upstream.send('{"of":"B","n":9}');
  let found = {};
  await until(async () => {
    found = await ask({ A: 1 });
    return Object.keys(found).length > 0 && JSON.stringify(found).includes('3');
  }, 'frames come');
  t.strictSame(found, { A: [4, 1, 2, 3] }, 'all that are newer than those that it has');
  t.strictSame(
    await ask({ A: 0 }, 7),
    { A: [4, 3] },
    'the newest alone to who asks the first time',
  );
  t.strictSame(await ask({ A: 0 }), { A: [4, 3] }, 'and to who asks for another one already');
  t.strictSame(await ask({ A: 900 }), { A: [4, 3] }, 'and where the numbers have begun anew');
  t.strictSame(await ask({ A: 4 }), {}, 'nothing new');
  await ask({ A: 4, B: 0 });
  await until(() => upstream.received.length === 2, 'another one on the same connection');
  for (let i = 0; i < 80; i++) {
    await ask({ B: 0 });
    await clock.advance(1_000);
  }
  await until(() => upstream.received.length === 3, 'nobody asks for the first any more');
  t.strictSame(upstream.received.slice(1), [
    '{"method":"subscribe","of":"B"}',
    '{"method":"unsubscribe","of":"A"}',
  ]);
  await clock.advance(120_000);
  await until(() => server.connections() === 0, 'nor for any');
  t.equal(server.attempts, 1);
});

t.test('who asks for more than may be followed is told', async (t) => {
  const relay = new Relay(new FakeClock());
  const names = Array.from({ length: 501 }, (_, i) => `n${i}`);
  for (const name of names.slice(0, 500)) void relay.ask({ began: 0, next: { [name]: 0 } });
  t.match(await relay.ask({ began: 0, next: { n500: 0 } }), { isFull: true });
});

t.test('after a lost connection it is another record, without the frames before', async (t) => {
  const { clock, peer, ask, began } = await stage(t);
  await ask({ A: 0 });
  const upstream = await peer(1);
  upstream.send('{"of":"A","n":1}');
  await until(async () => Object.keys(await ask({ A: 0 })).length > 0, 'a frame');
  const before = began();
  upstream.close();
  await until(async () => {
    await ask({ A: 0 });
    return began() !== before;
  }, 'who asks is told');
  t.strictSame(await ask({ A: 0 }), {});
  await clock.advance(10_000);
  await ask({ A: 0 });
  (await peer(2)).send('{"of":"A","n":2}');
  let found = {};
  await until(async () => {
    found = await ask({ A: 0 });
    return Object.keys(found).length > 0;
  }, 'the next frame');
  t.match(found, { A: [Number, 2] });
});
