/**
 * The socket of a host: whoever has it is the relay, the others stand by. A process that finds nobody there puts its own
 * socket in the place; where two do so at once the last one stays, and the first sees that and goes.
 */
import { randomUUID } from 'node:crypto';
import { chmod, rename, rm, stat } from 'node:fs/promises';
import { createConnection, type Server } from 'node:net';
import { type Clock, sleep } from '../../kernel/clock.ts';

/** Milliseconds between two signs of life of the relay, and how long it may take to give one. */
const alive = { every: 1_000, within: 3_000 } as const;

/**
 * Watches whoever has the socket. Resolves with false at once where nobody has it, and with true when that process has
 * ended, gives no sign of life for three seconds, or `signal` aborts.
 */
export async function watchHolder(
  path: string,
  clock: Clock,
  signal: AbortSignal,
  onAlive: () => void,
): Promise<boolean> {
  const socket = createConnection(path);
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const stop = () => socket.destroy();
  signal.addEventListener('abort', stop);
  let wasAlive = false;
  socket.on('error', stop);
  const isAlive = async () => {
    const answered = new AbortController();
    socket.once('data', () => answered.abort());
    socket.write('*1\r\n$4\r\nPING\r\n');
    await Promise.race([ended, sleep(clock, alive.within, answered.signal)]);
    return answered.signal.aborted;
  };
  while (!signal.aborted && !socket.destroyed && (await isAlive())) {
    if (!wasAlive) onAlive();
    wasAlive = true;
    await Promise.race([ended, sleep(clock, alive.every)]);
  }
  stop();
  signal.removeEventListener('abort', stop);
  return wasAlive;
}

/** A socket that was put in the place. */
export interface Held {
  /** Whether it is still there. */
  isOurs(): Promise<boolean>;
  /** Removes it, if it is still there. */
  leave(): Promise<void>;
}

const identityOf = async (path: string): Promise<string> => {
  const { dev, ino } = await stat(path, { bigint: true });
  return `${dev}/${ino}`;
};

/** Listens in the place, whoever was there before. Rejects where no socket can be made there. */
export async function takePlace(server: Server, path: string): Promise<Held> {
  const own = `${path}.${randomUUID().slice(0, 8)}`;
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(own, () => resolve());
  });
  await chmod(own, 0o600);
  const identity = await identityOf(own);
  // In one step: there is no time at which the place is empty, or has two.
  await rename(own, path);
  const isOurs = async () => (await identityOf(path).catch(() => '')) === identity;
  return {
    isOurs,
    async leave() {
      if (await isOurs()) await rm(path, { force: true });
    },
  };
}
