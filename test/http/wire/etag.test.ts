import t from 'tap';
import { matchesTag } from '../../../http/wire/etag.ts';

const tag = 'W/"abc"';

t.test('If-None-Match', async (t) => {
  for (const header of [tag, '"abc"', `"x", ${tag}`, '"x","abc" ,W/"y"', '"a,b", "abc"']) {
    t.ok(matchesTag(header, tag), header);
  }
  for (const header of [
    '*',
    ' * ',
    'W/"abcd"',
    'abc',
    '"x"',
    '"ab',
    'W/"x", "y"',
    '**',
    ', ,',
    '"*"',
  ]) {
    t.notOk(matchesTag(header, tag), header);
  }
});
