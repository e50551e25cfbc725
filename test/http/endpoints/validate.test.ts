import t from 'tap';
import type { Params } from '../../../http/endpoints/route.ts';
import { createCheck } from '../../../http/endpoints/validate.ts';
import { apiError, isApiError } from '../../../http/wire/errors.ts';
import { reads } from '../../support/http.ts';

const description = 'Test.';
const params = {
  symbol: { type: 'string', required: true, maxLength: 5, description },
  interval: { type: 'string', enum: ['5m', '15m'], default: '5m', description },
  limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100, description },
  depth: { type: 'integer', minimum: 1, description },
  offset: { type: 'integer', description },
  top: { type: 'integer', maximum: 5, description },
  share: { type: 'number', minimum: 0, maximum: 1, description },
  name: { type: 'string', description },
  address: { type: 'string', pattern: '^0x[0-9a-f]+$', maxLength: 42, description },
} satisfies Params;

const outcome = (check: ReturnType<typeof createCheck>, query: string, segments: string[] = []) => {
  const checked = check(query, segments);
  return isApiError(checked) ? checked.message : checked.values;
};

t.test('values', async (t) => {
  const check = createCheck({ path: '/x', params });
  t.same(outcome(check, 'symbol=BTC'), { symbol: 'BTC', interval: '5m', limit: 100 });
  t.same(outcome(check, 'symbol=1e2&limit=7&offset=-3&share=0.25&interval=15m'), {
    symbol: '1e2',
    limit: 7,
    offset: -3,
    share: 0.25,
    interval: '15m',
  });
  for (const small of ['0.0000005', '5e-7', '5E-07'])
    t.match(outcome(check, `symbol=A&share=${small}`), { share: 5e-7 }, small);
  t.ok(Object.isFrozen(outcome(check, 'symbol=BTC')));
});

t.test('messages name the parameter and what is allowed', async (t) => {
  const check = createCheck({ path: '/x', params });
  t.equal(outcome(check, ''), 'symbol is required');
  t.equal(outcome(check, 'symbol='), 'symbol must be 1 to 5 characters');
  t.equal(outcome(check, 'symbol=TOOLONG'), 'symbol must be 1 to 5 characters');
  const bad = (query: string) => outcome(check, `symbol=A&${query}`);
  for (const interval of ['7m', '50M', '', '5m ', '%00']) {
    t.equal(bad(`interval=${interval}`), 'interval must be one of 5m, 15m', interval);
  }
  const limits = ['1e2', '+5', '%205', '5%20', '5.5', '5.0', '', '0', '1001', '-1', '007', '0x10'];
  for (const limit of [...limits, '١', 'NaN', 'Infinity', 'null', 'true', '9'.repeat(400)]) {
    t.equal(
      bad(`limit=${encodeURIComponent(limit)}`),
      'limit must be a whole number from 1 to 1000',
      limit,
    );
  }
  t.equal(bad('depth=0'), 'depth must be a whole number, at least 1');
  t.equal(bad('top=6'), 'top must be a whole number, at most 5');
  t.equal(bad('offset=x'), 'offset must be a whole number');
  t.equal(bad('offset=9007199254740993'), 'offset must be a whole number', 'beyond exact numbers');
  for (const share of ['2', '1e3', '1e-', 'e-3', '1e-9999', '.5', '1.', '-0.1', '0,5']) {
    t.equal(bad(`share=${share}`), 'share must be a number from 0 to 1', share);
  }
  t.equal(bad('name='), 'name must be text that is not empty');
  t.equal(bad('address=0xZ'), 'address must be 1 to 42 characters and match ^0x[0-9a-f]+$');
  t.equal(bad('limit=1&limit=1'), 'limit must be given only once');
  const choice = createCheck({
    path: '/x',
    params: { exchange: { type: 'string', required: true, enum: ['a', 'b'], description } },
  });
  t.equal(outcome(choice, ''), 'exchange is required: one of a, b');
});

