/**
 * A bare uWebSockets.js that sends answers of ours, head and body, in a process of its own: `node onchain-reference.ts
 * PORT`, with the answers by path on standard input as JSON. Heads go out in one native call, bodies without a copy.
 */
import { App } from 'uWebSockets.js';
import { text } from 'node:stream/consumers';

/** Answers by path; bodies in base64, as compressed ones are no text. */
export type Answers = Record<string, { body: string; headers: [string, string][] }>;

const port = Number(process.argv[2]);
const answers: Answers = JSON.parse(await text(process.stdin));
const app = App();
for (const [path, { body, headers }] of Object.entries(answers)) {
  const bytes = Buffer.from(body, 'base64');
  const [first = ['', ''], ...more] = headers;
  const head = [first[1], ...more.map(([name, value]) => `${name}: ${value}`)].join('\r\n');
  app.get(path, (res) => {
    res.onAborted(() => {});
    res.writeHeader(first[0], head);
    const [, done] = res.tryEnd(bytes, bytes.length);
    if (!done) res.onWritable((offset) => res.tryEnd(bytes.subarray(offset), bytes.length)[0]);
  });
}
process.on('disconnect', () => process.exit(0));
app.listen('127.0.0.1', port, () => {});
