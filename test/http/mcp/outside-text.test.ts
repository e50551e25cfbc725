/** Text that others wrote stays data. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { longestText, outsideIn, visible } from '../../../http/mcp/outside-text.ts';
import { property } from '../../support/property.ts';

t.test('what nobody sees becomes visible, and text in other scripts stays', (t) => {
  const cases = [
    ['Wrapped Bitcoin', 'Wrapped Bitcoin'],
    ['日本円 · Ünïcode 🐶', '日本円 · Ünïcode 🐶'],
    ['a\u202eb', 'a\\u{202e}b'],
    ['a\u200bb\ufeff', 'a\\u{200b}b\\u{feff}'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['bell\u0007 line\nnew\u2028', 'bell\\u{7} line\\u{a}new\\u{2028}'],
    ['half \ud800', 'half \\u{d800}'],
    ['filler \u3164', 'filler \\u{3164}'],
  ] as const;
  for (const [given, want] of cases) t.equal(visible(given), want);
  t.match(visible('x'.repeat(longestText + 5)), /^x{600}… \(5 characters more\)$/);
  t.end();
});

t.test(
  'no text has a control, format or ignorable character after it was made visible',
  async (t) => {
    const bad = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
    await property(t, fc.string({ unit: 'binary' }), (text) => {
      assert.doesNotMatch(visible(text), bad);
    });
  },
);

t.test('places of text from outside: any text of chains, elsewhere what is no identifier', (t) => {
  const text = { type: 'string' };
  const schema = {
    type: 'object',
    properties: {
      name: text,
      kind: { enum: ['spot'] },
      note: text,
      rows: { type: 'array', items: { type: 'object', properties: { name: text } } },
      by: { type: 'object', additionalProperties: { type: 'integer' } },
    },
  };
  const data = { name: 'BTC-USDT', kind: 'spot', note: 'Our own words.', rows: [{ name: 'a b' }] };
  t.same(outsideIn(data, schema, 'Funding'), ['rows[].name']);
  t.same(outsideIn(data, schema, 'DEX and stablecoins'), ['name', 'rows[].name']);
  t.same(outsideIn({ by: { 'buy now': 1 } }, schema, 'Funding'), ['by.* (its name)']);
  t.end();
});
