import fc from 'fast-check';
import t from 'tap';
import { jsonText } from '../../../http/answers/json.ts';
import { Snapshot, snapshotOf } from '../../../http/answers/snapshots.ts';
import { either, memoryOf, Source, unchanging } from '../../../http/answers/source.ts';
import { type ApiError, apiError, isApiError } from '../../../http/wire/errors.ts';
import { property } from '../../support/property.ts';

const textOf = (answer: Snapshot | ApiError | null) =>
  answer instanceof Snapshot ? answer.dataText : (answer?.error ?? null);

/** A source of numbers by key, and how often each answer was made. */
function stage() {
  const numbers = new Map<string, number>();
  const source = new Source();
  const made: string[] = [];
  const sum = source.answers<readonly string[], number, ApiError>({
    variantOf: (keys) => keys.join(),
    keysOf: (keys) => keys,
    build(keys) {
      made.push(keys.join());
      const known = keys.flatMap((key) => numbers.get(key) ?? []);
      if (known.length === 0) return apiError('unknown_symbol');
      return jsonText(known.reduce((all, one) => all + one, 0));
    },
  });
  const count = source.answer(() => (numbers.size === 0 ? null : jsonText(numbers.size)));
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
    sum.listenAll(() => {
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
  let made = 0;
  const read = source.answers<string, string>({
    variantOf: (text) => text,
    keysOf: (text) => [text[0] ?? ''],
    bound: { entries: 2, bytes: 10_000 },
    build(text) {
      made += 1;
      return jsonText(text);
    },
  });
  for (const text of ['a1', 'a2', 'a1', 'b1']) read(text);
  t.equal(made, 3);
  read('a1');
  t.equal(made, 3, 'a2 was used least recently and has gone');
  read('a2');
  t.equal(made, 4);
  t.equal(source.ready, 2);
  source.change(['a']);
  t.equal(source.ready, 0, 'b1 has gone for a2, a1 and a2 have changed');
  read('x'.repeat(20_000));
  t.equal(source.ready, 1, 'the newest is kept whatever its size');
  read('y');
  t.equal(source.ready, 1);
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
      t.equal(textOf(count()), numbers.size === 0 ? null : `${numbers.size}`);
    }
  });
});

t.test('a row reads and follows what its values ask for', async (t) => {
  const { sum, set, count } = stage();
  const row = memoryOf<{ name: string }, number, readonly string[]>({
    answers: sum,
    query: ({ name }) => (name === '' ? apiError('bad_parameter', 'name must be given') : [name]),
  });
  const told: string[] = [];
  row.listen({ name: 'a' }, () => told.push('a'));
  row.listen({ name: '' }, () => told.push('none'));
  set('a', 4);
  set('b', 4);
  t.same(told, ['a', 'none', 'none'], 'an error may end with any change');
  t.equal(textOf(row.view({ name: 'a' })), '4');
  t.match(row.view({ name: '' }), { error: 'bad_parameter' });
  const empty = stage();
  t.match(memoryOf({ answers: empty.count }).view({}), { error: 'warming_up' });
  const absent = apiError('upstream_failed');
  t.equal(memoryOf({ answers: empty.count, absent }).view({}), absent);
  t.equal(textOf(memoryOf({ answers: count }).view({})), '2');
});

t.test('answers of which the query says who makes them', async (t) => {
  const [one, two] = [stage(), stage()];
  one.set('a', 1);
  two.set('a', 2);
  const source = new Source();
  const read = either<readonly string[], number>(source, (keys) =>
    keys.length === 1 ? one.sum : two.sum,
  );
  t.equal(textOf(read(['a'])), '1');
  t.equal(textOf(read(['a', 'b'])), '2');
  const told: string[] = [];
  read.listen(['a'], () => told.push('one'));
  read.listen(['a', 'b'], () => told.push('two'));
  read.listenAll(() => told.push('any'));
  one.set('a', 3);
  two.set('b', 3);
  source.change();
  t.same(told, ['one', 'two', 'any']);
});

t.test('an answer that never changes', async (t) => {
  const fixed = unchanging(snapshotOf([1]));
  const found = fixed.view({});
  t.equal(!isApiError(found) && found.dataText, '[1]');
  fixed.listen({}, () => t.fail('it does not'))();
});
