/**
 * `npm run latency -- --url … --path …`: how long the values of an answer take to a client: from the time that the exchange states to
 * the service, and from there to here.
 */
import { setTimeout as rest } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { percentile } from '../bench/report.ts';
import { Samples } from './samples.ts';

const help = `npm run latency -- --url http://HOST:PORT [--path /v1/prices?symbol=BTC] [--key tm_…] [--seconds 30]

Follows the path by WebSocket and prints, for each exchange and for all, p50, p95 and p99 of
  to the service   from the time that the exchange states to the service's receipt (the exchange's clock is not corrected)
  to the client    from the service's receipt to the receipt here (the offset of this clock is corrected, and stated)`;

interface Options {
  url: URL;
  path: string;
  key: string | undefined;
  seconds: number;
}

/** Null where help is asked for. Throws TypeError for what cannot be used. */
function read(args: string[]): Options | null {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: 'string' },
      path: { type: 'string', default: '/v1/prices?symbol=BTC' },
      key: { type: 'string' },
      seconds: { type: 'string', default: '30' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  if (!values.url || !URL.canParse(values.url))
    throw new TypeError(`--url: ${values.url ?? 'absent'} is not http://HOST:PORT`);
  const seconds = Number(values.seconds);
  if (!(seconds >= 1 && seconds <= 3_600))
    throw new TypeError(`--seconds: ${values.seconds} is not a number from 1 to 3600`);
  return { url: new URL(values.url), path: values.path, key: values.key, seconds };
}

/** Requests of which the fastest tells the offset of the clocks. */
const looks = 9;

/** What the service's clock is ahead of this one, ms, and by how much that may be wrong. */
async function clockOffset({ url, path, key }: Options): Promise<{ ms: number; within: number }> {
  let best = { ms: 0, within: Number.POSITIVE_INFINITY };
  for (let at = 0; at < looks; at++) {
    const began = performance.now();
    const signal = AbortSignal.timeout(10_000);
    const answer = await fetch(new URL(path, url), {
      headers: key ? { 'x-api-key': key } : {},
      signal,
    });
    const { timestamp, message }: { timestamp?: number; message?: string } = JSON.parse(
      await answer.text(),
    );
    if (!answer.ok || timestamp === undefined)
      throw new TypeError(`--path: ${path} is answered with ${answer.status}: ${message ?? ''}`);
    const within = (performance.now() - began) / 2;
    if (within < best.within) best = { ms: timestamp + within - Date.now(), within };
    await rest(20);
  }
  return best;
}

/** Follows the path for so many seconds. Throws TypeError where the service refuses it, or ends the connection. */
async function follow({ url, path, key, seconds }: Options, offset: number): Promise<Samples> {
  const samples = new Samples();
  const ended = Promise.withResolvers<void>();
  const socket = new WebSocket(new URL('/v1/ws', url.href.replace(/^http/, 'ws')));
  socket.addEventListener('message', ({ data }) => {
    const now = Date.now() + offset;
    const message: { type?: string; message?: string; data?: unknown } = JSON.parse(String(data));
    if (message.type === 'error') ended.reject(new TypeError(`${path}: ${message.message}`));
    samples.take(message.data, now);
  });
  socket.addEventListener('close', ({ code, reason }) =>
    ended.reject(new TypeError(`the service has ended the connection: ${code} ${reason}`)),
  );
  socket.addEventListener('open', () => {
    if (key) socket.send(JSON.stringify({ op: 'auth', key }));
    socket.send(JSON.stringify({ op: 'subscribe', id: 1, path }));
  });
  await Promise.race([rest(seconds * 1_000), ended.promise]);
  socket.close();
  return samples;
}

const quantiles = (values: readonly number[]): string[] =>
  [0.5, 0.95, 0.99].map((share) =>
    values.length === 0 ? '-' : percentile(values, share).toFixed(1),
  );

function print(samples: Samples): void {
  const all = [...samples.byName.values()];
  const sum = {
    toService: all.flatMap(({ toService }) => toService),
    toClient: all.flatMap(({ toClient }) => toClient),
  };
  const line = (cells: readonly string[]) =>
    console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(14) : cell.padStart(9))).join(''));
  line(['ms', 'values', '', 'service', '', '', 'client', '']);
  line(['', '', 'p50', 'p95', 'p99', 'p50', 'p95', 'p99']);
  for (const [name, { toService, toClient }] of [...samples.byName, ['all', sum] as const])
    line([name, `${toClient.length}`, ...quantiles(toService), ...quantiles(toClient)]);
}

try {
  const options = read(process.argv.slice(2));
  if (options === null) console.log(help);
  else {
    const { ms, within } = await clockOffset(options);
    console.log(
      `The service's clock is ${ms.toFixed(1)} ms ahead of this one, within ${within.toFixed(1)} ms.`,
    );
    print(await follow(options, ms));
  }
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  console.error(`${error.message}\n\n${help}`);
  process.exitCode = 2;
}
