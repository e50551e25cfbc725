import t from 'tap';
import { Document } from '../../../http/views/published.ts';
import { isApiError } from '../../../http/wire/errors.ts';

const now = 1_700_000_000_000;
const staleAfter = 1_000;

interface Value {
  number: number;
  received: number;
}
const open = () => {
  const document = new Document<Value>(({ received }) => ({ received, staleAfter }));
  const read = document.source.answers({
    build(times: number) {
      const found = document.current();
      return found && { product: found.value.number * times, stale: found.stale };
    },
  });
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
  document.accept({ number: 8, received: now - 1 }, now);
  t.equal(read(2), first, 'an older value is ignored');
  document.accept({ number: 9, received: now }, now);
  t.strictSame(dataOf(2), { product: 18, stale: false });
});

t.test('its answers are as old as its value', async (t) => {
  const { document, read } = open();
  for (const received of [0, now]) {
    document.accept({ number: 1, received }, now);
    const answer = read(1);
    if (answer === null || isApiError(answer)) throw new Error('no answer');
    t.equal(answer.asOf, received === 0 ? null : now);
  }
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
