import t from 'tap';
import { deepest, excessOf, jsonIn, maxValues } from '../../actors/read.ts';

/** More characters than a harmless text has. */
const blank = ' '.repeat(5_000);

t.test('nesting up to the bound is taken, one more is not', async (t) => {
  t.strictSame([deepest, maxValues], [64, 2_000_000]);
  const nested = (depth: number) => blank + '['.repeat(depth) + ']'.repeat(depth);
  t.equal(excessOf(nested(deepest)), null);
  t.match(excessOf(nested(deepest + 1)), /deeper than 64/);
  t.match(excessOf(`${blank}${'[1,{"a":'.repeat(deepest)}0`), /deeper/, 'of any kind');
  t.equal(excessOf(blank + '[[],[],{}],'.repeat(1_000)), null, 'beside each other they are not');
});

t.test('values up to the bound are taken, more are not', async (t) => {
  const flat = (count: number) => `[${'[],'.repeat(count)}0]`;
  t.equal(excessOf(flat(maxValues / 2 - 1)), null);
  t.match(excessOf(flat(maxValues / 2)), /more than 2000000 values/);
  t.equal(excessOf('0,'.repeat(maxValues)), null);
  t.match(excessOf('0,'.repeat(maxValues + 1)), /values/);
});

t.test('brackets and commas in texts are none', async (t) => {
  t.equal(excessOf(JSON.stringify({ text: `${'['.repeat(5_000)}\\"${'{'.repeat(1_000)}` })), null);
  t.equal(excessOf(JSON.stringify([`\\`, '"', '\\"['.repeat(5_000)])), null);
  t.equal(excessOf(`"${','.repeat(maxValues + 1)}"`), null);
  t.equal(excessOf(`${blank}"never ended [[[`), null);
  const after = `${blank}["\\\\",${'['.repeat(100)}`;
  t.match(excessOf(after), /deeper/, 'after an escaped backslash');
});

t.test('a value, or why there is none', async (t) => {
  t.same(jsonIn('[{"a":1}]'), { value: [{ a: 1 }] });
  t.same(jsonIn('null'), { value: null });
  for (const text of ['', '['.repeat(100), '{"a"']) t.same(jsonIn(text), { fault: 'not JSON' });
  t.match(jsonIn('['.repeat(5_000) + ']'.repeat(5_000)), { fault: /deeper/ });
});
