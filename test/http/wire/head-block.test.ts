/** Header lines as bytes, for the second in which the age of the answer holds. */
import t from 'tap';
import { HeadBlock } from '../../../http/wire/head-block.ts';

const quota = (text: string) => new TextEncoder().encode(text);
const read = (bytes: ArrayBuffer | null) => bytes && Buffer.from(bytes).toString();

t.test('lines, and the age in whole seconds', async (t) => {
  const block = new HeadBlock('|lines', 10_000);
  const ages = [9_000, 10_999, 11_000, 12_500].map((now) => block.text(now, 'type', '|vary'));
  const [none, one, two] = [0, 1, 2].map((age) => `type|vary|lines\r\nage: ${age}`);
  t.strictSame(ages, [none, none, one, two]);
  t.equal(new HeadBlock('|lines', null).text(5, 'type', ''), 'type|lines');
});

t.test('bytes are made at the second use in a second', async (t) => {
  const block = new HeadBlock('|a', 10_000);
  const ready = (now: number, lines = '+q', type = 't', vary = '') =>
    read(block.ready(now, type, vary, quota(lines)));
  const found = [
    ...[ready(12_100), ready(12_000), ready(12_999, '+qq'), ready(12_500, '')],
    ...[ready(13_000), ready(13_999), ready(12_999), ready(12_999, '+q', 'u'), ready(12_999)],
    ...[ready(12_999, '+q', 't', 'v'), ready(12_999, '+q', 't', 'v')],
  ];
  const [two, three] = ['t|a\r\nage: 2', 't|a\r\nage: 3'];
  t.strictSame(found, [
    ...[null, `${two}+q`, `${two}+qq`, two, null, `${three}+q`, null, null, null],
    ...[null, 'tv|a\r\nage: 2+q'],
  ]);
});

t.test('bytes of an answer without an age hold always', async (t) => {
  const block = new HeadBlock('|a', null);
  const found = [5, 1, 1e15].map((now) => read(block.ready(now, 't', '', quota('+q'))));
  t.strictSame(found, [null, 't|a+q', 't|a+q']);
});
