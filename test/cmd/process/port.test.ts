import { once } from 'node:events';
import { createServer } from 'node:net';
import t from 'tap';
import { freePort, ownUrl } from '../../../cmd/process/port.ts';
import { StartError } from '../../../cmd/process/process.ts';
import { ownPort as port } from '../../support/ports.ts';

t.test('the service is reached where it listens', (t) => {
  const of = (...hosts: string[]) => hosts.map((host) => ownUrl({ host, port: 80 }));
  t.strictSame(of('0.0.0.0', '127.0.0.2'), ['http://127.0.0.1:80', 'http://127.0.0.2:80']);
  t.strictSame(of('::', '::1'), ['http://[::1]:80', 'http://[::1]:80']);
  t.end();
});

t.test('a port that is free is given, one that is not is refused with the reason', async (t) => {
  const host = '127.0.0.1';
  t.ok((await freePort(host, 0)) > 0);
  t.equal(await freePort(host, port), port);
  t.equal(await freePort(host, port), port, 'it is not kept');
  const other = createServer().listen({ host, port });
  await once(other, 'listening');
  t.teardown(() => other.close());
  const message = `port ${port} on ${host} is in use: set PORT or HOST`;
  await t.rejects(freePort(host, port), new StartError(message));
  await t.rejects(freePort('192.0.2.1', port), { message: /cannot be used \(EADDRNOTAVAIL\)/ });
});
