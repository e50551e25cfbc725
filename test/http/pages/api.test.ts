/** The requests of the dashboard's scripts. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import t from 'tap';

interface Api {
  call(path: string, init: object): Promise<{ data: unknown }>;
}

t.test('an answer that breaks off is none', async (t) => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"data":', () => response.destroy());
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  Object.assign(globalThis, { document: { baseURI: `http://127.0.0.1:${port}/app` } });
  t.teardown(() => Reflect.deleteProperty(globalThis, 'document'));
  const module = new URL('../../../http/pages/app/api.ts', import.meta.url).href;
  const { call }: Api = await import(module);
  await t.rejects(call('/v1/status', {}), { status: 0, code: 'away' });
});