t.test('words of an enum in any case, the same one first', async (t) => {
  const words = { type: 'string', enum: ['1m', '15m', '1M', 'binance'], description } as const;
  const exchange = { ...words, enum: ['binance'], unlisted: 'unknown_exchange' } as const;
  const check = createCheck({ path: '/x', params: { word: words, free: words, exchange } });
  t.same(outcome(check, 'word=1M&free=1m'), { word: '1M', free: '1m' });
  t.same(outcome(check, 'word=15M&free=BiNance'), { word: '15m', free: 'binance' });
  t.equal(outcome(check, 'word=1D'), 'word must be one of 1m, 15m, 1M, binance');
  const interval = { ...words, enum: ['1m', '3m', '1h'] } as const;
  const minutes = createCheck({ path: '/x', params: { interval } });
  // https://github.com/ccxt/ccxt/issues/5028
  for (const months of ['1M', '3M'])
    t.equal(outcome(minutes, `interval=${months}`), 'interval must be one of 1m, 3m, 1h', months);
  t.match(check('exchange=nowhere', []), {
    error: 'unknown_exchange',
    message: 'unknown exchange: exchange must be one of binance',
  });
  t.match(check('exchange=', []), { error: 'bad_parameter' });
});

t.test('true and false are 1 and 0 where these are words, and themselves elsewhere', async (t) => {
  const flag = { type: 'string', enum: ['0', '1'], description } as const;
  const check = createCheck({
    path: '/x',
    params: { flag, name: { type: 'string', description }, word: { ...flag, enum: ['a', 'true'] } },
  });
  t.same(outcome(check, 'flag=true&name=true'), { flag: '1', name: 'true' });
  t.same(outcome(check, 'flag=False&word=TRUE'), { flag: '0', word: 'true' });
  t.equal(outcome(check, 'flag=yes'), 'flag must be one of 0, 1');
});

t.test('a lenient parameter takes every value, and its default', async (t) => {
  const q = { type: 'string', required: true, lenient: true, maxLength: 2, description } as const;
  const check = createCheck({ path: '/x', params: { q, r: { ...q, default: 'd' } } });
  t.strictSame(outcome(check, 'q=long'), { q: 'long', r: 'd' });
  t.strictSame(outcome(check, 'r='), { r: '' });
});

t.test('names that the table does not have', async (t) => {
  const check = createCheck({ path: '/x', params });
  t.same(check('symbol=A', []).unknown, []);
  t.same(check('symbol=A&foo=1&%66oo=2&&=3&Symbol=4', []).unknown, ['foo', 'Symbol'], 'each once');
  t.same(check('simbol=A', []), {
    notes: '\r\nignored-parameters: simbol',
    error: 'bad_parameter',
    message: 'symbol is required',
    parameter: { name: 'symbol', missing: true },
    unknown: ['simbol'],
  });
  const many = Array.from({ length: 20 }, (_, i) => `x${i}=1`).join('&');
  t.equal(check(`symbol=A&${many}`, []).unknown.length, 8, 'the first ones only');
});

t.test('path parameters', async (t) => {
  const check = createCheck({
    path: '/t/{address}/{part}',
    params: {
      address: { type: 'string', required: true, maxLength: 9, description },
      part: { type: 'integer', required: true, description },
      limit: { type: 'integer', default: 5, description },
    },
  });
  t.same(outcome(check, '', ['a%2Fb', '7']), { address: 'a/b', part: 7, limit: 5 });
  t.same(outcome(check, 'address=zz', ['ab', '7']), { address: 'ab', part: 7, limit: 5 });
  t.equal(outcome(check, '', ['%zz', '7']), 'address must be valid percent-encoded UTF-8');
  t.equal(outcome(check, '', ['ab', 'x']), 'part must be a whole number');
  t.equal(outcome(check, '', []), 'address must be 1 to 9 characters');
  t.same(outcome(check, 'limit=1', ['b', '7']), { address: 'b', part: 7, limit: 1 });
  t.same(
    outcome(check, 'limit=1', ['c', '7']),
    { address: 'c', part: 7, limit: 1 },
    'not mixed up',
  );
});

