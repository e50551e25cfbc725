/** Queries that are printed and read again, and rubbish. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import type { Params } from '../../../http/endpoints/route.ts';
import { createCheck } from '../../../http/endpoints/validate.ts';
import { errors, isApiError } from '../../../http/wire/errors.ts';
import { property } from '../../support/property.ts';

const description = 'Test.';
const params = {
  symbol: { type: 'string', required: true, maxLength: 8, description },
  interval: { type: 'string', enum: ['5m', '15m'], default: '5m', description },
  limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100, description },
  offset: { type: 'integer', description },
  share: { type: 'number', minimum: 0, maximum: 1, description },
  from: { type: 'integer', minimum: 0, description },
  to: { type: 'integer', minimum: 0, description },
} satisfies Params;

const symbols = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 4 })
  .filter((text) => text.isWellFormed());
const given = fc.record(
  {
    symbol: symbols,
    interval: fc.constantFrom('5m', '15m'),
    limit: fc.integer({ min: 1, max: 1_000 }),
    offset: fc.maxSafeInteger().map((value) => (value === 0 ? 0 : value)),
    share: fc.nat(1_000).map((value) => value / 1_000),
    from: fc.integer({ min: 100_000_000_000, max: 1_800_000_000_000 }),
    to: fc.integer({ min: 1_800_000_000_000, max: 9_800_000_000_000 }),
  },
  { requiredKeys: ['symbol'], noNullPrototype: true },
);

/** As a form in a page writes it: spaces are `+`, the rest is percent-encoded. */
const printed = (values: object): string => {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) form.set(name, String(value));
  return form.toString();
};

t.test('what is printed is read again, with the defaults', async (t) => {
  const check = createCheck({ path: '/x', params });
  await property(t, given, (values) => {
    const checked = check(printed(values), []);
    assert.ok(!isApiError(checked), JSON.stringify(checked));
    assert.deepEqual({ ...checked.values }, { interval: '5m', limit: 100, ...values });
  });
});

const names = fc.oneof(fc.constantFrom(...Object.keys(params)), fc.string());
const rubbish = fc.oneof(
  fc.constantFrom('', '5m', 'BTC', '0', '-1', '1e3', '01', ' 5', '+5', '0x10', 'NaN', 'Infinity'),
  fc.constantFrom('%', '%f', '%ff', '%00', '5M', '1.', '.5', '99999999999999999999', '1700000000'),
  fc.string({ unit: 'binary' }),
);
const queries = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'&=%+af0-.', 'symbol', 'limit', 'from', 'é', '\u0000') }),
  fc
    .array(fc.tuple(names, fc.constantFrom('=', '', '=='), rubbish))
    .map((pairs) => pairs.map((pair) => pair.join('')).join('&')),
);

/** Whether a value is one that its parameter allows, as its description says. */
const allows: Readonly<Record<keyof typeof params, (value: unknown) => boolean>> = {
  symbol: (value) => typeof value === 'string' && value !== '' && [...value].length <= 8,
  interval: (value) => value === '5m' || value === '15m',
  limit: (value) => Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= 1_000,
  offset: (value) => Number.isSafeInteger(value),
  share: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  from: (value) => value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0),
  to: (value) => value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0),
};
const needed = new Set(['symbol', 'interval', 'limit']);

t.test('rubbish is a 400 that names a parameter, or values that are allowed', async (t) => {
  const check = createCheck({ path: '/x', params });
  let read = 0;
  await property(t, fc.tuple(queries, fc.boolean()), ([query, isNamed]) => {
    const checked = check(isNamed ? `symbol=BTC&${query}` : query, []);
    assert.ok(checked.unknown.length <= 8);
    if (isApiError(checked)) {
      assert.equal(errors[checked.error].status, 400);
      const named = [...Object.keys(params), 'the query string'];
      assert.ok(
        named.some((name) => checked.message.startsWith(name)),
        checked.message,
      );
      return;
    }
    read += 1;
    const { values } = checked;
    for (const [name, isAllowed] of Object.entries(allows))
      if (name in values || needed.has(name))
        assert.ok(isAllowed(values[name]), `${name} ${query}`);
  });
  t.ok(read > 10, `${read} queries without a fault`);
});
