/**
 * The reference server, in a process of its own: `node reference.ts PORT`, with what to send on standard input as JSON. A bare
 * uWebSockets.js app that sends the same heads and bodies as Tidemark in turn, the head in one native call, a large body
 * without a copy.
 */
import { App, type HttpResponse } from 'uWebSockets.js';
import { text } from 'node:stream/consumers';

/** What it sends. */
export interface Answer {
  body: string;
  headers: [string, string][];
}

const port = Number(process.argv[2]);
const answers: readonly Answer[] = JSON.parse(await text(process.stdin));
process.on('disconnect', () => process.exit(0));

const ready = answers.map(({ body, headers: [first, ...more] }) => ({
  name: first?.[0] ?? 'x',
  block: [first?.[1], ...more.map(([name, value]) => `${name}: ${value}`)].join('\r\n'),
  bytes: Buffer.from(body),
}));

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
    res.writeHeader(name, block);
    if (bytes.length > 8 * 1024) sendLarge(res, bytes);
    else res.end(bytes);
  })
  .listen('127.0.0.1', port, () => {});
