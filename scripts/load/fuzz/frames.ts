/** Random WebSocket frames over raw sockets. */
import net from 'node:net';
import { frame, handshake } from '../push/raw-client.ts';
import { Random } from './random.ts';

const paths = [
  '/v1/status',
  '/v1/prices?symbol=BTC',
  '/v1/liquidations/orders',
  '/v1/orderbook?exchange=binance&symbol=BTC',
  '/v1/prices?symbol=%',
  '/v1/prices?symbol=*&symbol=*',
  '//',
  '',
  `/${'a'.repeat(3_000)}`,
] as const;
const texts = [
  '{',
  '[]',
  'null',
  '""',
  '{"op":1}',
  '{"op":"__proto__"}',
  '{"op":"subscribe"}',
  '{"op":"subscribe","id":{},"path":[]}',
  '{"op":"auth","key":"x"}',
  '{"op":"auth","ticket":"x"}',
  '{"op":"unsubscribe","id":"x"}',
  '\ud800',
  '[['.repeat(5_000),
] as const;

/** A message as a client of the API would send it, with members that may be wrong. */
function message(random: Random): string {
  if (random.chance(0.3)) return random.pick(texts);
  // A pattern has thousands of answers.
  const path = random.chance(0.01) ? '/v1/prices?symbol=*' : random.pick(paths);
  const op = random.pick(['subscribe', 'subscribe', 'unsubscribe', 'ping', 'jump'] as const);
  const id = random.pick<unknown>([1, 2, 'a', 'a'.repeat(65), -1, 1.5, null] as const);
  const mode = random.pick<unknown>(['full', 'patch', 'log', 'levels', 'x', 7] as const);
  const every = random.pick<unknown>([0, 10, -1, 1e99, '1'] as const);
  const resume = random.pick<unknown>([
    undefined,
    '',
    'x',
    '1.2-3',
    `${'9'.repeat(15)}.${'9'.repeat(15)}-0`,
  ] as const);
  const format = random.pick<unknown>([undefined, 'json', 'msgpack', 'xml'] as const);
  return JSON.stringify({ op, id, path, mode, every, resume, format });
}

/** A frame: as a rule a good one, else with a wrong first byte, a wrong length, a piece of a message, or noise. */
function bytesOf(random: Random): Buffer {
  const good = frame(Buffer.from(message(random)));
  const kind = random.below(10);
  if (kind < 5) return good;
  if (kind === 5) return frame(Buffer.from(message(random)), random.below(256));
  if (kind === 6)
    return frame(random.bytes(random.below(20_000)), random.pick([0x81, 0x82] as const));
  if (kind === 7) {
    const whole = Buffer.from(message(random));
    const at = random.below(whole.length + 1);
    return Buffer.concat([frame(whole.subarray(0, at), 0x01), frame(whole.subarray(at), 0x80)]);
  }
  if (kind === 8) return good.subarray(0, random.below(good.length));
  return random.bytes(1 + random.below(200));
}

/** What came of all connections. */
interface Report {
  sent: number;
  connections: number;
  received: number;
}

/** One connection: frames until the server closes it, or so many have been sent. */
async function connection(
  port: number,
  random: Random,
  report: Report,
  most: number,
): Promise<void> {
  const socket = net.connect(port, '127.0.0.1');
  let closed = false;
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  socket.once('close', () => {
    closed = true;
  });
  socket.on('data', ({ length }) => {
    report.received += length;
  });
  // Some clients never read.
  if (random.chance(0.05)) socket.pause();
  report.connections += 1;
  socket.write(handshake(random.chance(0.3) ? ['sec-websocket-protocol: msgpack'] : []));
  await new Promise((resolve) => setTimeout(resolve, 5));
  const count = 1 + random.below(most);
  for (let i = 0; i < count && !closed; i++) {
    report.sent += 1;
    if (!socket.write(bytesOf(random))) await new Promise((resolve) => setTimeout(resolve, 1));
    if (i % 8 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await new Promise((resolve) => setTimeout(resolve, 10));
  socket.destroy();
  await ended;
}

/** Whether a good client gets an answer. */
async function answers(url: URL): Promise<boolean> {
  const socket = new WebSocket(`${url.origin.replace('http', 'ws')}/v1/ws`);
  const answered = new Promise<boolean>((resolve) => {
    socket.addEventListener('open', () => socket.send('{"op":"ping","id":1}'));
    socket.addEventListener('message', ({ data }) => resolve(data === '{"type":"pong","id":1}'));
    socket.addEventListener('error', () => resolve(false));
    setTimeout(() => resolve(false), 10_000).unref();
  });
  const isGood = await answered;
  socket.close();
  return isGood;
}

interface Plan {
  url: URL;
  frames: number;
  seed: number;
  connections: number;
}

/** Sends so many frames; `note` is called now and then with how many have been sent. Whether the server still answers. */
export async function fuzzStreams(
  { url, frames, seed, connections }: Plan,
  note: (sent: number) => void = () => {},
): Promise<Report & { answers: boolean }> {
  const report = { sent: 0, connections: 0, received: 0 };
  const port = Number(url.port || 80);
  let lost = false;
  const worker = async (at: number) => {
    const random = new Random(seed, at);
    while (report.sent < frames && !lost) {
      await connection(port, random, report, 200);
      note(report.sent);
      if (random.chance(0.02)) lost ||= !(await answers(url));
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, at) => worker(at)));
  return { ...report, answers: !lost && (await answers(url)) };
}
