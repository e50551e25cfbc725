/** Base assets as exchanges write lots of coins. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { canonical, pairOf } from '../../../actors/venues/symbols.ts';
import { property } from '../../support/property.ts';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const ticker = fc
  .string({ unit: fc.constantFrom(...letters), minLength: 2, maxLength: 8 })
  .filter((name) => name !== 'XBT');
const lots: readonly (readonly [(name: string) => string, number])[] = [
  [(name) => name, 1],
  [(name) => `1000${name}`, 1_000],
  [(name) => `10000${name}`, 10_000],
  [(name) => `100000${name}`, 100_000],
  [(name) => `1000000${name}`, 1_000_000],
  [(name) => `1M${name}`, 1_000_000],
  [(name) => `k${name}`, 1_000],
  [(name) => `${name}1000`, 1_000],
];

t.test('a lot is the coin and how many of it, in any letter case of the coin', async (t) => {
  await property(t, fc.tuple(ticker, fc.constantFrom(...lots)), ([name, [write, scale]]) => {
    assert.deepEqual(canonical(write(name)), { symbol: name, scale });
    const isLetters = write('') !== 'k' && scale === 1;
    if (isLetters) assert.equal(canonical(name.toLowerCase()).symbol, name);
  });
});

t.test('any text has a symbol in upper case, of which each unit holds at least one', async (t) => {
  await property(t, fc.string({ unit: fc.constantFrom(...'10Mk', 'PE', 'x', '-') }), (text) => {
    const { symbol, scale } = canonical(text);
    assert.ok(text.toUpperCase().includes(symbol) || text === 'XBT');
    assert.ok([1, 1_000, 10_000, 100_000, 1_000_000].includes(scale));
  });
});

t.test('a pair is joined and taken apart; anything else is none', async (t) => {
  const part = fc.string({ unit: fc.constantFrom(...'AB1-') });
  await property(t, fc.tuple(part, part), ([base, quote]) => {
    const isPair = base !== '' && quote !== '' && !`${base}${quote}`.includes('-');
    assert.deepEqual(pairOf(`${base}-${quote}`, '-'), isPair ? { base, quote } : null);
  });
});
