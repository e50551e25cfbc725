/** The reader of upstreams' own errors; what each upstream's table means is tested beside that upstream. */
import t from 'tap';
import { type Faults, readFault } from '../../../actors/upstream/faults.ts';

const read = (faults: Faults, body: unknown, status = 200) => readFault({ faults }, status, body);
const plain: Faults = { name: 'X', at: 'code', ok: [0], codes: { 7: 'unavailable' } };

t.test('a code is an error unless it means success', async (t) => {
  t.strictSame(read(plain, { code: 7 }), {
    code: 'unavailable',
    message: 'X error 7',
    status: 200,
  });
  t.equal(read(plain, { code: '7' })?.code, 'unavailable', 'text and numbers alike');
  for (const body of [{ code: 0 }, { code: '0' }, { code: '' }, {}, [], null, undefined, 'x', 7])
    t.equal(read(plain, body, 404), null);
  t.equal(readFault({}, 404, { code: 7 }), null, 'an API without a table');
});

t.test('where nothing is known of a code the status decides', async (t) => {
  const table = [
    [200, 'refused'],
    [400, 'refused'],
    [403, 'blocked'],
    [408, 'unavailable'],
    [418, 'banned'],
    [425, 'unavailable'],
    [429, 'rate_limited'],
    [451, 'blocked'],
    [500, 'unavailable'],
  ] as const;
  for (const [status, code] of table) t.equal(read(plain, { code: 1 }, status)?.code, code);
  t.equal(read(plain, { code: 7 }, 403)?.code, 'unavailable', 'a known code goes first');
  t.equal(read(plain, { code: 7 }, 429)?.code, 'rate_limited', 'but 429 means silence');
  const limit: Faults = { name: 'X', at: 'code', codes: { 7: 'banned' } };
  t.equal(read(limit, { code: 7 }, 429)?.code, 'banned', 'unless the code means it too');
  t.equal(read({ ...plain, means: 'refused' }, { code: 1 }, 500)?.code, 'refused');
});

t.test('codes at other places and of one type', async (t) => {
  const nested: Faults = { name: 'X', at: ['error.code', 'errors.0.no', 'code'] };
  t.equal(read(nested, { error: { code: 5 } })?.message, 'X error 5');
  t.equal(read(nested, { errors: [{ no: 6 }], code: 8 })?.message, 'X error 6');
  t.equal(read(nested, { error: 'no', code: 8 })?.message, 'X error 8');
  const typed = { name: 'X', at: 'code' } as const;
  t.equal(read({ ...typed, type: 'string' }, { code: 1 }), null);
  t.equal(read({ ...typed, type: 'number' }, { code: '1' }), null);
  t.ok(read({ ...typed, type: 'number' }, { code: -1 }));
});

t.test('a code with colons is known by what stands before them', async (t) => {
  const faults: Faults = { name: 'X', at: 'code', codes: { 'A:b': 'unavailable', A: 'blocked' } };
  t.equal(read(faults, { code: 'A:b:BTCUSD' })?.code, 'unavailable');
  t.equal(read(faults, { code: 'A:b:BTCUSD' })?.message, 'X error A:b', 'nothing of a client');
  t.equal(read(faults, { code: 'A:c' })?.code, 'blocked');
  t.equal(read(faults, { code: 'AA' })?.code, 'refused');
  for (const code of ['toString', '__proto__', ':'])
    t.equal(read(faults, { code })?.code, 'refused');
  for (const code of ['<b>bold</b>', 'x'.repeat(61), 'a\nb', 'é'])
    t.equal(read(faults, { code })?.message, 'X error', 'a body is not quoted');
});

t.test('patterns: the first whose code, text and status all fit', async (t) => {
  const faults: Faults = {
    name: 'X',
    at: 'code',
    when: ({ ok }) => ok === false,
    message: ['msg', 'detail'],
    codes: { 3: 'blocked' },
    patterns: [
      { code: /^1$/, text: /symbol/i, means: 'unknown_instrument' },
      { status: 404, means: 'unavailable' },
      { text: /later/, means: 'rate_limited' },
    ],
    retryAfter: { rate_limited: 5 },
  };
  const says = (code: number, msg: string) => ({ ok: false, code, msg });
  t.equal(read(faults, says(1, 'no Symbol'))?.code, 'unknown_instrument');
  t.equal(read(faults, { ok: false, code: 1, detail: 'symbol' })?.code, 'unknown_instrument');
  t.equal(read(faults, says(1, 'no'))?.code, 'refused');
  t.equal(read(faults, says(2, 'symbol'))?.code, 'refused');
  t.equal(read(faults, says(2, 'later'), 404)?.code, 'unavailable');
  t.match(read(faults, says(2, 'later')), { code: 'rate_limited', retryAfter: 5 });
  t.equal(read(faults, says(3, 'later'))?.code, 'blocked', 'a known code goes first');
  t.notOk(read(faults, says(3, 'x'))?.retryAfter);
  t.equal(read(faults, { ok: false })?.message, 'X error', 'an error without a code');
  t.equal(read(faults, { code: 3 }), null);
});

t.test('of several tables the first that fits counts; whole bodies may be nothing', async (t) => {
  const seen: unknown[] = [];
  const faults: Faults = [
    { name: 'X', when: (_, status, whole) => status === 500 && whole === null, means: 'blocked' },
    { name: 'Y', when: (body, _, whole) => seen.push(body, whole) > 0 },
  ];
  t.equal(read(faults, null, 500)?.message, 'X error');
  t.equal(read(faults, null, 404)?.message, 'Y error');
  t.equal(read(faults, undefined, 404)?.message, 'Y error');
  t.strictSame(seen, [{}, null, {}, undefined]);
});
