import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { jsonText } from '../../../http/answers/json.ts';
import { Snapshot } from '../../../http/answers/snapshots.ts';
import { memoryOf, Source } from '../../../http/answers/source.ts';
import { type ApiError, apiError } from '../../../http/wire/errors.ts';
import { ready } from '../../support/http.ts';
import { property } from '../../support/property.ts';

const textOf = (answer: Snapshot | ApiError | null) =>
  answer instanceof Snapshot ? answer.dataText : (answer?.error ?? null);

/** A source of numbers by key, and how often each answer was made. */
function stage() {
  const numbers = new Map<string, number>();
  const source = new Source();
  const made: string[] = [];
  const sum = source.answers<readonly string[], number>({
    keysOf: (keys) => keys,
    build(keys) {
      made.push(keys.join());
      const known = keys.flatMap((key) => numbers.get(key) ?? []);
      if (known.length === 0) return apiError('unknown_symbol');
      return known.reduce((all, one) => all + one, 0);
    },
  });
  const count = source.answers<unknown, number>({
    build: () => (numbers.size === 0 ? null : jsonText(numbers.size)),
  });
  const set = (key: string, value: number) => {
    numbers.set(key, value);
    source.change([key]);
  };
  return { numbers, source, made, sum, count, set };
}

t.test(
  'an answer is made at the first read, and again after a change of one of its keys',
  async (t) => {
    const { made, sum, set, source } = stage();
    set('a', 1);
    set('b', 2);
    t.same(made, [], 'nobody has read');
    const first = sum(['a', 'b']);
    t.equal(textOf(first), '3');
    set('c', 9);
    t.equal(sum(['a', 'b']), first, 'the same bytes: c is not in it');
    set('b', 5);
    t.equal(textOf(sum(['a', 'b'])), '6');
    t.same(made, ['a,b', 'a,b']);
    sum(['a']);
    source.change();
    sum(['a']);
    t.same(made.slice(2), ['a', 'a'], 'a change of everything concerns all');
  },
);

t.test('errors are not kept', async (t) => {
  const { made, sum } = stage();
  t.equal(textOf(sum(['x'])), 'unknown_symbol');
  sum(['x']);
  t.same(made, ['x', 'x']);
});

t.test(
  'listeners are called after a change of their keys, of symbols not known yet too',
  async (t) => {
    const { sum, count, set, source } = stage();
    const told: string[] = [];
    const end = sum.listen(['a', 'b'], () => told.push('a and b'));
    sum.listen(['new'], () => told.push('new'));
    count.listen(undefined, () => told.push('count'));
    source.listen(undefined, () => {
      throw new Error('a listener that fails');
    });
    set('a', 1);
    t.same(told.splice(0), ['a and b', 'count']);
    set('new', 1);
    t.same(told.splice(0), ['new', 'count']);
    source.change();
    t.same(told.splice(0), ['a and b', 'a and b', 'new', 'count'], 'once for each key');
    end();
    end();
    set('b', 1);
    t.same(told, ['count']);
  },
);

t.test('a listener reads what has changed', async (t) => {
  const { sum, set } = stage();
  set('a', 1);
  sum(['a']);
  const seen: unknown[] = [];
  sum.listen(['a'], () => seen.push(textOf(sum(['a']))));
  set('a', 2);
  t.same(seen, ['2']);
});

t.test('what is kept of answers with a bound, and what a change of a key then drops', async (t) => {
  const source = new Source();
  const made: string[] = [];
  const read = source.answers<string, string>({
    keysOf: (text) => (text[0] === 'n' ? undefined : [text[0] ?? '']),
    bound: { entries: 2, bytes: 10_000 },
    build(text) {
      made.push(text.slice(0, 2));
      return text;
    },
  });
  const all = (...texts: string[]) => {
    for (const text of texts) read(text);
    return made.splice(0).join(' ');
  };
  t.equal(all('a1', 'b1', 'a2', 'b1'), 'a1 b1 a2');
  t.equal(all('a1', 'a2'), 'a1', 'the oldest has gone');
  source.change(['b']);
  t.equal(all('a1', 'a2'), '');
  source.change(['a']);
  t.equal(all('a1', 'n1'), 'a1 n1');
  source.change(['b']);
  t.equal(all('a1', 'n1'), 'n1', 'every change concerns what has no keys');
  const large = 'x'.repeat(20_000);
  t.equal(all(large, large), 'xx', 'the newest is kept whatever its size');
  t.equal(all('y1', 'y1', 'a1'), 'y1 a1');
});

t.test('what is kept for equal requests ends with a change, and with the bound', async (t) => {
  const source = new Source();
  const read = source.answers<string, string>({
    keysOf: (text) => [text],
    bound: { entries: 2 },
    build: (text) => text,
  });
  const keptOf = (text: string) => {
    const found = read(text);
    assert(found instanceof Snapshot);
    t.equal(found.kept.answer, found);
    return found.kept;
  };
  const [a, b] = [keptOf('a'), keptOf('b')];
  source.change(['b']);
  t.match([a.answer === null, b.answer], [false, null]);
  const [again, c] = [keptOf('b'), keptOf('c')];
  t.match([a.answer, again.answer === null], [null, false], 'there is room for two');
  source.change();
  t.match([again.answer, c.answer], [null, null]);
});

