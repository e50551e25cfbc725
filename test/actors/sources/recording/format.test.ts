import t from 'tap';
import { frameLine, noteLine, readLine } from '../../../../actors/sources/recording/format.ts';

const at = 1_790_000_000_000_000;

t.test('a line is read as it was written', async (t) => {
  for (const text of ['{"a":1}', '[1,"x"]', 'pong', '{"a":\n1}', '']) {
    t.strictSame(readLine(frameLine(at, 7, text)), { kind: 'frame', t: at, c: 7, text });
  }
  const note = { kind: 'lost', t: at, lines: 3 } as const;
  t.strictSame(readLine(noteLine(note)), note);
});

t.test('of a damaged line nothing is read', async (t) => {
  const lines = ['', '{"kind":', `[${at}`, `[${at},7`, `[${at},7,"pong]`, `[x,7,{}]`];
  for (const line of lines) t.equal(readLine(line), null, line);
});
