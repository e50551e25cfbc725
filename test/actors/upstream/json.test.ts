import t from 'tap';
import { deepest, jsonFault, mostValues } from '../../../actors/upstream/json.ts';

t.test('nesting up to the bound is taken, one more is not', async (t) => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  t.equal(jsonFault(nested(deepest)), null);
  t.match(jsonFault(nested(deepest + 1)), { code: 'shape' });
  t.match(jsonFault(`${'[1,{"a":'.repeat(deepest)}0`), { code: 'shape' }, 'of any kind');
  t.equal(jsonFault('[[],[],{}],'.repeat(1_000)), null, 'beside each other they are not deep');
});

t.test('values up to the bound are taken, more are not', async (t) => {
  const flat = (count: number) => `[${'[],'.repeat(count)}0]`;
  t.equal(jsonFault(flat(mostValues / 2 - 1)), null);
  t.match(jsonFault(flat(mostValues / 2)), { code: 'too_large' });
  t.match(jsonFault('0,'.repeat(mostValues + 1)), { code: 'too_large' });
});

t.test('brackets and commas in texts are none', async (t) => {
  t.equal(jsonFault(JSON.stringify({ text: `${'['.repeat(1_000)}\\"${'{'.repeat(1_000)}` })), null);
  t.equal(jsonFault(JSON.stringify([`\\`, '"', '\\"['.repeat(1_000)])), null);
  t.equal(jsonFault(`"${','.repeat(mostValues + 1)}"`), null);
  t.equal(jsonFault('"never ended [[['), null);
  t.match(jsonFault(`["\\\\",${'['.repeat(100)}`), { code: 'shape' }, 'after an escaped backslash');
});