t.test('answers are kept by what is asked, in whatever form', async (t) => {
  const source = new Source();
  let made = 0;
  const read = source.answers<unknown, number>({ build: () => ++made });
  const asked = { symbol: 'A', limit: 3 };
  const same = [asked, { ...asked }, asked, 5, 5, 'x', 'x', undefined, null, ['a'], ['a']];
  t.strictSame(
    same.map((query) => textOf(read(query))),
    ['1', '1', '1', '2', '2', '3', '3', '4', '4', '5', '5'],
  );
});

t.test('an answer is as old as its text says, as its data state, or as its source', async (t) => {
  let received: number | null = null;
  const source = new Source(() => received);
  const read = source.answers({
    build(query: string) {
      if (query === 'text') return jsonText({ updated_at: 5 }, 7);
      return query === 'stated' ? { updated_at: 5 } : { updated_at: query };
    },
  });
  const ages = () => {
    source.change();
    return ['text', 'stated', 'words'].map((query) => {
      const found = read(query);
      return found instanceof Snapshot && found.asOf;
    });
  };
  t.strictSame(ages(), [7, 5, null]);
  received = 9;
  t.strictSame(ages(), [7, 5, 9]);
});

t.test('data are read without their text, which is made once for who wants bytes', async (t) => {
  let written = 0;
  const price = { toJSON: () => ++written };
  const source = new Source(() => 9);
  const read = source.answers({
    build(query: string) {
      if (query === 'none') return null;
      if (query === 'error') return apiError('unknown_symbol');
      return query === 'text' ? jsonText({ price }, 7) : { price };
    },
  });
  for (const [query, asOf] of [
    ['text', 7],
    ['data', 9],
  ] as const) {
    const found = read.data(query);
    t.match(found, { asOf }, query);
    t.equal(
      found !== null && 'data' in found && Object(found.data).price,
      price,
      'the object itself',
    );
  }
  t.equal(written, 0);
  t.match([read.data('none'), read.data('error')], [null, { error: 'unknown_symbol' }]);
  t.equal(textOf(read('text')), '{"price":1}');
  t.equal(textOf(read('text')), '{"price":1}');
  t.equal(written, 1);
  t.match(memoryOf(read).data('none'), { error: 'warming_up' });
});

/** The sum that is asked for, made of the numbers anew. */
const modelOf = (numbers: ReadonlyMap<string, number>, keys: readonly string[]): string => {
  const known = keys.flatMap((name) => numbers.get(name) ?? []);
  return known.length === 0 ? 'unknown_symbol' : `${known.reduce((a, b) => a + b, 0)}`;
};

t.test('answers are those of a model that makes every answer anew', async (t) => {
  const key = fc.constantFrom('a', 'b', 'c', 'd');
  const step = fc.record({ set: fc.option(key), value: fc.nat(99), read: fc.uniqueArray(key) });
  await property(t, fc.array(step, { maxLength: 60 }), (steps) => {
    const { numbers, sum, set, source, count } = stage();
    for (const { set: name, value, read } of steps) {
      if (name === null) source.change();
      else set(name, value);
      t.equal(textOf(sum(read)), modelOf(numbers, read));
      t.equal(textOf(count('')), numbers.size === 0 ? null : `${numbers.size}`);
    }
  });
});

t.test('a row reads and follows its answers', async (t) => {
  const { sum, set } = stage();
  const row = memoryOf(sum);
  const told: string[] = [];
  row.listen(['a'], () => told.push('a'));
  set('a', 4);
  set('b', 4);
  t.same(told, ['a']);
  t.equal(textOf(row.view(['a'])), '4');
  t.match(row.view(['x']), { error: 'unknown_symbol' });
  const { count } = stage();
  t.match(memoryOf(count).view({}), { error: 'warming_up' });
  const absent = apiError('upstream_failed');
  t.equal(memoryOf(count, absent).view({}), absent);
});

t.test('the response time is written into ready bytes', async (t) => {
  const snapshot = ready('{"price":"1 €"}');
  for (const now of [1_700_000_000_000, 1_700_000_000_001, 9_999_999_999_999]) {
    const bytes = snapshot.at(now);
    t.equal(bytes.length, snapshot.length);
    t.same(JSON.parse(bytes.toString()), { status: 'ok', timestamp: now, data: { price: '1 €' } });
  }
});

t.test('the tag is that of the data: equal in every process, other for other data', async (t) => {
  t.equal(ready('[1]').etag, ready('[1]').etag);
  t.not(ready('[1]').etag, ready('[2]').etag);
  t.match(ready('[1]').etag, /^W\/"[\w-]{27}"$/);
});

t.test(
  'an answer holds until the time that its fold states, then its source announces a change',
  async (t) => {
    const [own, other] = [new Source(), new Source()];
    const both = Source.of([own, other]);
    const heard: (string | undefined)[] = [];
    both.listen(undefined, () => heard.push('all'));
    both.listen(['BTC'], (key) => heard.push(key));
    let ends = 100;
    const read = both.answers({
      build() {
        both.holdsUntil(ends);
        return { now: both.now };
      },
    });
    own.expire(50);
    const first = read('');
    own.expire(100);
    t.equal(read(''), first, 'it still holds');
    t.strictSame(heard, []);
    ends = 300;
    other.expire(101);
    t.not(read(''), first);
    t.strictSame(heard.splice(0), ['BTC', 'all'], 'every key is concerned');
    own.change(['ETH']);
    other.change(['BTC']);
    t.strictSame(
      heard.splice(0),
      ['all', 'BTC', 'all'],
      'keys mean the same in what is made of it',
    );
    own.expire(299);
    t.strictSame(heard, []);
  },
);
