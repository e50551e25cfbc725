/**
 * The way of a question to an exchange by bare streams: `node bare-way.ts web PORT REDIS` answers each request with what
 * `node bare-way.ts feed GATEWAY REDIS` gets for its path. No accounts, budgets, checks or caches.
 */
import { App, type HttpResponse } from 'uWebSockets.js';
import { Agent } from 'undici';
import { type Entry, readStreams } from '../../actors/bus/codec.ts';
import { connect, whenReady } from '../../actors/bus/redis.ts';

const [role, at = '', redisUrl = ''] = process.argv.slice(2);
const streams = { questions: 'bare:questions', replies: 'bare:replies' };
const commands = connect(redisUrl);
process.on('disconnect', () => process.exit(0));

/** Calls `take` with each new entry of a stream. */
async function follow(stream: string, take: (fields: Entry['fields']) => void): Promise<void> {
  const redis = connect(redisUrl, { blocking: 1_000 });
  await whenReady(redis, new AbortController().signal);
  for (let from = '0-0'; ; ) {
    const reply = await redis.callBuffer('XREAD', 'BLOCK', 1_000, 'STREAMS', stream, from);
    for (const { id, fields } of readStreams(reply).get(stream) ?? []) {
      from = id;
      take(fields);
    }
  }
}

function serve(): Promise<void> {
  const open = new Map<string, HttpResponse>();
  let count = 0;
  App()
    .get('/*', (res, req) => {
      const id = `${count++}`;
      res.onAborted(() => open.delete(id));
      open.set(id, res);
      const path = `${req.getUrl()}?${req.getQuery()}`;
      void commands.xadd(streams.questions, '*', 'id', id, 'path', path);
    })
    .listen('127.0.0.1', Number(at), () => {});
  return follow(streams.replies, (fields) => {
    const id = `${fields?.get('id')}`;
    const [res, data] = [open.get(id), fields?.get('data')];
    open.delete(id);
    if (data) res?.cork(() => res.end(data));
  });
}

function answer(): Promise<void> {
  const dispatcher = new Agent();
  const ask = async (fields: Entry['fields']) => {
    const path = `${fields?.get('path')}`;
    const { body } = await dispatcher.request({ origin: at, path, method: 'GET' });
    const data = Buffer.from(await body.arrayBuffer());
    await commands.xadd(streams.replies, '*', 'id', `${fields?.get('id')}`, 'data', data);
  };
  return follow(streams.questions, (fields) => void ask(fields));
}

await whenReady(commands, new AbortController().signal);
await (role === 'web' ? serve() : answer());
