/** The WebSocket of the simulated Lighter: one message a second, and what faults do to them. */
import t, { type Test } from 'tap';
import { type Simulator, startSimulator } from '../../../scripts/simulator/main.ts';
import { FakeClock } from '../../support/clock.ts';
import { until } from '../../support/until.ts';

const host = 'mainnet.zklighter.elliot.ai';
const subscribe = '{"type":"subscribe","channel":"market_stats/all"}';

async function stage(t: Test) {
  const clock = new FakeClock(Date.UTC(2026, 7, 14, 13, 37, 21));
  const simulator = await startSimulator({ clock, symbols: 20 });
  t.teardown(() => simulator.close());
  return { clock, simulator };
}

/** An open connection and the texts that came over it. */
async function connect(t: Test, simulator: Simulator, frames: readonly string[]) {
  const socket = new WebSocket(`${simulator.url.replace('http', 'ws')}/${host}/stream`);
  t.teardown(() => socket.close());
  const texts: string[] = [];
  const state = { closed: false };
  socket.addEventListener('message', ({ data }) => texts.push(String(data)));
  for (const end of ['close', 'error']) {
    socket.addEventListener(end, () => {
      state.closed = true;
    });
  }
  socket.addEventListener('open', () => {
    for (const frame of frames) socket.send(frame);
  });
  const count = (n: number) => until(() => texts.length >= n, `${n} messages`);
  return { socket, texts, state, count };
}

t.test('one subscription brings a message every second until the connection ends', async (t) => {
  const { clock, simulator } = await stage(t);
  const one = await connect(t, simulator, ['{"type":"ping"}', subscribe, subscribe, 'hello']);
  await one.count(2);
  await clock.advance(3_000);
  await one.count(5);
  const types = one.texts.map((text) => JSON.parse(text).type);
  const update = 'update/market_stats';
  t.strictSame(types, ['pong', 'subscribed/market_stats', update, update, update]);
  const stamps = one.texts.slice(1).map((text) => JSON.parse(text).timestamp);
  t.strictSame(
    stamps.map((stamp) => stamp - stamps[0]),
    [0, 1_000, 2_000, 3_000],
  );
  one.socket.close();
  await until(() => clock.pending === 0, 'no timer is left');
});

t.test('a channel that there is not', async (t) => {
  const { simulator } = await stage(t);
  const frame = '{"type":"subscribe","channel":"nonsense"}';
  const { texts, count } = await connect(t, simulator, [frame]);
  await count(1);
  t.match(JSON.parse(texts[0] ?? ''), { error: { code: 30_003 } });
});

t.test('faults of messages', async (t) => {
  const { clock, simulator } = await stage(t);
  const { texts, state, count } = await connect(t, simulator, [subscribe]);
  await count(1);
  const next = async (kind: string) => {
    const before = texts.length;
    simulator.faults.set([{ host, kind }]);
    await clock.advance(1_000);
    await count(before + 1);
    return texts.at(-1) ?? '';
  };
  t.equal(await next('garbage'), '\u0001{"a":]%%');
  t.match(await next('html'), /^<html>/);
  t.match(JSON.parse(await next('wrong_shape')).type, null);
  const since = simulator.model.now();
  await next('frozen');
  t.equal(JSON.parse(texts.at(-1) ?? '').timestamp, since);
  simulator.faults.set([{ host, kind: 'stall' }]);
  const before = texts.length;
  await clock.advance(10_000);
  simulator.faults.clear();
  await clock.advance(1_000);
  await count(before + 1);
  t.equal(JSON.parse(texts[before] ?? '').timestamp, simulator.model.now(), 'none of the stall');
  simulator.faults.set([{ host, kind: 'reset' }]);
  await clock.advance(1_000);
  await until(() => state.closed, 'any other fault ends the connection');
  t.equal(clock.pending, 0, 'and its timers');
});

t.test('faults of connections', async (t) => {
  const { simulator } = await stage(t);
  for (const kind of ['reset', 'rate_limit']) {
    simulator.faults.set([{ host, kind }]);
    const { state, texts } = await connect(t, simulator, [subscribe]);
    await until(() => state.closed, `${kind} refuses it`);
    t.same(texts, []);
  }
  simulator.faults.set([{ host, kind: 'garbage' }]);
  const { count, texts } = await connect(t, simulator, [subscribe]);
  await count(1);
  t.equal(texts[0], '\u0001{"a":]%%', 'it opens, and what it says is garbage');
});
