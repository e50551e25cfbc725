/** What the recorder writes, read back by zstd and JSON alone. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { dayOf } from '../../../../actors/sources/recording/folder.ts';
import type { RecorderOptions } from '../../../../actors/sources/recording/venue-recording.ts';
import { FakeClock, settle } from '../../../support/clock.ts';
import { outputOf } from '../../../support/command.ts';
import { connecting } from '../../../support/connecting.ts';
import { filesIn, folderOf, linesIn, recording } from '../../../support/recorder.ts';
import { until } from '../../../support/until.ts';
import { listed } from '../../venues/stream-suite.ts';

const start = Date.parse('2026-11-29T23:55:00Z');
const trades = { name: 'trades/spot', part: 'spot', types: ['trades'] as const };

/** The lines that are frames. */
const framesIn = (lines: readonly unknown[]) => lines.filter((line) => Array.isArray(line));
const kinds = (lines: readonly unknown[]) =>
  lines.map((line) => (Array.isArray(line) ? 'frame' : Object(line).kind));

t.test('a connection is recorded as it was, with what it has sent', async (t) => {
  const { clock, start: connect, peer, server, messages, ...stage } = await connecting(t, {});
  const { recorder, folder } = await recording(t, clock, {});
  const stream = recorder.stream('x', trades);
  const connections = connect(listed([{ market: 'A' }]), { recording: stream });
  const first = await peer(1);
  const texts = ['{"a": 1.50}', 'pong', '[1,\n2]', '"x"'];
  for (const text of texts) first.send(text);
  await until(() => messages.length === texts.length, 'they are read');
  first.reset();
  await stage.lost(1);
  connections.close();
  await recorder.stop();
  const [file = ''] = await filesIn(folder);
  const lines = await linesIn(folder, file);
  t.strictSame(
    kinds(lines),
    ['file', 'instruments', 'open', 'sent', 'frame', 'frame', 'frame', 'frame', 'end'],
    'the head, then what happened in its order',
  );
  t.match(lines[0], { exchange: 'x', process: 'test', follows: null });
  t.match(lines[2], { stream: 'trades/spot', part: 'spot', url: `${server.url}/stream` });
  t.match(lines[3], { text: 'subscribe' });
  t.match(lines.at(-1), { why: /ended \(1006\)/ });
  const now = clock.now() * 1_000;
  const found = framesIn(lines).map((line) => Object(line));
  t.strictSame(
    found.map(([, , message]) => message),
    [{ a: 1.5 }, 'pong', '[1,\n2]', '"x"'],
  );
  for (const [time] of found) t.ok(Math.abs(time - now) < 60e6, 'microseconds since the epoch');
});

/** A stream of two markets with one connection, whose messages name theirs. */
async function streamed(t: Test, more: Partial<RecorderOptions> = {}, lease?: { isHeld: boolean }) {
  const clock = new FakeClock(start);
  const stage = await recording(t, clock, more);
  const held = lease && { isHandedOver: false, watch: () => () => {}, ...lease };
  const stream = stage.recorder.stream('x', trades, held);
  const one = stream?.connection('wss://x.example/stream');
  one?.opened();
  one?.follow(listed(['A', 'B'].map((market) => ({ market, symbol: market }))));
  const hear = (text: string, ...markets: string[]) =>
    one?.hear(text, () => {
      for (const market of markets) one.note(market);
      return markets.length > 0;
    });
  const lines = async () => {
    await stage.recorder.stop();
    const files = await filesIn(stage.folder);
    return Promise.all(files.map((file) => linesIn(stage.folder, file)));
  };
  return { ...stage, clock, stream, held, one, hear, lines };
}

const textsIn = (lines: readonly unknown[]) => framesIn(lines).map((line) => Object(line)[2]);

t.test('a file has ten minutes, and can be read without the one before it', async (t) => {
  const { clock, hear, stream, one, folder, lines } = await streamed(t);
  const c = one?.number ?? 0;
  const book = {
    market: 'A',
    c,
    bids: [1, 2],
    asks: [3, 4],
    last: 5,
    stated: null,
    edges: [null, null] as const,
  };
  if (stream) stream.books = () => [book];
  one?.sent('subscribe');
  hear('["subscribed"]');
  hear('[1]', 'A');
  await clock.advance(4 * 60_000);
  hear('[2]', 'A');
  await clock.advance(2 * 60_000);
  hear('[3]', 'A');
  const [first = [], second = [], ...others] = await lines();
  t.strictSame(others, []);
  t.strictSame([textsIn(first), textsIn(second)], [[['subscribed'], [1], [2]], [[3]]]);
  const [before, after] = await filesIn(folder);
  t.match(before, /^x\/2026-11-29\/235500000-/);
  t.match(after, /^x\/2026-11-30\/0000/);
  t.strictSame(kinds(second), ['file', 'instruments', 'open', 'book', 'frame']);
  t.match(second[0], { follows: before });
  t.match(second[2], { stream: 'trades/spot', sent: ['subscribe'], earlier: ['["subscribed"]'] });
  t.match(second[2], { c });
  t.match(second[3], { part: 'spot', ...book });
});

