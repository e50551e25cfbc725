import t from 'tap';
import { deepest, jsonFault, jsonIn, maxValues } from '../../../actors/upstream/json.ts';

t.test('nesting up to the bound is taken, one more is not', async (t) => {
  t.strictSame([deepest, maxValues], [64, 2_000_000]);
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  t.equal(jsonFault(nested(deepest)), null);
  t.match(jsonFault(nested(deepest + 1)), { code: 'shape' });
  t.match(jsonFault(`${'[1,{"a":'.repeat(deepest)}0`), { code: 'shape' }, 'of any kind');
  t.equal(jsonFault('[[],[],{}],'.repeat(1_000)), null, 'beside each other they are not deep');
});

t.test('the same of a text that is parsed first', async (t) => {
  const nested = (levels: number) => '[0,{"a":'.repeat(levels / 2) + '}]'.repeat(levels / 2);
  const texts = [
    [nested(deepest).replace(':}', ':null}'), 'value'],
    [nested(deepest + 2).replace(':}', ':null}'), 'code'],
    [`[${'[],{},'.repeat(1_000)}0]`, 'value'],
    [JSON.stringify('['.repeat(1_000)), 'value'],
    ['['.repeat(maxValues / 2) + ']'.repeat(maxValues / 2), 'code'],
    ['['.repeat(100), 'code'],
    ['null', 'value'],
    ['', 'code'],
  ] as const;
  for (const [text, key] of texts) t.ok(key in jsonIn(text), `${key} of ${text.slice(0, 20)}`);
  t.same(jsonIn('[{"a":1}]'), { value: [{ a: 1 }] });
});

t.test('values up to the bound are taken, more are not', async (t) => {
  const flat = (count: number) => `[${'[],'.repeat(count)}0]`;
  t.equal(jsonFault(flat(maxValues / 2 - 1)), null);
  t.match(jsonFault(flat(maxValues / 2)), { code: 'too_large' });
  t.equal(jsonFault('0,'.repeat(maxValues)), null);
  t.match(jsonFault('0,'.repeat(maxValues + 1)), { code: 'too_large' });
});

t.test('brackets and commas in texts are none', async (t) => {
  t.equal(jsonFault(JSON.stringify({ text: `${'['.repeat(1_000)}\\"${'{'.repeat(1_000)}` })), null);
  t.equal(jsonFault(JSON.stringify([`\\`, '"', '\\"['.repeat(1_000)])), null);
  t.equal(jsonFault(`"${','.repeat(maxValues + 1)}"`), null);
  t.equal(jsonFault('"never ended [[['), null);
  t.match(jsonFault(`["\\\\",${'['.repeat(100)}`), { code: 'shape' }, 'after an escaped backslash');
});