t.test('a range does not end before it begins', async (t) => {
  const time = { type: 'integer', time: 'ms', description } as const;
  const check = createCheck({ path: '/x', params: { from: time, to: time } });
  const asked = ['from=2&to=1', 'from=2&to=2', 'from=2', 'to=1'].map((query) =>
    outcome(check, query),
  );
  const error = 'from must not be later than to';
  t.strictSame(asked, [error, { from: 2, to: 2 }, { from: 2 }, { to: 1 }]);
});

t.test('a time is Unix ms, or an ISO 8601 date or time, in UTC without an offset', async (t) => {
  const time = { type: 'integer', minimum: 0, description } as const;
  const check = createCheck({
    path: '/x',
    params: { at: { ...time, time: 'ms' }, begin: { ...time, time: 's' }, count: time },
  });
  const day = 1_793_491_200_000;
  for (const [text, ms] of [
    ['2026-11-01', day],
    ['2026-11-01T10:30Z', day + 37_800_000],
    ['2026-11-01T10:30', day + 37_800_000],
    ['2026-11-01%2010:30:05', day + 37_805_000],
    ['2026-11-01t10:30:05.250z', day + 37_805_250],
    ['2026-11-01T10:30:00%2B02:00', day + 30_600_000],
    // The plus of an offset is a space in a query.
    ['2026-11-01T10:30:00+02:00', day + 30_600_000],
    ['2026-11-01T10:30-0130', day + 43_200_000],
    ['2024-02-29', 1_709_164_800_000],
    ['1793491200000', day],
    // https://developers.binance.com/docs/binance-spot-api-docs/rest-api/general-api-information
    ['1793491200000999', day],
  ] as const)
    t.same(outcome(check, `at=${text}`), { at: ms }, text);
  for (const text of ['2026-11-01', String(day)])
    t.same(outcome(check, `begin=${text}`), { begin: day / 1_000 }, 'in its own unit');
  const words = 'or ISO 8601 such as 2026-11-01 or 2026-11-01T10:00:00Z';
  const others = [
    '2026-02-30',
    '2026-13-01',
    '2026-11-01T25:00Z',
    '2026-11',
    'yesterday',
    '1e12',
    '',
  ];
  for (const text of others)
    t.equal(outcome(check, `at=${text}`), `at must be a time: Unix milliseconds, ${words}`, text);
  t.equal(outcome(check, 'begin=x'), `begin must be a time: Unix seconds, ${words}`);
  t.equal(
    outcome(check, 'at=1793491200'),
    'at must be Unix milliseconds: 1793491200 is in seconds',
  );
  t.equal(outcome(check, 'count=2026-11-01'), 'count must be a whole number, at least 0');
});

t.test('limits on the age of an answer are not among the values', async (t) => {
  const view = () => apiError('internal');
  const check = createCheck({ path: '/x', params: {}, from: reads(view) });
  const all = ['', 'max_age=5', 'wait=3', 'wait=3&max_age=0'].map((query) => check(query, []));
  const [none, age, wait, both] = all.map((checked) => ('freshness' in checked ? checked : null));
  t.equal(none, null);
  t.match([age, wait], [{ values: {} }, { freshness: { maxAge: null, wait: 3 } }]);
  t.strictSame(age?.freshness, { maxAge: 5, wait: null });
  t.strictSame(both?.freshness, { maxAge: 0, wait: 3 });
});

t.test('memory', async (t) => {
  const check = createCheck({ path: '/x', params });
  const first = check('symbol=A0', []);
  t.equal(check('symbol=A0', []), first, 'the same query gives the same object');
  for (let i = 1; i < 3000; i++) check(`symbol=A${i % 900}&offset=${i}`, []);
  t.equal(check.size(), 2000);
  t.not(check('symbol=A0', []), first, 'the oldest have gone');
  t.same(check('symbol=A0', []), first);

  const other = createCheck({ path: '/x', params });
  for (let i = 0; i < 50; i++) other(`symbol=TOOLONG${i}`, []);
  other(`symbol=A&unknown=${'x'.repeat(112)}`, []);
  t.equal(other.size(), 0, 'neither refused nor long queries are kept');
  other(`symbol=A&unknown=${'x'.repeat(111)}`, []);
  t.equal(other.size(), 1, 'a query of 128 characters is');
});
