/**
 * The reference servers, each in a process of its own: `node reference.ts uws|redis|bare PORT`, with what to send
 * on standard input as JSON. `uws` sends the same heads and bodies as Tidemark in turn from a bare uWebSockets.js app, the
 * head in one native call, a large body without a copy; `bare` the bodies alone under uWebSockets.js's own head; `redis` is
 * Fastify reading the body of the first from Redis.
 */

import { App, type HttpResponse } from 'uWebSockets.js';
import { text } from 'node:stream/consumers';
import { fastify } from 'fastify';
import { Redis } from 'ioredis';

/** What the references send. */
export interface Answer {
  body: string;
  headers: [string, string][];
  redisUrl: string;
}

const [kind, port] = [process.argv[2], Number(process.argv[3])];
const answers: readonly [Answer, ...Answer[]] = JSON.parse(await text(process.stdin));
process.on('disconnect', () => process.exit(0));
const listening = () => void process.send?.('ready');

if (kind === 'redis') {
  const [{ redisUrl, body }] = answers;
  const redis = new Redis(redisUrl.replace('unix://', ''));
  await redis.set('bench:body', body);
  const app = fastify();
  app.get('/v1/prices', async (_request, reply) =>
    reply.type('application/json').send(await redis.getBuffer('bench:body')),
  );
  await app.listen({ host: '127.0.0.1', port });
  listening();
} else {
  const ready = answers.map(({ body, headers }) => {
    const [first, ...more] = kind === 'uws' ? headers : [];
    const lines = more.map(([name, value]) => `${name}: ${value}`);
    return {
      name: first?.[0],
      block: [first?.[1], ...lines].join('\r\n'),
      bytes: Buffer.from(body),
    };
  });
  const sendLarge = (res: HttpResponse, bytes: Buffer) => {
    res.onAborted(() => {});
    const [, done] = res.tryEnd(bytes, bytes.length);
    if (!done) res.onWritable((offset) => res.tryEnd(bytes.subarray(offset), bytes.length)[0]);
  };
  let turn = 0;
  App()
    .get('/v1/prices', (res) => {
      const answer = ready[turn];
      turn = (turn + 1) % ready.length;
      if (answer === undefined) return;
      const { name, block, bytes } = answer;
      if (name !== undefined) res.writeHeader(name, block);
      if (bytes.length > 8 * 1024) sendLarge(res, bytes);
      else res.end(bytes);
    })
    .listen('127.0.0.1', port, listening);
}
