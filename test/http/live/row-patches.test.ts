/** Lists of rows in patches: what the server makes of them, and what the client makes of that. */
import { deepStrictEqual, ok } from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { patched } from '../../../clients/typescript/src/index.ts';
import { movedOf, patchOf } from '../../../http/live/patch.ts';
import { Random } from '../../../scripts/load/fuzz/random.ts';
import { property } from '../../support/property.ts';

const level = (price: number, quantity: number) => ({ price, quantity });

t.test('a book: levels that change, go and come', async (t) => {
  const before = {
    timestamp: 1,
    bids: [level(99, 1), level(98, 2), level(97, 3), level(96, 4), level(95, 5), level(94, 6)],
    asks: [level(101, 1), level(102, 2)],
  };
  const now = {
    timestamp: 2,
    bids: [level(99, 1), level(98.5, 7), level(98, 2.5), level(96, 4), level(95, 5), level(94, 6)],
    asks: [level(101, 1), level(102, 2)],
  };
  const patch = {
    timestamp: 2,
    bids: {
      key: ['price'],
      removed: [[97]],
      changed: [{ price: 98, quantity: 2.5 }],
      placed: [[1, { price: 98.5, quantity: 7 }]],
    },
  };
  t.strictSame(patchOf(before, now), patch);
  t.strictSame(patched(before, patch), now);
});

t.test('two of 50 levels a side take 200 bytes at most, of 3,000', async (t) => {
  const side = (step: number) =>
    Array.from({ length: 50 }, (_, i) => level(97_870.5 + step * i, 1.25 + i / 100));
  const before = { symbol: 'BTC', timestamp: 1_700_000_000_000, bids: side(-0.5), asks: side(0.5) };
  const change = (levels: object[]) =>
    levels.map((one, i) => (i === 3 || i === 40 ? { ...one, quantity: 0.125 } : one));
  const now = { ...before, timestamp: 1_700_000_000_250, bids: change(before.bids) };
  const text = JSON.stringify(patchOf(before, now));
  t.ok(JSON.stringify(now).length > 3_000);
  t.ok(text.length <= 200, text);
  t.strictSame(patched(before, JSON.parse(text)), now);
});

/** Rows that are longer than what tells them apart. */
const text = 'so that a whole row is longer than a change of it';

t.test('rows that move, become null, hold lists; two members as a key', async (t) => {
  const row = (exchange: string, pair: string, rest: object = {}) => ({
    exchange,
    pair,
    text,
    ...rest,
  });
  const strikes = [50, 60, 70, 80].map((strike) => ({ strike, oi: 1, text }));
  const before = {
    items: [
      row('okx', 'BTC-USDT', { price: 1 }),
      row('okx', 'BTC-USDC', { price: 2 }),
      row('gate', 'BTC-USDT', { bid: 3 }),
      row('gate', 'BTC-USDC', { strikes }),
      row('kraken', 'BTC-USDC'),
    ],
  };
  const now = {
    items: [
      row('kraken', 'BTC-USDC', { price: 9 }),
      row('okx', 'BTC-USDT', { price: 1 }),
      row('okx', 'BTC-USDC'),
      row('gate', 'BTC-USDT', { bid: null }),
      row('gate', 'BTC-USDC', {
        strikes: strikes.map((one) => (one.strike === 70 ? { ...one, oi: 2 } : one)),
      }),
    ],
  };
  const patch = {
    items: {
      key: ['exchange', 'pair'],
      removed: [['gate', 'BTC-USDT']],
      changed: [
        { exchange: 'okx', pair: 'BTC-USDC', price: null },
        {
          exchange: 'gate',
          pair: 'BTC-USDC',
          strikes: { key: ['strike'], changed: [{ strike: 70, oi: 2 }] },
        },
      ],
      placed: [
        [0, { exchange: 'kraken', pair: 'BTC-USDC', price: 9 }],
        [3, { exchange: 'gate', pair: 'BTC-USDT', text, bid: null }],
      ],
    },
  };
  t.strictSame(patchOf(before, now), patch);
  t.strictSame(patched(before, patch), now);
});

t.test('lists that are sent whole', async (t) => {
  const rows = (...prices: unknown[]) => prices.map((price) => ({ price, text }));
  for (const [before, now, why] of [
    [rows(1, 2, 2), rows(1, 2, 3), 'a repeated key before'],
    [rows(1, 2, 3), rows(1, 2, 2), 'a repeated key'],
    [rows(1, 2), [...rows(1), { text }], 'a row without a key'],
    [rows(1, null), rows(1, 2), 'a key that is null'],
    [[1, ...rows(2)], [2, ...rows(2)], 'not all are rows'],
    [rows(1, 2), rows(3, 4), 'no row stays'],
    [[level(1, 1)], [level(1, 2)], 'the rows by key would be longer'],
    [rows(1), [], 'none are left'],
    [[], rows(1), 'there were none'],
    [[{ n: 1 }], [{ n: 2 }], 'no member that is known as a key'],
  ] as const) {
    t.strictSame(patchOf({ a: before }, { a: now }), { a: now }, why);
    t.strictSame(patched({ a: before }, { a: now }), { a: now }, why);
  }
  t.strictSame(patchOf({ a: rows(1, 1) }, { a: rows(1, 1) }), {}, 'no change');
  t.strictSame(patchOf({ a: rows(1, 2) }, { a: rows(1, 2) }), {}, 'no change of rows');
});

