/** Bodies of answers: their tags, their header lines, and their compressed forms. */
import t from 'tap';
import { Body, fileBody, versionOf } from '../../../http/answers/response-body.ts';
import { noStamp } from '../../../http/wire/form.ts';

const linesOf = (body: Body) => body.plain.text(0);

t.test('a body of 1 KiB has compressed forms, each of which is made once', async (t) => {
  const [small, large] = [1_023, 1_024].map((size) => fileBody(Buffer.alloc(size, 'a')));
  if (!small || !large) throw new Error('no bodies');
  t.equal(small.encoded('gzip'), null);
  t.equal(linesOf(small), `\r\netag: ${small.etag}`);
  t.equal(linesOf(large), `\r\netag: ${large.etag}\r\nvary: accept-encoding`);
  const making = large.encoded('gzip');
  t.ok(making instanceof Promise);
  t.equal(large.encoded('gzip'), making);
  const form = await making;
  t.equal(large.encoded('gzip'), form);
  t.match(form?.text(0), /\r\nvary: accept-encoding\r\ncontent-encoding: gzip$/);
  t.not(large.encoded('zstd'), form);
});

t.test('the tag of a file is a short hash of its bytes', async (t) => {
  const bytes = Buffer.from('x');
  t.match(versionOf(bytes), /^[\w-]{16}$/);
  const { etag, asOf, length } = fileBody(bytes);
  t.strictSame([etag, asOf, length], [`W/"${versionOf(bytes)}"`, null, 1]);
  t.not(versionOf(bytes), versionOf(Buffer.from('y')));
});

t.test('the response time stands where the body has it, in every form', async (t) => {
  const text = `{"at":${noStamp},"rest":"${'a'.repeat(1_100)}"}`;
  const parts = { bytes: Buffer.from(text), etag: '"x"', opening: 19, stamp: 6, asOf: 5 };
  const body = new Body({ ...parts, more: '\r\nmore: 1' });
  const now = 1_700_000_000_123;
  t.equal(String(body.at(now)), text.replace(String(noStamp), String(now)));
  t.match(linesOf(body), /^\r\netag: "x"\r\nvary: accept-encoding\r\nmore: 1\r\nage: 0$/);
  const form = await body.encoded('gzip');
  t.match(form?.at(now).toString('latin1'), String(now));
  t.equal(form?.sealed, true, 'a checksum depends on the time');
});
