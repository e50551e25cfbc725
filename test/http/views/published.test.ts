import t from 'tap';
import { jsonText } from '../../../http/answers/json.ts';
import { Snapshot } from '../../../http/answers/snapshots.ts';
import { answerText, Document } from '../../../http/views/published.ts';
import { apiError, isApiError } from '../../../http/wire/errors.ts';

const now = 1_700_000_000_000;
const staleAfter = 1_000;

interface Value {
  number: number;
  received: number;
}
const open = () => {
  const document = new Document<Value>(({ received }) => ({ received, staleAfter }));
  const read = document.answers<number, object, ReturnType<typeof apiError>>(
    (times) => times,
    ({ number }, times, stale) =>
      times === 0 ? apiError('not_enough_data') : jsonText({ product: number * times, stale }),
  );
  const dataOf = (times: number) => {
    const answer = read(times);
    return answer === null || isApiError(answer)
      ? answer
      : JSON.parse(answer.at(now).toString()).data;
  };
  return { document, read, dataOf };
};

t.test('an answer is made once for each variant, and again after a change', async (t) => {
  const { document, read, dataOf } = open();
  t.equal(read(1), null);
  document.accept({ number: 7, received: now }, now);
  const first = read(2);
  t.strictSame(dataOf(2), { product: 14, stale: false });
  t.equal(read(2), first);
  t.match(read(0), { error: 'not_enough_data' });
  t.equal(document.ready, 1, 'errors are not stored');
  document.accept({ number: 8, received: now - 1 }, now);
  t.equal(read(2), first, 'an older value is ignored');
  document.accept({ number: 9, received: now }, now);
  t.strictSame(dataOf(2), { product: 18, stale: false });
});

t.test('ready answers are bounded by their number and by their bytes', async (t) => {
  const { document, read } = open();
  document.accept({ number: 1, received: now }, now);
  for (let times = 1; times <= 64; times++) read(times);
  const [first, second] = [read(1), read(2)];
  for (let times = 65; times <= 70; times++) read(times);
  t.equal(document.ready, 64);
  t.ok(read(1) === first && read(2) === second, 'the least recently used are dropped first');
  const large = new Document<Value>(({ received }) => ({ received, staleAfter }));
  const text = large.answers<number, object, ReturnType<typeof apiError>>(
    (size) => size,
    (_, size) => jsonText({ text: 'x'.repeat(size) }),
  );
  large.accept({ number: 1, received: now }, now);
  for (let i = 0; i < 6; i++) text(2 ** 20 - i);
  t.equal(large.ready, 3, 'of a MiB and the envelope each, in 4 MiB');
  large.change();
  for (let i = 0; i < 6; i++) text(2 ** 20 - i);
  t.equal(large.ready, 3);
  const huge = text(5 * 2 ** 20);
  t.ok(large.ready === 1 && text(5 * 2 ** 20) === huge, 'the newest is never dropped');
});

t.test('an answer states the age of its newest input, or of its document', async (t) => {
  const ages = [{ updated_at: 5 }, { updated_at: '5' }, {}].map((data) => answerText(data).asOf);
  t.strictSame(ages, [5, null, null]);
  const document = new Document<number>((received) => ({ received, staleAfter }));
  const read = document.answers(String, (_, updated_at: number | null) =>
    answerText({ updated_at }),
  );
  const found: unknown[] = [];
  for (const received of [0, now]) {
    document.accept(received, now);
    for (const stated of [null, 5]) {
      const answer = read(stated);
      found.push(answer instanceof Snapshot && answer.asOf);
    }
  }
  t.strictSame(found, [null, 5, now, 5]);
});

t.test('a value becomes stale by its age', async (t) => {
  const { document, dataOf } = open();
  document.accept({ number: 1, received: now }, now);
  document.expire(now + staleAfter);
  t.match(dataOf(1), { stale: false });
  document.expire(now + staleAfter + 1);
  t.match(dataOf(1), { stale: true });
  document.accept({ number: 1, received: now + staleAfter }, now + staleAfter + 1);
  t.match(dataOf(1), { stale: false });
});

t.test(
  'listeners are called when the bytes of the answers change, and not otherwise',
  async (t) => {
    const { document, read } = open();
    let calls = 0;
    const unsubscribe = document.listen(() => {
      calls++;
      throw new Error('broken');
    });
    document.expire(now);
    t.equal(calls, 0);
    document.accept({ number: 1, received: now }, now);
    t.equal(calls, 1);
    t.ok(read(1));
    document.accept({ number: 2, received: now - 1 }, now);
    document.expire(now);
    t.equal(calls, 1);
    document.expire(now + staleAfter + 1);
    document.change();
    t.equal(calls, 3);
    unsubscribe();
    document.change();
    t.equal(calls, 3);
  },
);
