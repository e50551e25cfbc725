/** What is special of the sink of events, on a real WebSocket, with a clock that is moved by hand. */

import t, { type Test } from 'tap';
import { type Failure, failed, ShapeError } from '../../../../actors/failure.ts';
import { isRecord } from '../../../../actors/read.ts';
import { InstrumentBook } from '../../../../actors/sources/instruments.ts';
import { StatusRow } from '../../../../actors/sources/status/status.ts';
import { listedMarkets } from '../../../../actors/sources/streams/around.ts';
import { eachEvent } from '../../../../actors/sources/streams/events.ts';
import type { EachStream } from '../../../../actors/sources/streams/stream.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import type { FeedStatus, StreamEvents } from '../../../../actors/topics/index.ts';
import { Pace } from '../../../../config/pace.ts';
import { settle } from '../../../support/clock.ts';
import { instrument as instrumentOf } from '../../../support/makers.ts';
import { streamScene } from '../../../support/streaming.ts';
import { until } from '../../../support/until.ts';

interface Event {
  id: number;
  contract: string;
  timestamp: number;
}

const start = 1_750_000_000_000;
const minute = 60_000;

const instrument = (market: string) => instrumentOf({ market, symbol: market, quote: 'USD' });

async function setup(t: Test, more: Partial<EachStream<Event>> = {}) {
  const { server, clock, events, supervisor, peer } = await streamScene(t, start);
  const newest = new NewestRows();
  const book = new InstrumentBook(newest);
  const heard: Omit<StreamEvents<Event>, 'source' | 'part'>[] = [];
  const statuses: FeedStatus[] = [];
  const state = { refusal: null as Failure | null, unknown: 0 };
  const list = (...markets: string[]) =>
    newest.accept('instruments', {
      source: 'x',
      part: 'all',
      asked: 0,
      received: 0,
      rows: markets.map(instrument),
    });
  list('A');
  const stream: EachStream<Event> = {
    url: 'wss://x.example/stream',
    channels: (instruments) => [...instruments.keys()],
    silence: 30 * minute,
    keyOf: ({ id }) => `${id}`,
    acknowledges: (message) => (isRecord(message) && message.ok === true ? 1 : 0),
    /** `[1, 2]` are events of now, -1 is one of an unknown market, -2 a bad one; `{}` is not about data, anything else is unreadable. */
    parse(message) {
      if (isRecord(message)) return null;
      if (!Array.isArray(message)) throw new ShapeError('no list');
      const rows = message.map((id: number) => ({ id, contract: 'A', timestamp: clock.now() }));
      const codeOf = (id: number) => (id === -1 ? 'unknown_instrument' : 'bad_row');
      const bad = rows.filter(({ id }) => id < 0);
      const dropped = bad.map(({ id }) => ({ key: `${id}`, code: codeOf(id) }) as const);
      return { rows: rows.filter(({ id }) => id >= 0), dropped };
    },
    ...more,
  };
  const name = { source: 'x', topic: 'liquidations', part: 'all' };
  const row = new StatusRow(name, (status) => statuses.push(status), clock);
  const behaviour = eachEvent<Event>({
    ...{ source: 'x', part: 'all', stream, gateway: `http://${server.host}` },
    markets: listedMarkets({ book, source: 'x', part: 'all' }),
    pace: new Pace('auto', () => 0),
    status: row,
    async publish({ source: _, part: _part, ...entry }) {
      if (state.refusal === null) heard.push(entry);
      return state.refusal;
    },
    onUnknown: () => void state.unknown++,
    random: () => 0,
  });
  supervisor.spawn({ name: 'all', behaviour });
  await settle();
  const ids = () => heard.flatMap(({ events }) => events.map(({ id }) => id));
  /** The time goes on until so many events are out. */
  const out = (count: number) =>
    until(async () => {
      await clock.advance(20);
      return ids().length >= count;
    }, `${count} events are out`);
  return {
    server,
    clock,
    list,
    heard,
    state,
    events,
    supervisor,
    peer,
    ids,
    out,
    status: () => statuses.at(-1),
    measured: () => row.tally.events.read(clock.now()),
    reported: () => statuses.reduce((sum, { rows }) => sum + rows, 0),
  };
}