t.test('the key that most rows share', async (t) => {
  const row = (timestamp: number, symbol: string) => ({ timestamp, symbol, text });
  t.strictSame(
    patchOf({ a: [row(1, 'BTC'), row(2, 'ETH')] }, { a: [row(3, 'BTC'), row(4, 'ETH')] }),
    {
      a: {
        key: ['symbol'],
        changed: [
          { symbol: 'BTC', timestamp: 3 },
          { symbol: 'ETH', timestamp: 4 },
        ],
      },
    },
  );
});

const scalar = fc.constantFrom(0, 1.5, -2, '', 'é', '1', true, false);
const maybeNull = fc.option(scalar, { freq: 3 });
const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'key', 'placed', 'price');

const prices = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** Rows of few prices, so that two lists share some: in any order, with a nested list, with and without a key. */
const rowsOf = (maxLength: number, inner?: fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> => {
  const members = fc.record(
    {
      text: fc.constantFrom(text, text.slice(9)),
      exchange: fc.constantFrom('okx', 'gate'),
      side: maybeNull,
      ...(inner && { levels: inner }),
    },
    { requiredKeys: ['text'] },
  );
  // The prices are drawn apart: of whole rows that were drawn, most would be rejected for a price that has been.
  const keyed = fc
    .tuple(fc.shuffledSubarray(prices, { minLength: 8 }), fc.array(members, { maxLength }))
    .map(([drawn, rows]) => rows.map((rest, i) => ({ price: drawn[i] ?? 0, ...rest })));
  const row = fc
    .tuple(fc.constantFrom(...prices), members)
    .map(([price, rest]) => ({ price, ...rest }));
  const sorted = keyed.map((rows) => rows.toSorted((one, other) => one.price - other.price));
  const free = fc.array<unknown>(fc.oneof(row, fc.dictionary(name, maybeNull), maybeNull), {
    maxLength: 4,
  });
  return fc.oneof({ weight: 4, arbitrary: keyed }, { weight: 4, arbitrary: sorted }, free);
};
const rows = rowsOf(8, rowsOf(4));

/** Two documents. With `nulls` a member may become null, and a list an object: no patch can express that. */
const documents = (nulls: boolean) => {
  const lists = nulls ? [{ weight: 1, arbitrary: rows }] : [];
  const value = fc.oneof({ weight: 3, arbitrary: nulls ? maybeNull : scalar }, ...lists);
  const members = fc.dictionary(name, fc.oneof(value, fc.dictionary(name, value)));
  const document = fc.record({ bids: rows, items: rows, members, about: value });
  return fc.tuple(document, document);
};

/** As it comes over a connection. */
const sent = (value: unknown) => JSON.parse(JSON.stringify(value));

/** The members of all patches of rows in a patch, and whether each is shorter than the list. */
function membersIn(patch: unknown, now: unknown, seen: Set<string>): boolean {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return true;
  if (Array.isArray(now)) {
    for (const name of Object.keys(patch)) seen.add(name);
    return Buffer.byteLength(JSON.stringify(patch)) < Buffer.byteLength(JSON.stringify(now));
  }
  const inner = Object(now);
  return Object.entries(patch).every(([name, one]) => membersIn(one, inner[name], seen));
}

for (const nulls of [false, true]) {
  const title = nulls ? ', or there is no patch' : '';
  t.test(`patched(before, patchOf(before, now)) is now${title}`, async (t) => {
    const seen = new Set<string>();
    const check = ([before, now]: readonly [object, object]) => {
      const patch = patchOf(before, now);
      if (patch === null) seen.add('none');
      if (patch === null && nulls) return;
      const kept = sent(before);
      deepStrictEqual(patched(kept, sent(patch)), sent(now));
      deepStrictEqual(kept, sent(before), 'the version before stays as it is');
      ok(membersIn(patch, now, seen), 'rows by key are shorter than the list');
    };
    await property(t, documents(nulls), check, 1_500);
    const all = ['changed', 'key', 'placed', 'removed', ...(nulls ? ['none'] : [])];
    t.strictSame([...seen].sort(), all.sort(), 'all forms have come');
  });
}

t.test('rows that have moved', async (t) => {
  const moved = (before: string, now: string) => [...movedOf([...before], [...now])].join('');
  t.equal(moved('abcdef', 'abcdef'), '');
  t.equal(moved('abcdef', 'fabcde'), 'f', 'up');
  t.equal(moved('abcdef', 'bcdefa'), 'a', 'down');
  t.equal(moved('abcdef', 'abdcef').length, 1, 'two change places');
  t.equal(moved('abcdef', 'aebcdf'), 'e');
  t.equal(moved('ac', 'abcd'), 'bd', 'new ones');
});

t.test('twice the rows take twice the work, in the worst orders too', async (t) => {
  let reads = 0;
  const counted = (names: string[]) =>
    new Proxy(names, {
      get(target, name) {
        reads += 1;
        return Reflect.get(target, name);
      },
    });
  const orders: Record<string, (names: string[]) => string[]> = {
    reversed: (names) => names.toReversed(),
    halves: (names) => [...names.slice(names.length / 2), ...names.slice(0, names.length / 2)],
    mixed: (names) => {
      const random = new Random(37, names.length);
      const places = names.map((name) => [random.below(1e9), name] as const);
      return places.sort(([a], [b]) => a - b).map(([, name]) => name);
    },
  };
  for (const [name, order] of Object.entries(orders)) {
    const work = [1_000, 2_000].map((count) => {
      const names = Array.from({ length: count }, (_, i) => `${i}`);
      const next = order(names);
      reads = 0;
      movedOf(counted(names), counted(next));
      return reads / count;
    });
    t.ok(Math.max(...work) < 20, `${name}: ${work} reads a row`);
  }
});
