import t from 'tap';
import { QuotaBlock, quotaLines } from '../../../http/quota/lines.ts';

const lines = (limit: number, remaining: number, resetIn: number) =>
  quotaLines({ limit, remaining, resetIn }).split('\r\n');

t.test('the four headers', async (t) => {
  t.same(lines(60, 59, 41_001), [
    '',
    'x-ratelimit-after: 42',
    'ratelimit: "default";r=59;t=42',
    'ratelimit-policy: "default";q=60;w=60',
    'retry-after: 42',
  ]);
});

t.test('seconds are rounded up, from 1 to the length of a window', async (t) => {
  const seconds = (resetIn: number) => lines(600, 1, resetIn)[4];
  t.equal(seconds(60_000), 'retry-after: 60');
  t.equal(seconds(60_001), 'retry-after: 60');
  t.equal(seconds(1_000), 'retry-after: 1');
  t.equal(seconds(1_000.5), 'retry-after: 2');
  t.equal(seconds(0.5), 'retry-after: 1');
  t.equal(seconds(-5), 'retry-after: 1');
});

t.test('many limits', async (t) => {
  for (let limit = 1_000; limit < 1_100; limit++) {
    t.match(lines(limit, 1, 1_000)[3], `q=${limit};`);
  }
});

t.test('the same as bytes, whatever was written before', async (t) => {
  const block = new QuotaBlock();
  const states = [
    [60, 60, 60_000],
    [60, 59, 60_000],
    [60, 59, 41_001],
    [60, 10, 41_000],
    [60, 9, 41_000],
    [60, 0, 41_000],
    [60, 7, 9_000],
    [600, 599, 9_000],
    [600, 100, 9_000],
    [600, 99, 9_000],
    [60, 60, 60_000],
  ] as const;
  for (const [limit, remaining, resetIn] of states) {
    const state = { limit, remaining, resetIn };
    const text = Buffer.from(block.of(state)).toString();
    t.equal(text, quotaLines(state), JSON.stringify(state));
  }
});