t.test(
  'every event is published once, soon, with the time since which the stream is received',
  async (t) => {
    const { peer, heard, ids, out, clock, status, reported, measured } = await setup(t);
    const one = await peer(1);
    one.send('{"ok":true}');
    one.send('[1,2]');
    one.send('nonsense');
    one.send('[2,3]');
    await out(3);
    t.strictSame(ids(), [1, 2, 3]);
    t.strictSame(measured(), { 1: 2 }, 'each message, by the time that it states');
    t.equal(heard.at(-1)?.since, start);
    await clock.advance(minute);
    await clock.advance(minute);
    t.match(heard.at(-1), { since: start, events: [] }, 'it says that nothing came');
    t.match(status(), { state: 'up', subscriptions: { acknowledged: 1, silent: 0 }, rows: 0 });
    t.match(status(), { last_error: { code: 'shape', message: 'no list' } });
    t.equal(reported(), 3, 'all reports together');
  },
);

t.test('what Redis does not take is offered again', async (t) => {
  const { peer, state, clock, ids, out, status } = await setup(t);
  const one = await peer(1);
  state.refusal = failed('unavailable', 'Redis is away').failure;
  one.send('[1,2]');
  await until(async () => {
    await clock.advance(100);
    return status()?.last_error?.code === 'unavailable';
  }, 'it is told');
  one.send('[3]');
  state.refusal = null;
  await out(3);
  t.strictSame(ids(), [1, 2, 3]);
});

t.test('a gap is named: the connection was lost', async (t) => {
  const { server, peer, heard, out, clock } = await setup(t);
  const one = await peer(1);
  one.send('[1]');
  await out(1);
  one.reset();
  await until(async () => {
    await clock.advance(50);
    return heard.at(-1)?.since === null;
  }, 'it says so');
  await until(async () => {
    await clock.advance(1_000);
    return server.peers.length === 2;
  }, 'it connects again');
  const two = await peer(2);
  two.send('[1,2]');
  await out(2);
  const last = heard.at(-1);
  t.same(
    last?.events.map(({ id }) => id),
    [2],
    'without what it had before',
  );
  t.ok((last?.since ?? 0) > start);
});

t.test('before a connection reaches its age limit another one receives data', async (t) => {
  const { server, peer, heard, out, clock } = await setup(t, { lifetime: 10 * minute });
  const one = await peer(1);
  one.send('[1]');
  await out(1);
  await clock.advance(9 * minute);
  t.equal(server.peers.length, 1);
  await clock.advance(49_000);
  const two = await peer(2);
  one.send('[2]');
  await out(2);
  t.ok(one.open, 'the old one is heard until the new one is');
  two.send('[2,3]');
  await out(3);
  await until(() => !one.open, 'then it goes');
  t.ok(
    heard.every(({ since }) => since === start),
    'without a gap',
  );
});

const asked = (names: string) => JSON.stringify({ op: 'subscribe', args: [...names] });

t.test('a stream counts as received once all of its subscriptions are acknowledged', async (t) => {
  const { peer, heard, list, clock, status } = await setup(t, {
    channels: (instruments) => [asked([...instruments.keys()].join(''))],
  });
  list('A', 'B', 'C');
  const one = await peer(1);
  await clock.advance(1_000);
  t.equal(heard.at(-1)?.since ?? null, null, 'it is open, and no more');
  one.send('{"ok":true}');
  one.send('{"ok":true}');
  await clock.advance(1_000);
  t.equal(heard.at(-1)?.since ?? null, null, 'two of three');
  t.not(status()?.state, 'up');
  one.send('{"ok":true}');
  await until(async () => {
    await clock.advance(20);
    return typeof heard.at(-1)?.since === 'number';
  }, 'it is received');
  t.ok((heard.at(-1)?.since ?? 0) >= start + 2_000);
});

