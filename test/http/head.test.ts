/** The header lines that every answer has: equal to a table, which changes on purpose only. */
import t from 'tap';
import { createHeads, firstHeader } from '../../http/head.ts';
import { sameAsDeclared } from '../support/declared.ts';

t.test('the lines of each kind of answer, by the origin of the request', async (t) => {
  const [any, some] = [createHeads(['https://a.test', '*']), createHeads(['https://a.test'])];
  sameAsDeclared(t, 'heads', {
    any: { anyOrigin: any.anyOrigin, ...any.of('https://z.test') },
    listed: { anyOrigin: some.anyOrigin, ...some.of('https://a.test') },
    stranger: some.of('https://z.test'),
  });
  t.equal(Buffer.from(firstHeader).toString(), 'x-content-type-options');
});
