import t from 'tap';
import { unlimited } from '../../../http/quota/allowance.ts';
import { QuotaBlock, quotaLines, withRetryAfter } from '../../../http/quota/lines.ts';

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
  const waits = [60_000, 60_001, 1_000, 1_000.5, 0.5, -5];
  const seconds = waits.map((resetIn) => lines(600, 1, resetIn)[4]?.slice(13));
  t.strictSame(seconds, ['60', '60', '1', '2', '1', '1']);
});

t.test(
  'a refusal may state another wait; an account without a limit has two headers',
  async (t) => {
    const other = withRetryAfter(quotaLines({ limit: 60, remaining: 0, resetIn: 41_000 }), 7);
    t.strictSame(other.split('\r\n').slice(1, 5).toSpliced(1, 2), [
      'x-ratelimit-after: 41',
      'retry-after: 7',
    ]);
    const { limit, epoch, take, lines, block } = unlimited;
    const text = '\r\nx-ratelimit-after: 0\r\nretry-after: 0';
    const found = [limit, epoch, take(''), lines(), Buffer.from(block(true)).toString()];
    t.strictSame(found, [null, 0, true, text, text]);
  },
);

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
