import t from 'tap';
import {
  jsonEntry,
  jsonList,
  jsonMap,
  jsonOf,
  jsonText,
  jsonWith,
} from '../../../http/answers/json.ts';
import { JsonText } from '../../../http/answers/json-text.ts';

t.test('numbers at any depth are given with the digits that they have', async (t) => {
  const data = {
    price: 1.0393000000000001,
    bids: [{ price: 0.1 + 0.2, quantity: 3 }],
    columns: [[1.1 * 1.1, null, NaN]],
  };
  const text = '{"price":1.0393,"bids":[{"price":0.3,"quantity":3}],"columns":[[1.21,null,null]]}';
  t.equal(jsonOf(data), text);
  t.equal(data.price, 1.0393000000000001, 'the data itself is not changed');
});

t.test('whole numbers, text and times are exact', async (t) => {
  const data = {
    timestamp: 1_750_000_000_123,
    supply: 123_456_789_012_345_680_000,
    wei: '1234567890123456789012345.0000000000000001',
    name: 'a:1.0393000000000001,b',
    none: undefined,
    list: [undefined, true, false],
  };
  t.equal(jsonOf(data), JSON.stringify(data));
});

t.test('an object with its own JSON form is written in that form', async (t) => {
  const text = '{"exact":1.0000000000000002}';
  t.equal(
    jsonOf({ at: new Date(0), text: new JsonText(text) }),
    `{"at":"1970-01-01T00:00:00.000Z","text":${text}}`,
  );
  t.equal(jsonOf(1.0000000000000002), '1');
  t.equal(jsonOf(null), 'null');
});

t.test('texts are put together without being read', async (t) => {
  const [one, two] = [jsonText({ a: 1 }), jsonText({ b: '€' })];
  t.strictSame(JSON.parse(jsonList([one, one]).text), [{ a: 1 }, { a: 1 }]);
  t.equal(jsonList([]).text, '[]');
  const [old, young] = [jsonText({}, 5), jsonText({}, 7)];
  const joined = [
    [one, two],
    [one, old],
    [old, one],
    [young, old],
    [old, young],
  ] as const;
  t.strictSame(
    joined.map(([a, b]) => jsonWith(a, 'x', b).asOf),
    [null, 5, 5, 7, 7],
    'a text is as new as the newest in it',
  );
  t.strictSame([jsonText(young).asOf, jsonMap([], 9).asOf, jsonMap([]).asOf], [7, 9, null]);
  const map = jsonMap([jsonEntry('x"y', { a: 0.1 + 0.2 }), jsonEntry('z', { a: 2 })]);
  t.strictSame(JSON.parse(map.text), { 'x"y': { a: 0.3 }, z: { a: 2 } });
  t.equal(jsonWith(one, 'more', jsonList([two])).text, '{"a":1,"more":[{"b":"€"}]}');
});
