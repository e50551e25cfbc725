/** Clients that read nothing. */
import net from 'node:net';
import { setTimeout as rest } from 'node:timers/promises';
import { frame, handshake } from '../push/raw-client.ts';
import { subscribe } from './subscribe.ts';
import type { Target, Verdict } from './target.ts';

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
export async function pings(target: Target): Promise<Verdict> {
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