t.test('an upstream that refuses some names is received after ten seconds', async (t) => {
  const { peer, heard, clock } = await setup(t, { channels: () => [asked('ABC')] });
  const one = await peer(1);
  one.send('{"ok":true}');
  await clock.advance(9_900);
  t.equal(heard.at(-1)?.since ?? null, null);
  await clock.advance(200);
  t.equal(heard.at(-1)?.since, start + 10_000);
});

t.test(
  'a stream that an upstream leaves unanswered is not received, and asked for again',
  async (t) => {
    const { peer, heard, clock, status } = await setup(t, { channels: () => [asked('ABC')] });
    const one = await peer(1);
    await clock.advance(2 * minute);
    t.equal(heard.at(-1)?.since ?? null, null);
    t.match(status(), { state: 'failing', last_error: { message: /subscriptions/ } });
    await until(() => !one.open, 'another connection has taken over');
    (await peer(2)).send('[1]');
    await until(async () => {
      await clock.advance(20);
      return typeof heard.at(-1)?.since === 'number';
    }, 'data show that it is');
  },
);

t.test('the last words of a stream that is stopped', async (t) => {
  const { peer, heard, supervisor, clock, list, events } = await setup(t);
  const one = await peer(1);
  await clock.advance(20);
  one.send('[1]');
  await new Promise((resolve) => setTimeout(resolve, 50));
  await supervisor.stop();
  const [before, last] = heard.slice(-2);
  t.match(before, { since: start + 20, events: [{ id: 1 }] }, 'until then it was received');
  t.match(last, { at: before?.at, since: null, events: [] });
  list('A', 'B');
  t.strictSame(events, [], 'it follows the lists no more');
});

t.test(
  'a flood goes out in entries of which only the last says until when it is whole',
  async (t) => {
    const { peer, heard, out, clock } = await setup(t);
    const one = await peer(1);
    one.send('[-2]');
    await until(async () => {
      await clock.advance(20);
      return heard.length > 0;
    }, 'it is received');
    await clock.advance(minute / 2);
    const before = heard.length;
    one.send(JSON.stringify(Array.from({ length: 1_200 }, (_, id) => id)));
    await out(1_200);
    const entries = heard.slice(before).filter(({ events }) => events.length > 0);
    t.strictSame(
      entries.map(({ events }) => events.length),
      [500, 500, 200],
    );
    const [first, second, last] = entries.map(({ at }) => at);
    t.equal(first, second);
    t.ok(
      (last ?? 0) > (second ?? 0),
      'a process that dies in between has stated nothing that it lost',
    );
  },
);

t.test('an event of an unknown instrument has the lists read again', async (t) => {
  const { peer, ids, out, state } = await setup(t);
  const one = await peer(1);
  one.send('[1, -2]');
  await out(1);
  t.strictSame([...ids(), state.unknown], [1, 0], 'a bad event has not');
  one.send('[2, -1]');
  await out(2);
  t.equal(state.unknown, 1);
});

t.test('where the clock is set back the stream goes on, received from then', async (t) => {
  const { peer, heard, clock } = await setup(t);
  const one = await peer(1);
  one.send('{"ok":true}');
  const isReceived = async () => {
    await clock.advance(20);
    return typeof heard.at(-1)?.since === 'number';
  };
  await until(isReceived, 'it is received');
  clock.step(-60 * minute);
  const entries = heard.length;
  await clock.advance(minute);
  await clock.advance(minute);
  t.equal(heard.length, entries + 2, 'an entry a minute');
  const { at = 0, since } = heard.at(-1) ?? {};
  t.equal(at - (since ?? Infinity), minute);
});