t.test('without polls or messages no further file is begun until there are some', async (t) => {
  const clock = new FakeClock(start);
  const { recorder, folder } = await recording(t, clock, {});
  const poll = { part: 'spot', topics: ['prices'], requests: ['rest /a'], bodies: [{}] };
  recorder.poll('x', poll);
  await clock.advance(26 * 60_000);
  t.equal((await filesIn(folder)).length, 2, 'the second one has a head alone');
  recorder.poll('x', poll);
  await recorder.stop();
  const files = await filesIn(folder);
  const heads = await Promise.all(files.map((file) => linesIn(folder, file)));
  t.strictSame(heads.map(kinds).at(-1), ['file', 'instruments', 'poll']);
  t.strictSame(
    heads.map(([head]) => Object(head).follows),
    [null, files[0], null],
  );
});

t.test('of other symbols only what is about wanted ones too, or about none', async (t) => {
  const { hear, lines } = await streamed(t, { symbols: ['B'] });
  hear('[0]');
  hear('[1]', 'A');
  hear('[2]', 'B');
  hear('[3]', 'A', 'B');
  hear('[4]', 'A');
  const [found = []] = await lines();
  t.strictSame(textsIn(found), [[0], [2], [3]]);
  const list = Object(found.find((line) => Object(line).kind === 'instruments'));
  t.match(list.rows, [{ market: 'B' }]);
});

t.test('of other symbols no book is recorded', async (t) => {
  const { clock, stream, hear, lines, one } = await streamed(t, { symbols: ['B'] });
  const book = (market: string) => ({
    market,
    c: one?.number ?? 0,
    bids: [1, 2],
    asks: [3, 4],
    last: 5,
    stated: null,
    edges: [null, null] as const,
  });
  if (stream) stream.books = () => [book('A'), book('B')];
  await stream?.venue.close();
  await clock.advance(100);
  for (const market of ['A', 'B']) {
    stream?.whole(market, 1, {});
    stream?.resync(market, 'gap');
    stream?.recovered(market, []);
  }
  hear('[1]', 'B');
  const found = await lines();
  const about = found.flat().map((line) => Object(line));
  t.strictSame(
    about.flatMap(({ kind, market }) => (market === undefined ? [] : [`${kind} ${market}`])),
    ['book B', 'whole B', 'resync B', 'recovered B'],
  );
});

t.test('a list stands before the messages that are read by it', async (t) => {
  let markets = listed([]);
  const clock = new FakeClock(start);
  const { recorder, folder } = await recording(t, clock, { listed: () => markets });
  const one = recorder.stream('x', trades)?.connection('wss://x.example/stream');
  one?.opened();
  markets = listed([{ market: 'A' }]);
  one?.follow(markets);
  one?.hear('[1]', () => true);
  await recorder.stop();
  const [file = ''] = await filesIn(folder);
  t.strictSame(kinds(await linesIn(folder, file)), ['file', 'open', 'instruments', 'frame']);
});

t.test('what the disk does not take is told where it is missing', async (t) => {
  const { clock, hear, statuses, lines } = await streamed(t);
  const large = `["${'x'.repeat(3 * 2 ** 20)}"]`;
  let heard = 0;
  for (; heard < 5; heard++) hear(large, 'A');
  await until(async () => {
    await clock.advance(500);
    heard += 1;
    hear('[1]', 'A');
    return Object(statuses.at(-1)).dropped?.overflow > 0;
  }, 'there is room again');
  const [found = []] = await lines();
  const rows = found.map((line) => Object(line));
  const at = rows.findIndex(({ kind }) => kind === 'lost');
  const [before, lost, after] = rows.slice(at - 1, at + 2);
  t.equal(lost.lines + framesIn(found).length, heard, 'each that is missing is counted');
  t.ok(before[0] <= lost.t && lost.t <= after[0], 'at the time of the first');
});

t.test('types and exchanges that are not named are not recorded', async (t) => {
  const { recorder } = await recording(t, new FakeClock(start), {
    types: new Set(['books']),
    exchanges: ['x'],
  });
  t.equal(recorder.stream('x', trades), null);
  t.equal(recorder.stream('y', { ...trades, types: ['books'] }), null);
  t.ok(recorder.stream('x', { ...trades, types: ['trades', 'books'] }));
});

t.test('while another process has the exchange it records', async (t) => {
  const { clock, hear, held, lines } = await streamed(t, {}, { isHeld: false });
  hear('[1]', 'A');
  if (held) held.isHeld = true;
  hear('[2]', 'A');
  if (held) held.isHeld = false;
  await clock.advance(500);
  hear('[3]', 'A');
  if (held) held.isHeld = true;
  await clock.advance(500);
  hear('[4]', 'A');
  const found = await lines();
  t.strictSame(found.map(textsIn), [[[2]], [[4]]]);
  for (const [head, , open] of found) {
    t.match(head, { follows: null }, 'it is not known what came between');
    t.match(open, { kind: 'open', stream: 'trades/spot' });
  }
});

