/** Header lines of answers as text, and as bytes that are written over each other. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { HeadBlock, HeadWriter } from '../../../http/wire/head-block.ts';
import { property } from '../../support/property.ts';

const encoder = new TextEncoder();

t.test('lines, and the age in whole seconds', async (t) => {
  const block = new HeadBlock('|lines', 10_000);
  const ages = [9_000, 10_999, 11_000, 12_500].map((now) => block.text(now, 'type'));
  const [none, one, two] = [0, 1, 2].map((age) => `type|lines\r\nage: ${age}`);
  t.strictSame(ages, [none, none, one, two]);
  t.equal(new HeadBlock('|lines', null).text(5, 'type'), 'type|lines');
});

t.test(
  'the bytes are those of the text with the quota behind it, whatever was written before',
  async (t) => {
    const lines = fc.array(fc.constantFrom('|a', '|etag: "e"', 'x'.repeat(70), 'x'.repeat(700)), {
      maxLength: 3,
    });
    const asOf = fc.option(fc.integer({ min: 0, max: 20_000 }));
    const blocks = fc.array(fc.tuple(lines, asOf), { minLength: 1, maxLength: 4 });
    const step = fc.record({
      at: fc.nat({ max: 3 }),
      now: fc.integer({ min: 0, max: 2_000_000 }),
      quota: fc.string({ maxLength: 600, unit: 'grapheme-ascii' }),
    });
    await property(t, fc.tuple(blocks, fc.array(step)), ([found, steps]) => {
      const writer = new HeadWriter('opening');
      const made = found.map(([parts, time]) => new HeadBlock(parts.join(''), time));
      for (const { at, now, quota } of steps) {
        const block = made[at % made.length];
        if (block === undefined) continue;
        const bytes = writer.write(block, now, encoder.encode(quota));
        assert.equal(Buffer.from(bytes).toString(), block.text(now, 'opening') + quota);
      }
    });
  },
);
