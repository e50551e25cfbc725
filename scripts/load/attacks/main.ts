/** `npm run load -- attacks`: what one hostile client does to others, each attack with a bound that fails. */
import net from 'node:net';
import { setTimeout as rest } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { percentile } from '../../bench/report.ts';
import { origin, UsageError } from '../arguments.ts';
import { frame, handshake, RawClient } from '../push/raw-client.ts';
import type { Target, Verdict } from './target.ts';
import { books, clock } from './upstreams.ts';

const help = `npm run load -- attacks --url http://127.0.0.1:8080 --key KEY [options]

Attacks a running service, best a demo, and measures what others notice. Exit status 1 where a bound is exceeded.

  --url URL         of the service
  --key KEY         an API key of it
  --token TOKEN     a bearer token of an account of the plan free: streams whose key is revoked must free
                    their place; takes two minutes
  --simulator URL   of its simulator: order books of two exchanges a thousand times too high, and
                    the clocks of two an hour ahead
  --only NAME       one of pattern, pings, shared, patterns, revoked, books, clock
`;

/** An answer that takes longer than this and by this factor longer than without an attack was kept waiting, ms. */
const noticed = { least: 25, factor: 5 };
const asked = 200;

/** The 95th percentile of the time of requests, one after another, ms. */
async function slow({ url, key }: Target): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < asked; i++) {
    const began = performance.now();
    const reply = await fetch(new URL('/v1/prices?symbol=BTC', url), {
      headers: { 'x-api-key': key },
    });
    await reply.arrayBuffer();
    times.push(performance.now() - began);
  }
  return percentile(times, 0.95);
}

const subscribe = (id: number, path: string) => ({ op: 'subscribe', id, path });

/** Connections that follow patterns, and what others notice of them. */
async function following(target: Target, connections: number, paths: readonly string[]) {
  const before = await slow(target);
  const headers = [`x-api-key: ${target.key}`];
  const clients = await Promise.all(
    Array.from({ length: connections }, () => RawClient.open(Number(target.url.port), { headers })),
  );
  for (const client of clients)
    for (const [id, path] of paths.entries()) client.say(subscribe(id, path));
  const during = await slow(target);
  const messages = clients.reduce((sum, { count }) => sum + count, 0);
  for (const client of clients) client.close();
  const most = Math.max(noticed.least, before * noticed.factor);
  return {
    measured: `p95 of others ${before.toFixed(1)} ms before, ${during.toFixed(1)} ms during ${messages} messages`,
    bound: `${most.toFixed(1)} ms`,
    // A refusal is one message, a pattern has one for each symbol.
    ok: during <= most && messages > connections * paths.length,
  };
}

/** Connects, without a key or to follow an answer, and reads nothing. */
async function deaf({ url, key }: Target, follows: boolean): Promise<net.Socket> {
  const socket = net.connect(Number(url.port), url.hostname).pause();
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(handshake(follows ? [`x-api-key: ${key}`] : []));
  const path = '/v1/prices?symbol=BTC';
  if (follows) socket.write(frame(Buffer.from(JSON.stringify(subscribe(1, path)))));
  return socket;
}

/** Clients with and without a key that send pings and read nothing: the service must end their connections. */
async function pings(target: Target): Promise<Verdict> {
  const sockets = await Promise.all(
    Array.from({ length: 20 }, (_, i) => deaf(target, i % 2 === 0)),
  );
  const ping = frame(Buffer.alloc(100), 0x89);
  const fifty = Buffer.concat(Array.from({ length: 50 }, () => ping));
  for (let round = 0; round < 150; round++) {
    for (const socket of sockets) if (socket.writable) socket.write(fifty);
    await rest(100);
  }
  // A client that reads nothing does not see the end either.
  for (const socket of sockets) socket.resume();
  await rest(1_000);
  const left = sockets.filter(({ destroyed }) => !destroyed).length;
  for (const socket of sockets) socket.destroy();
  return { measured: `${left} of 20 still open after 15 s`, bound: '0', ok: left === 0 };
}

/** Two clients that follow one pattern at the same moment: the one that leaves takes nothing from the other. */
async function shared({ url, key }: Target): Promise<Verdict> {
  const headers = [`x-api-key: ${key}`];
  const two = await Promise.all([0, 1].map(() => RawClient.open(Number(url.port), { headers })));
  const [first, second] = two;
  for (const client of two) client.say(subscribe(1, '/v1/prices?symbol=*'));
  await rest(3_000);
  const counts = two.map(({ count }) => count);
  first?.close();
  await rest(10_000);
  const later = (second?.count ?? 0) - (counts[1] ?? 0);
  second?.close();
  return {
    measured: `${counts.join(' and ')} messages together, ${later} more after one has left`,
    bound: 'some each',
    ok: counts.every((count) => count > 1) && later > 0,
  };
}

