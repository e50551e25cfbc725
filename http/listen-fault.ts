import { createServer } from 'node:net';

/** Why nothing can listen on a port, asked of the system, since uWebSockets.js only says that it failed. */
export async function listenFault(host: string, port: number): Promise<Error> {
  const code = await new Promise<string | undefined>((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
  const why =
    code === undefined || code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`;
  return new Error(`port ${port} on ${host} ${why}`);
}
