/** Random WebSocket frames over raw sockets. */
import { setTimeout as rest, setImmediate as turn } from 'node:timers/promises';
import { frame, RawClient } from '../raw-client.ts';
import { Random } from './random.ts';
import { oddBodies, oddPaths } from './texts.ts';

const paths = [
  '/v1/status',
  '/v1/prices?symbol=BTC',
  '/v1/liquidations/orders',
  '/v1/orderbook?exchange=binance&symbol=BTC',
  '/v1/prices?symbol=%',
  '/v1/prices?symbol=*&symbol=*',
  ...oddPaths,
] as const;
const texts = [
  '{"op":1}',
  '{"op":"__proto__"}',
  '{"op":"subscribe"}',
  '{"op":"subscribe","id":{},"path":[]}',
  '{"op":"auth","key":"x"}',
  '{"op":"auth","ticket":"x"}',
  '{"op":"unsubscribe","id":"x"}',
  '\ud800',
  ...oddBodies,
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

/** One connection: frames until the server closes it, or so many have been sent; false where there is none. */
async function connection(
  port: number,
  random: Random,
  report: Report,
  most: number,
): Promise<boolean> {
  const about = random.chance(0.3) ? { protocol: 'msgpack' } : {};
  const client = await RawClient.open(port, about).catch(() => null);
  if (client === null) return false;
  // Some clients never read.
  if (random.chance(0.05)) client.pause();
  report.connections += 1;
  const count = 1 + random.below(most);
  for (let i = 0; i < count && client.isOpen; i++) {
    report.sent += 1;
    if (!client.write(bytesOf(random))) await rest(1);
    if (i % 8 === 0) await turn();
  }
  await rest(10);
  report.received += client.received;
  client.close();
  return true;
}

/** Whether a good client gets an answer. */
async function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const onMessage = () => resolve(client?.text === '{"type":"pong","id":1}');
  const about = { keeps: true, onMessage, onClose: () => resolve(false) };
  const client = await RawClient.open(port, about).catch(() => null);
  client?.say({ op: 'ping', id: 1 });
  const isGood = client !== null && (await Promise.race([promise, rest(10_000, false)]));
  client?.close();
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
      const isOpen = await connection(port, random, report, 200);
      note(report.sent);
      if (!isOpen || random.chance(0.02)) lost ||= !(await answers(port));
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, at) => worker(at)));
  return { ...report, answers: !lost && (await answers(port)) };
}
