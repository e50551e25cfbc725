import { createServer } from 'node:net';

/** The port is not available; the message gives the reason. */
export class ListenError extends Error {
  override name = 'ListenError';
}

/**
 * The reason why a port is not available. uWebSockets.js only reports that listening failed, so this tries it again
 * with Node.js.
 */
export async function listenFault(host: string, port: number): Promise<ListenError> {
  const code = await new Promise<string | undefined>((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
  const why =
    code === undefined || code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`;
  return new ListenError(`port ${port} on ${host} ${why}`);
}
