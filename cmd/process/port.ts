import { createServer } from 'node:net';
import type { Config } from '../../config/config.ts';
import { StartError } from './process.ts';

/** What stands for every address of this host, with the one by which it reaches itself. */
const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Where the service is reached from its own host, without a slash at the end. */
export function ownUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const own = everywhere[host] ?? host;
  return `http://${own.includes(':') ? `[${own}]` : own}:${port}`;
}

/**
 * The port itself when nothing listens on it, or a free one for 0. For what wants a port to itself: web processes
 * share theirs with others, so that they can be replaced without a pause.
 */
export function freePort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${error.code})`;
      reject(new StartError(`port ${port} on ${host} ${why}: set PORT or HOST`));
    });
    probe.listen({ host, port, exclusive: true }, () => {
      const address = probe.address();
      const found = typeof address === 'object' && address !== null ? address.port : port;
      probe.close(() => resolve(found));
    });
  });
}
