import t from 'tap';
import { deepest, jsonIn, maxValues } from '../../actors/read.ts';

t.test('a value, or why there is none', async (t) => {
  t.same(jsonIn('[{"a":1}]'), { value: [{ a: 1 }] });
  t.same(jsonIn('null'), { value: null });
  for (const text of ['', '['.repeat(100), '{"a"']) t.same(jsonIn(text), { fault: 'not JSON' });
});

/** More characters than a harmless text has. */
const blank = ' '.repeat(1_100_000);

t.test(
  'long texts are refused where they are nested too deeply, or have too many values',
  async (t) => {
    const nested = (depth: number) => blank + '['.repeat(depth) + ']'.repeat(depth);
    t.notMatch(jsonIn(nested(deepest)), { fault: /./ });
    t.match(jsonIn(nested(deepest + 1)), { fault: /deeper than 1000/ });
    t.match(jsonIn(`${blank}${'[1,{"a":'.repeat(deepest)}0`), { fault: /deeper/ }, 'of any kind');
    t.notMatch(jsonIn(`${blank}[${'[],{},'.repeat(2_000)}0]`), { fault: /./ }, 'side by side');
    t.match(jsonIn(`[${'0,'.repeat(maxValues)}0]`), { fault: /more than 2000000 values/ });
    t.match(jsonIn(`[${'[],'.repeat(maxValues / 2)}0]`), { fault: /more than 2000000 values/ });
  },
);
