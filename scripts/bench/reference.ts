/**
 * The reference servers, each in a process of its own: `node reference.ts uws|redis|bare PORT`, with what to send
 * on standard input as JSON. `uws` sends the same head and body as Tidemark from a bare uWebSockets.js app, the head
 * in one native call, a large body without a copy; `bare` the body alone under uWebSockets.js's own head; `redis` is
 * Fastify reading the body from Redis.
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
const answer: Answer = JSON.parse(await text(process.stdin));
const bytes = Buffer.from(answer.body);
process.on('disconnect', () => process.exit(0));
const ready = () => void process.send?.('ready');

if (kind === 'redis') {
  const redis = new Redis(answer.redisUrl.replace('unix://', ''));
  await redis.set('bench:body', bytes);
  const app = fastify();
  app.get('/v1/prices', async (_request, reply) =>
    reply.type('application/json').send(await redis.getBuffer('bench:body')),
  );
  await app.listen({ host: '127.0.0.1', port });
  ready();
} else {
  const [first, ...more] = kind === 'uws' ? answer.headers : [];
  const lines = more.map(([name, value]) => `${name}: ${value}`);
  const block = [first?.[1], ...lines].join('\r\n');
  const sendLarge = (res: HttpResponse) => {
    res.onAborted(() => {});
    const [, done] = res.tryEnd(bytes, bytes.length);
    if (!done) res.onWritable((offset) => res.tryEnd(bytes.subarray(offset), bytes.length)[0]);
  };
  const send = bytes.length > 8 * 1024 ? sendLarge : (res: HttpResponse) => void res.end(bytes);
  App()
    .get('/v1/prices', (res) => {
      if (first) res.writeHeader(first[0], block);
      send(res);
    })
    .listen('127.0.0.1', port, ready);
}
