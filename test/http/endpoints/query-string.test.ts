import t from 'tap';
import { parseQuery } from '../../../http/endpoints/query-string.ts';
import type { Params } from '../../../http/endpoints/route.ts';
import { isApiError } from '../../../http/wire/errors.ts';

const params: Params = {
  q: { type: 'string', description: '' },
  b: { type: 'string', description: '' },
};
const read = (raw: string) => {
  const given = parseQuery(raw, params);
  return isApiError(given) ? given.message : Object.fromEntries(given.known);
};

t.test('form encoding', async (t) => {
  t.same(read(''), {});
  t.same(read('q=a+b&b=a%2Bb'), { q: 'a b', b: 'a+b' });
  t.same(read('&&q=1&&b&'), { q: '1', b: '' });
  t.same(read('q=a=b=c'), { q: 'a=b=c' });
  t.same(read('%71=%E2%82%AC'), { q: '€' }, 'names are decoded too');
  t.same(read('q=€'), { q: '€' }, 'what is not encoded stands for itself');
  t.same(
    read('Q=1&other=2&other=3&__proto__=4&constructor=5'),
    {},
    'unknown names are not among the known',
  );
});

t.test('unknown names, each once and none that is empty', async (t) => {
  const given = parseQuery('=1&x=2&&x=3&q=4&y', params);
  t.strictSame(isApiError(given) ? given : [...given.unknown], ['x', 'y']);
});

t.test('what is refused', async (t) => {
  t.equal(read('q=1&q=1'), 'q must be given only once');
  t.equal(read('q=1&%71=2'), 'q must be given only once');
  for (const broken of ['%', '%zz', '%E2%82', '%C0%80']) {
    t.equal(read(`q=${broken}`), 'q must be valid percent-encoded UTF-8', broken);
  }
  t.equal(read('%zz=1'), 'the query string is not valid percent-encoded UTF-8');
  t.same(read('other=%zz&q=1'), { q: '1' }, 'the value of an unknown name is not read');
});
