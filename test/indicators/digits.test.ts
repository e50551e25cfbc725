import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { decimalsOf, rounded } from '../../indicators/digits.ts';
import { longNumbers } from '../support/digits.ts';
import { property } from '../support/property.ts';

t.test('artefacts of floats go, digits that a number has stay', async (t) => {
  for (const [value, short] of [
    [1.0393000000000001, 1.0393],
    [0.1 + 0.2, 0.3],
    [-0.30000000000000004, -0.3],
    [4.35 * 100, 435],
    [123456.123456789, 123456.123457],
    [0.00001234567890123456, 0.0000123456789012],
    [1.2345678901234567e-30, 1.23456789012e-30],
    [0.9999999999999999, 1],
    [999999999999.9999, 1e12],
    [9.999999999999999e22, 1e23],
    [1e-7, 1e-7],
    [0.5, 0.5],
  ] as const) {
    t.equal(rounded(value), short, String(value));
  }
});

t.test('whole numbers are exact whatever their size; other values stay as they are', async (t) => {
  const whole = [0, 1, -7, 1_750_000_000_123, 123_456_789_012_345, 2 ** 53, 1e21];
  for (const value of [...whole, Infinity, -Infinity, NaN]) {
    t.ok(Object.is(rounded(value), value), String(value));
  }
});

t.test('over all magnitudes: twelve digits, within half a unit of the last', async (t) => {
  const parts = fc.tuple(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.integer({ min: -40, max: 19 }),
  );
  const values = parts.map(([share, power]) => (1 + 9 * share) * 10 ** power);
  const check = (value: number) => {
    const short = rounded(value);
    assert.ok(Math.abs(short - value) <= value * 5.01e-12);
    assert.deepEqual([longNumbers(short), rounded(-value)], [[], -short]);
  };
  await property(t, values, check, 5_000);
});

t.test('the digits after the point that a number needs', async (t) => {
  for (const [value, digits] of [
    [0.5, 1],
    [0.25, 2],
    [0.025, 3],
    [50, 0],
    [1e-7, 7],
    [2.5e-8, 9],
    [1e-7 / 1_000, 10],
    [1e21, 0],
    [-0.1 - 0.2, 1],
    [0, 0],
  ] as const)
    t.equal(decimalsOf(value), digits, String(value));
});