t.test('a full disk stops the recorder until there is room', async (t) => {
  const disk = { free: 1e12 };
  const { clock, recorder, hear, statuses, lines } = await streamed(t, {
    free: async () => disk.free,
  });
  hear('[1]', 'A');
  disk.free = 1e6;
  const reported = (state: string) =>
    until(async () => {
      await clock.advance(60_000);
      return statuses.at(-1)?.state === state;
    }, `it is ${state}`);
  await reported('failing');
  t.match(statuses.at(-1), { source: 'recorder', part: 'x', last_error: { message: /full/ } });
  t.equal(hear('[2]', 'A'), true, 'messages are read on');
  disk.free = 1e12;
  await until(async () => {
    await clock.advance(60_000);
    return recorder.stopped === null;
  }, 'it goes on');
  hear('[3]', 'A');
  await reported('up');
  t.strictSame((await lines()).flatMap(textsIn), [[1], [3]]);
});

t.test('a look at the disk that ends after a stop begins nothing again', async (t) => {
  const disk = Promise.withResolvers<number>();
  const looks = [Promise.resolve(1e12), disk.promise];
  const free = async () => (await looks.shift()) ?? 1e12;
  const { recorder } = await streamed(t, { free });
  await until(() => looks.length === 1, 'it has looked for the first time');
  const looked = recorder.tidy();
  await until(() => looks.length === 0, 'it looks again');
  await recorder.stop();
  disk.resolve(1e12);
  await looked;
  t.equal(recorder.stopped, 'the process ends');
});

t.test('a folder that cannot be written stops nothing else', async (t) => {
  const { clock, folder, hear, recorder } = await streamed(t);
  await settle();
  await writeFile(join(folder, 'y'), 'no folder');
  recorder.stream('y', trades)?.connection('wss://y.example').opened();
  t.match(recorder.stopped, /EEXIST|ENOTDIR/);
  t.equal(hear('[1]', 'A'), true);
  await rm(join(folder, 'y'));
  await until(async () => {
    await clock.advance(60_000);
    return recorder.stopped === null;
  }, 'it is tried again');
});

t.test('the oldest days go, of all exchanges, and never the running one', async (t) => {
  const clock = new FakeClock(start);
  const at = (days: number) => dayOf(start - days * 86_400_000);
  const { recorder, folder } = await recording(t, clock, { keepDays: 5, mostBytes: 350 });
  const put = async (exchange: string, day: string) => {
    await mkdir(join(folder, exchange, day), { recursive: true });
    await writeFile(join(folder, exchange, day, '000000000-test.jsonl.zst'), 'x'.repeat(100));
  };
  const days = async () => (await filesIn(folder)).map((file) => file.split('/').slice(0, 2));
  for (const [exchange, age] of [
    ['x', 6],
    ['x', 4],
    ['y', 4],
    ['x', 1],
    ['x', 0],
  ] as const)
    await put(exchange, at(age));
  await recorder.tidy();
  t.strictSame(
    await days(),
    [
      ['x', at(1)],
      ['x', at(0)],
    ].sort(),
  );
  t.equal(recorder.stopped, null);
  for (const exchange of ['y', 'z', 'a']) await put(exchange, at(0));
  await recorder.tidy();
  t.equal((await days()).length, 4);
  t.match(recorder.stopped, /today/);
});

t.test('after a kill all is there but what the last second brought', async (t) => {
  const folder = await folderOf(t);
  const script = join(import.meta.dirname, '..', '..', '..', 'support', 'recording-process.ts');
  const runs = 3;
  for (let run = 1; run <= runs; run++) {
    const child = spawn(process.execPath, [script, folder]);
    const said = outputOf(child);
    await until(() => said.out.split('\n').length > 150 + 70 * run, 'it has recorded for a while');
    child.kill('SIGKILL');
    await once(child, 'close');
    t.equal(said.err, '');
    const files = await filesIn(folder);
    t.equal(files.length, run, 'each process has a file of its own');
    const found = framesIn(await linesIn(folder, files.at(-1) ?? '')).map((line) => Object(line));
    const numbers = found.map(([, , { number }]) => number);
    t.ok(
      numbers.every((number, at) => number === at + 1),
      'each once, none is missing between',
    );
    const lines = said.out
      .trim()
      .split('\n')
      .map((line) => line.split(' ').map(Number));
    const killed = lines.at(-1)?.[1] ?? 0;
    const [sure = 0] = lines.findLast(([, at = 0]) => at < killed - 1_000) ?? [];
    t.ok(numbers.length >= sure, `${numbers.length} of ${sure} that are older than a second`);
  }
});
