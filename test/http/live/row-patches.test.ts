/** Lists of rows in patches: what the server makes of them, and what the client makes of that. */
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { patched } from '../../../clients/typescript/src/index.ts';
import { patchOf } from '../../../http/live/patch.ts';
import { movedOf } from '../../../http/live/rows.ts';
import { Random } from '../../../scripts/load/fuzz/random.ts';

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
    ...{ exchange, pair, text },
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
          ...{ exchange: 'gate', pair: 'BTC-USDC' },
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

/** Values of all kinds, and what may become of them. */
class Values {
  readonly #random: Random;
  readonly #nulls: boolean;

  /** Without `nulls` there are none outside of lists, and no list becomes an object. */
  constructor(random: Random, nulls: boolean) {
    this.#random = random;
    this.#nulls = nulls;
  }

  document(): Record<string, unknown> {
    return { ...this.#members(2), bids: this.#rows(2), items: this.#rows(2), name: 'x' };
  }

  changed(document: Record<string, unknown>): Record<string, unknown> {
    return this.#changedMembers(document, this.#nulls);
  }

  #scalar(mayBeNull: boolean): unknown {
    const kinds = [0, 1.5, -2, '', 'é', '1', true, false, ...(mayBeNull ? [null] : [])];
    return kinds[this.#random.below(kinds.length)];
  }

  #name = () => this.#random.pick(['a', 'b', 'c', '__proto__', 'key', 'placed', 'price']);

  #members(depth: number): Record<string, unknown> {
    const names = this.#random.times(this.#random.below(4), this.#name);
    return Object.fromEntries(names.map((name) => [name, this.#value(depth - 1, this.#nulls)]));
  }

  #value(depth: number, mayBeNull: boolean): unknown {
    const kind = depth > 0 ? this.#random.below(6) : 0;
    if (kind === 3) return this.#members(depth);
    if (kind === 4) return this.#rows(depth);
    if (kind === 5) return this.#random.times(this.#random.below(4), () => this.#scalar(true));
    return this.#scalar(mayBeNull);
  }

  #row(at: number, depth: number): Record<string, unknown> {
    const exchange = this.#random.pick(['okx', 'gate']);
    const side = this.#scalar(true);
    const inner = this.#random.chance(0.3) ? { levels: this.#rows(depth - 1) } : {};
    return { price: at / 2, ...inner, exchange, side, text: text.slice(this.#random.below(40)) };
  }

  #rows(depth: number): unknown[] {
    if (depth <= 0) return [];
    const first = this.#random.below(5);
    const rows = Array.from({ length: this.#random.below(9) }, (_, i) =>
      this.#row(first + i, depth),
    );
    if (this.#random.chance(0.1)) rows.push({ ...rows[0], text: 'again' });
    return this.#random.chance(0.05) ? [...rows, null] : rows;
  }

  #changedMembers(members: Record<string, unknown>, mayBeNull: boolean): Record<string, unknown> {
    const left = Object.entries(members).filter(() => this.#random.chance(0.95));
    const next = left.map(([name, value]) => [name, this.#changedValue(value, mayBeNull)]);
    const isNew = this.#random.chance(0.2);
    const more = isNew ? [[this.#name(), this.#value(2, mayBeNull)]] : [];
    const names = new Set(next.map(([name]) => name));
    return Object.fromEntries([...next, ...more.filter(([name]) => !names.has(name))]);
  }

  #changedValue(value: unknown, mayBeNull: boolean): unknown {
    if (this.#random.chance(0.5)) return value;
    if (Array.isArray(value)) return this.#changedList(value);
    if (typeof value === 'object' && value !== null && this.#random.chance(0.9))
      return this.#changedMembers(value as Record<string, unknown>, mayBeNull);
    return mayBeNull ? this.#value(2, true) : this.#scalar(false);
  }

  #changedList(list: readonly unknown[]): unknown[] {
    if (this.#random.chance(0.1)) return this.#rows(2);
    const next = list.filter(() => this.#random.chance(0.85)).map((row) => this.#changedRow(row));
    for (let moves = this.#random.below(3); moves > 0 && next.length > 0; moves--) {
      const [row] = next.splice(this.#random.below(next.length), 1);
      next.splice(this.#random.below(next.length + 1), 0, row);
    }
    for (let arrivals = this.#random.below(3); arrivals > 0; arrivals--)
      next.splice(this.#random.below(next.length + 1), 0, this.#row(this.#random.below(20), 2));
    return this.#random.chance(0.1) ? next.reverse() : next;
  }

  /** A row keeps what tells it apart, but now and then. */
  #changedRow(row: unknown): unknown {
    if (typeof row !== 'object' || row === null || this.#random.chance(0.6)) return row;
    const next = this.#changedMembers(row as Record<string, unknown>, true);
    return Object.hasOwn(row, 'price') && this.#random.chance(0.95)
      ? { ...next, price: Object(row).price }
      : next;
  }
}

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

/** What has gone wrong with one document of a seed, if anything; `seen` gets the forms of its patches. */
function faultOf(seed: number, seen: Set<string>): string | null {
  const mayFail = seed % 3 === 0;
  const values = new Values(new Random(37, seed), mayFail);
  const before = values.document();
  const now = values.changed(before);
  const patch = patchOf(before, now);
  const kept = sent(before);
  const made = patch === null ? null : patched(kept, sent(patch));
  const isExact = made === null ? mayFail : isDeepStrictEqual(made, sent(now));
  if (patch === null) seen.add('none');
  const isShort = membersIn(patch, now, seen);
  if (isExact && isShort && isDeepStrictEqual(kept, sent(before))) return null;
  return JSON.stringify({ seed, before, now, patch });
}

t.test('patched(before, patchOf(before, now)) is now, whatever both are', async (t) => {
  const counts: Record<string, number> = {};
  const wrong: string[] = [];
  for (let seed = 0; seed < 6_000; seed++) {
    const seen = new Set<string>();
    const fault = faultOf(seed, seen);
    if (fault !== null) wrong.push(fault);
    for (const name of seen) counts[name] = (counts[name] ?? 0) + 1;
  }
  t.strictSame(wrong.slice(0, 3), [], 'exact, shorter, and the version before stays as it is');
  for (const name of ['none', 'removed', 'changed', 'placed'])
    t.ok((counts[name] ?? 0) > 100, `${name}: ${counts[name]}`);
});

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
