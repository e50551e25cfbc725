/** The digits that a request writes into the ready bytes of an answer. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { Form, HeadWriter, noStamp, quotaLines, rewriteDigits } from '../../../http/wire/form.ts';
import { property } from '../../support/property.ts';

const [first, second] = [1_700_000_000_000, 1_700_000_000_001];
const bytes = Buffer.from('ab');

t.test('digits over others with as many, and only there', async (t) => {
  const digits = fc.integer({ min: 1, max: 13 });
  const pair = digits.chain((length) => {
    const number = fc.integer({
      min: length === 1 ? 0 : 10 ** (length - 1),
      max: 10 ** length - 1,
    });
    return fc.tuple(number, number);
  });
  await property(t, pair, ([before, now]) => {
    const text = Buffer.from(`<${before}>`);
    assert.equal(rewriteDigits(text, text.length - 2, { before, now }), true);
    assert.equal(text.toString(), `<${now}>`);
  });
  const other = fc.tuple(fc.nat(), fc.nat()).filter(([a, b]) => `${a}`.length !== `${b}`.length);
  await property(t, other, ([before, now]) => {
    const text = Buffer.from(`<${before}>`);
    assert.equal(rewriteDigits(text, text.length - 2, { before, now }), false, 'no room');
    assert.match(text.toString(), /^<\d+>$/);
  });
});

t.test('another time is written in its place, and the bytes are sealed again', async (t) => {
  let seals = 0;
  const seal = () => {
    seals += 1;
  };
  const form = new Form({
    bytes: Buffer.from(`<${noStamp}>`),
    lines: '',
    asOf: null,
    place: 1,
    seal,
  });
  t.notOk(form.wasStamped);
  t.strictSame([String(form.at(first)), seals], [`<${first}>`, 1]);
  t.ok(form.wasStamped);
  t.strictSame([String(form.at(first)), seals], [`<${first}>`, 1], 'the same time changes nothing');
  t.strictSame([String(form.at(second)), seals], [`<${second}>`, 2]);
  t.strictSame([form.sealed, form.length], [true, 15]);
});

t.test('a body without a place for the time stays as it is', async (t) => {
  const form = new Form({ bytes, lines: '', asOf: null, place: null });
  t.strictSame([String(form.at(first)), form.sealed, form.length], ['ab', false, 2]);
});

t.test('lines, and the age in whole seconds', async (t) => {
  const form = new Form({ bytes, lines: '|lines', asOf: 10_000, place: null });
  const ages = [9_000, 10_999, 11_000, 12_500].map((now) => form.text(now));
  const [none, one, two] = [0, 1, 2].map((age) => `|lines\r\nage: ${age}`);
  t.strictSame(ages, [none, none, one, two]);
  t.equal(new Form({ bytes, lines: '|lines', asOf: null, place: null }).text(5), '|lines');
});

t.test('a head is opening, quota and lines, whatever was written before', async (t) => {
  const limited = fc.record({
    limit: fc.constantFrom(60, 600, 999, 900_000_000),
    remaining: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.nat(900_000_000)),
    seconds: fc.integer({ min: 1, max: 60 }),
  });
  const unlimited = fc.constant({ limit: null, remaining: 0, seconds: 0 });
  const step = fc.record({
    at: fc.nat({ max: 3 }),
    now: fc.integer({ min: 0, max: 2_000_000 }),
    opening: fc.constantFrom('json', 'json', 'csv, vary'),
    quota: fc.oneof(limited, limited, fc.constant(null), unlimited),
  });
  const lines = fc.array(fc.constantFrom('|a', '|etag: "e"', 'x'.repeat(70), 'x'.repeat(900)));
  const asOf = fc.option(fc.integer({ min: 0, max: 20_000 }));
  const parts = fc.array(fc.tuple(lines, asOf), { minLength: 1, maxLength: 4 });
  await property(t, fc.tuple(parts, fc.array(step)), ([made, steps]) => {
    const writer = new HeadWriter();
    const forms = made.map(
      ([found, time]) => new Form({ bytes, lines: found.join(''), asOf: time, place: null }),
    );
    for (const { at, now, opening, quota } of steps) {
      const form = forms[at % forms.length];
      if (form === undefined) continue;
      const head = Buffer.from(writer.write(form, now, opening, quota)).toString();
      assert.equal(head, opening + quotaLines(quota) + form.text(now));
    }
  });
});
