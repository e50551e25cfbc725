/** Clients that follow all symbols, read nothing, or send slowly: what others notice of them. */
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as rest } from 'node:timers/promises';
import { percentile } from '../../bench/report.ts';
import type { Attack, Target, Verdict } from './target.ts';

/** An answer that takes longer than this and by this factor longer than without an attack was kept waiting, ms. */
const noticed = { least: 25, factor: 5 };
const asked = 200;

/** The 95th percentile of the time of requests, one after another, ms. */
async function slow(target: Target): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < asked; i++) {
    const began = performance.now();
    await target.read('/v1/prices?symbol=BTC');
    times.push(performance.now() - began);
  }
  return percentile(times, 0.95);
}

/** What the 95th percentile may be at most during an attack, by what it is without one, ms. */
const slowest = async (target: Target): Promise<number> =>
  Math.max(noticed.least, noticed.factor * (await slow(target)));

/** Connections that follow patterns, and what others notice of them: compared with the slower of the times before and after. */
async function following(
  target: Target,
  connections: number,
  paths: readonly string[],
): Promise<Verdict> {
  const before = await slow(target);
  const clients = await Promise.all(
    Array.from({ length: connections }, () => target.follow(paths)),
  );
  const during = await slow(target);
  const messages = clients.reduce((sum, { count }) => sum + count, 0);
  for (const client of clients) client.close();
  await rest(1_000);
  const without = Math.max(before, await slow(target));
  const most = Math.max(noticed.least, without * noticed.factor);
  return {
    measured: `p95 of others ${without.toFixed(1)} ms without, ${during.toFixed(1)} ms during ${messages} messages`,
    bound: `${most.toFixed(1)} ms`,
    // A refusal is one message, a pattern has one for each symbol.
    ok: during <= most && messages > connections * paths.length,
  };
}

export const pattern: Attack = {
  what: 'a client follows a pattern of all symbols',
  run: (target) => following(target, 1, ['/v1/funding-rates?symbol=*']),
};

/** With a limit, of which each makes other answers. */
const tables = ['/v1/funding-rates', '/v1/futures/pairs-markets', '/v1/spot/pairs-markets'];

export const patterns: Attack = {
  what: '330 patterns of 11 clients',
  run: (target) =>
    following(
      target,
      11,
      Array.from({ length: 30 }, (_, i) => `${tables[i % 3]}?symbol=*&limit=${1 + i}`),
    ),
};

/** Attackers have another address than those whom they would hurt. */
const attacker = '127.0.0.2';

/** A connection of the attacker that has sent these bytes. */
async function send(target: Target, bytes: string): Promise<net.Socket> {
  const socket = net.connect({
    port: Number(target.url.port),
    host: '127.0.0.1',
    localAddress: attacker,
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

const all = (target: Target, count: number, bytes: string) =>
  Promise.all(Array.from({ length: count }, () => send(target, bytes)));

/** Readers of event streams that read nothing: they are ended, and what waits for them takes no time of others. */
export const readers: Attack = {
  what: '600 readers of streams stop reading, two minutes',
  async run(target) {
    const head = `GET /v1/stream?path=/v1/prices HTTP/1.1\r\nhost: a\r\nx-api-key: ${target.key}\r\n\r\n`;
    const sockets = await all(target, 600, head);
    for (const socket of sockets) socket.pause();
    const during = await slow(target);
    await rest(75_000);
    // A client that reads nothing does not see the end either; a connection whose stream has ended closes after ten idle seconds.
    for (const socket of sockets) socket.resume();
    await rest(15_000);
    const left = sockets.filter(({ closed }) => !closed).length;
    for (const socket of sockets) socket.destroy();
    const most = await slowest(target);
    return {
      measured: `${left} of 600 still open; p95 of others ${during.toFixed(1)} ms`,
      bound: `0; ${most.toFixed(1)} ms`,
      ok: left === 0 && during <= most,
    };
  },
};

/** Uploads without a key whose body comes a byte a second: a body of an account does not wait behind them. */
export const uploads: Attack = {
  what: '130 uploads without a key trickle',
  async run(target) {
    const head = `POST /v1/indicators/compute HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{`;
    const sockets = await all(target, 130, head);
    const drip = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write(' ');
    }, 1_000);
    await rest(1_000);
    const body = { paths: ['/v1/prices?symbol=BTC'] };
    const statuses = new Set<number>();
    let longest = 0;
    for (let i = 0; i < 50; i++) {
      const began = performance.now();
      statuses.add((await target.call('/v1/batch', { method: 'POST', body })).status);
      longest = Math.max(longest, performance.now() - began);
    }
    clearInterval(drip);
    for (const socket of sockets) socket.destroy();
    return {
      measured: `bodies of an account: ${[...statuses].join(', ')}, ${longest.toFixed(0)} ms at most`,
      bound: '200; 1000 ms',
      ok: [...statuses].join() === '200' && longest <= 1_000,
    };
  },
};
