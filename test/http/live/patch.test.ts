import t from 'tap';
import { patchOf } from '../../../http/live/patch.ts';

t.test('the examples of RFC 7396 that begin and end with an object', async (t) => {
  for (const [before, now, patch] of [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { a: 'b', b: 'c' }, { b: 'c' }],
    [{ a: 'b', b: 'c' }, { b: 'c' }, { a: null }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd' } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ a: [1, 2] }, { a: [1, 2] }, {}],
    [{ e: null }, { e: null, a: 1 }, { a: 1 }],
    [
      { e: null, f: {}, g: { h: 1 } },
      { e: {}, f: 1, g: { h: 1 } },
      { e: {}, f: 1 },
    ],
    [{}, { a: { b: { c: 1 } } }, { a: { b: { c: 1 } } }],
  ] as const) {
    t.strictSame(patchOf(before, now), patch, JSON.stringify([before, now]));
  }
});

t.test('changes that a merge patch cannot express', async (t) => {
  t.equal(patchOf({ a: 1 }, { a: null }), null, 'a member that becomes null');
  t.equal(patchOf({}, { a: { b: null } }), null, 'a new member with a null in it');
  for (const [before, now] of [
    [[1], [2]],
    [[1], { a: 1 }],
    [{ a: 1 }, [2]],
  ])
    t.equal(patchOf(before, now), null, 'a list');
  t.equal(patchOf({ a: [1] }, { a: { b: 1 } }), null, 'a list that becomes an object');
  t.strictSame(
    patchOf({ a: [1] }, { a: [null] }),
    { a: [null] },
    'a list without rows is replaced whole',
  );
});