/** Keys of one account, one after the other, each in another minute of its quota, and streams with each of them. */
const revocations = { keys: 3, streams: 30, pause: 61_000 };

/** A key, streams with it, and its revocation, which ends them: how many have begun. */
async function revokedStreams({ url }: Target, bearer: Record<string, string>): Promise<number> {
  const made = await fetch(new URL('/v1/auth/keys', url), {
    method: 'POST',
    headers: { ...bearer, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'attack' }),
  });
  const { data } = (await made.json()) as { data?: { id: string; key: string } };
  if (!data) return 0;
  const path = new URL('/v1/stream?path=/v1/prices%3Fsymbol%3DBTC', url);
  const streams = await Promise.all(
    Array.from({ length: revocations.streams }, () =>
      fetch(path, { headers: { 'x-api-key': data.key } }),
    ),
  );
  await fetch(new URL(`/v1/auth/keys/${data.id}`, url), { method: 'DELETE', headers: bearer });
  await Promise.all(streams.map((events) => events.text()));
  return streams.filter(({ status }) => status === 200).length;
}

/** Streams that the service ends because their key was revoked, more of them than the 60 that the plan free has places for. */
async function revoked(target: Target): Promise<Verdict> {
  const { url, token } = target;
  const all = revocations.keys * revocations.streams;
  const bound = `${all}`;
  if (token === undefined) return { measured: 'no --token', bound, ok: null };
  const bearer = { authorization: `Bearer ${token}` };
  const profile = await fetch(new URL('/v1/auth/me', url), { headers: bearer });
  const { data } = (await profile.json()) as { data?: { plan: string } };
  if (data?.plan !== 'free')
    return { measured: `the account has the plan ${data?.plan}`, bound, ok: false };
  let begun = 0;
  for (let i = 0; i < revocations.keys; i++) {
    if (i > 0) await rest(revocations.pause);
    begun += await revokedStreams(target, bearer);
  }
  return { measured: `${begun} of ${all} streams began`, bound, ok: begun === all };
}

/** With a limit, of which each makes other answers. */
const tables = ['/v1/funding-rates', '/v1/futures/pairs-markets', '/v1/spot/pairs-markets'];
const attacks: Readonly<Record<string, (target: Target) => Promise<Verdict>>> = {
  pattern: (target) => following(target, 1, ['/v1/funding-rates?symbol=*']),
  pings,
  shared,
  patterns: (target) =>
    following(
      target,
      11,
      Array.from({ length: 30 }, (_, i) => `${tables[i % 3]}?symbol=*&limit=${1 + i}`),
    ),
  revoked,
  books,
  clock,
};

function options(args: string[]): { target: Target; names: string[] } | null {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      ...{ url: text, key: text, token: text, simulator: text, only: text },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const { url, key, token, simulator, only } = values;
  if (url === undefined || key === undefined) throw new UsageError('--url and --key are needed');
  const names = only === undefined ? Object.keys(attacks) : [only];
  const unknown = names.find((name) => !Object.hasOwn(attacks, name));
  if (unknown !== undefined) {
    throw new UsageError(`--only: ${unknown} is none of ${Object.keys(attacks).join(', ')}`);
  }
  return {
    target: {
      ...{ url: origin('url', url, ['http:']), key, token },
      simulator: simulator === undefined ? undefined : origin('simulator', simulator, ['http:']),
    },
    names,
  };
}

/** Whether every attack stayed within its bound. */
export async function attack(args: string[]): Promise<boolean> {
  const chosen = options(args);
  if (chosen === null) {
    console.log(help);
    return true;
  }
  let all = true;
  for (const name of chosen.names) {
    const verdict = await attacks[name]?.(chosen.target);
    if (verdict === undefined) continue;
    const { measured, bound, ok } = verdict;
    const word = ok === null ? 'left out' : ok ? 'ok' : 'FAILED';
    console.log(`${word.padEnd(8)} ${name.padEnd(8)} ${measured} (bound: ${bound})`);
    all &&= ok !== false;
  }
  return all;
}
