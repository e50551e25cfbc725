/** One endpoint on a local server that answers as the test wants. */
import { createServer, type IncomingMessage } from 'node:http';
import type { Test } from 'tap';
import { createEndpoints, viemTransport } from '../../../actors/chains/endpoint.ts';
import { systemClock } from '../../../actors/kernel/clock.ts';
import { isRecord } from '../../../actors/read.ts';

/** What a provider says to one body. */
export type Answer = { status?: number; body: unknown };

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? null : JSON.parse(text);
};

/** A provider on a server of our own: `answer` gets every body; `methods` tells which were asked. */
export async function provider(t: Test, answer: (body: unknown) => Answer) {
  const methods: unknown[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      methods.push(isRecord(body) ? body.method : null);
      const { status = 200, body: answered } = answer(body);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answered));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const urls = [`http://127.0.0.1:${port}/rpc`];
  const clock = systemClock;
  const { endpoints, client } = createEndpoints(urls, { source: 'test', gateway: null, clock });
  t.teardown(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  const [endpoint] = endpoints;
  if (!endpoint) throw new Error('no endpoint');
  const attempt = () => ({ endpoint, until: clock.monotonic() + 10_000 });
  const ask = (method: string): Promise<unknown> =>
    viemTransport(attempt())({}).request({ method });
  return { methods, attempt, ask };
}
