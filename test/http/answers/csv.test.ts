/** Answers as CSV. */
import zlib from 'node:zlib';
import t from 'tap';
import { request } from 'undici';
import * as s from '../../../actors/topics/schema.ts';
import { snapshotOf } from '../../../http/answers/snapshots.ts';

import { tableOf } from '../../../http/endpoints/csv-rows.ts';
import type { Route } from '../../../http/endpoints/route.ts';
import { prefersCsv } from '../../../http/wire/accept.ts';
import { apiError } from '../../../http/wire/errors.ts';
import { echo, later, reads, startServer } from '../../support/http.ts';

const inner = s.object({ a: s.number(), b: s.object({ c: s.stringOrNull() }) });
const row = s.object({
  name: s.string(),
  value: s.numberOrNull(),
  inner: s.orNull(inner),
  tags: s.list(s.string()),
  flag: s.optional(s.boolean()),
});
const header = 'name,value,inner.a,inner.b.c,tags,flag';
const first = { name: 'x', value: 1e-7, inner: { a: -5, b: { c: null } }, tags: [], flag: true };

const from = reads(() => apiError('internal'));
const textOf = (answer: s.TSchema, data: unknown, list?: Route['list']) =>
  tableOf({ method: 'GET', from, answer, list })?.textOf(data);
const items = s.object({ count: s.integer(), items: s.list(row), other: s.list(row) });

t.test('columns of the schema, objects with dots, lists as JSON', async (t) => {
  const second = { name: 'y', value: null, inner: null, tags: ['a', 'b'] };
  const lines = [header, 'x,1e-7,-5,,[],true', 'y,,,,"[""a"",""b""]",', ''].join('\r\n');
  t.equal(textOf(s.list(row), [first, second]), lines);
  const itemsOf = (list: unknown[]) =>
    textOf(items, { count: list.length, items: list, other: [] }, 'items');
  t.equal(itemsOf([first, second]), lines);
  t.equal(itemsOf([]), `${header}\r\n`, 'a header always');
});

t.test('rows that are lists of cells have the names of their columns', async (t) => {
  const cell = s.unchecked<number | string | null>({ type: ['number', 'string', 'null'] });
  const answer = s.object({ columns: s.list(s.string()), rows: s.list(s.list(cell)) });
  const data = {
    columns: ['time', 'name', 'value'],
    rows: [
      [5, '=x', null],
      [6, 'a,b', -1.5],
    ],
  };
  t.equal(textOf(answer, data), 'time,name,value\r\n5,\'=x,\r\n6,"a,b",-1.5\r\n');
  t.equal(textOf(answer, { ...data, rows: [] }), 'time,name,value\r\n');
});

t.test('cells', async (t) => {
  const cellOf = (name: string) =>
    textOf(s.list(s.object({ name: s.string() })), [{ name }])
      ?.split('\r\n')
      .slice(1)
      .join('|');
  const cells = {
    plain: 'plain|',
    'a,b': '"a,b"|',
    'a"b': '"a""b"|',
    'a\nb': '"a\nb"|',
    // An apostrophe before what a spreadsheet would evaluate; quotes do not prevent that.
    '=1+1': "'=1+1|",
    '=HYPERLINK("http://a.b","c")': '"\'=HYPERLINK(""http://a.b"",""c"")"|',
    '@107': "'@107|",
    '-x': "'-x|",
    '+x': "'+x|",
    '\tx': "'\tx|",
    '\r=1': '"\'\r=1"|',
    '-1.5e-7': '-1.5e-7|',
    '+12': '+12|',
    'a=b': 'a=b|',
    ' é': ' é|',
  };
  for (const [name, expected] of Object.entries(cells)) t.equal(cellOf(name), expected);
});

t.test('maps, and answers of several forms', async (t) => {
  const one = s.object({ name: s.string() });
  const either = s.either(
    s.object({ exchanges: s.mapOf(one, 'exchange'), suspect: s.list(one) }),
    s.mapOf(one, 'symbol'),
  );
  t.equal(
    textOf(either, { exchanges: { okx: { name: 'n' } }, suspect: [] }, 'exchanges'),
    'exchange,name\r\nokx,n\r\n',
  );
  t.equal(textOf(either, { BTC: { name: 'n' } }, 'exchanges'), 'symbol,name\r\nBTC,n\r\n');
});

t.test('lists beside each other are columns', async (t) => {
  const chart = s.object({
    coverage: s.mapOf(s.object({ since: s.integer() }), 'exchange'),
    timestamps: s.list(s.integer()),
    prices: s.list(s.numberOrNull()),
    exchanges: s.mapOf(s.list(s.numberOrNull()), 'exchange'),
  });
  const data = {
    coverage: { okx: { since: 5 } },
    timestamps: [5, 6],
    prices: [1.5, null],
    exchanges: { okx: [10, 20], '=x': [null, -1] },
  };
  t.equal(textOf(chart, data), "timestamp,price,okx,'=x\r\n5,1.5,10,\r\n6,,20,-1\r\n");
  t.equal(textOf(chart, { timestamps: [], prices: [], exchanges: {} }), 'timestamp,price\r\n');
});

t.test('the one of several assets is a row', async (t) => {
  const one = s.object({ symbol: s.string(), level: s.object({ price: s.number() }) });
  const either = s.either(one, s.object({ items: s.list(one) }));
  const btc = { symbol: 'BTC', level: { price: 5 } };
  const text = 'symbol,level.price\r\nBTC,5\r\n';
  t.strictSame(
    [btc, { items: [btc] }].map((data) => textOf(either, data)),
    [text, text],
  );
});

t.test('the list that is meant where an answer has several', async (t) => {
  const either = s.either(
    s.either(
      s.object({ a: s.list(row), points: s.list(row) }),
      s.object({ items: s.list(row), points: s.list(row) }),
    ),
    s.object({ only: s.list(row) }),
  );
  const listsOf = (list?: Route['list']) =>
    tableOf({ method: 'GET', from, answer: either, list })?.lists;
  t.strictSame(listsOf(), ['data.only'], 'nothing says which of two is meant');
  t.strictSame(listsOf('points'), ['data.points', 'data.points', 'data.only']);
  t.strictSame(listsOf(['items', 'a', 'points']), ['data.a', 'data.items', 'data.only']);
  const optional = s.object({ options: s.optional(s.list(row)), expiries: s.list(row) });
  const header = 'name,value,inner.a,inner.b.c,tags,flag\r\n';
  const lists = ['options', 'expiries'];
  t.equal(textOf(optional, { expiries: [first] }, lists), `${header}x,1e-7,-5,,[],true\r\n`);
  t.equal(textOf(optional, { options: [], expiries: [first] }, lists), header);
  const maps = s.object({ a: s.mapOf(row, 'x'), b: s.list(row) });
  t.strictSame(
    [tableOf({ method: 'GET', from, answer: maps }), textOf(s.list(row), {})],
    [null, null],
  );
});

t.test('answers that are not a list of rows', async (t) => {
  const book = s.object({ bids: s.list(row), asks: s.list(row) });
  const forms = [book, row, s.number(), s.list(s.number()), s.object({ a: s.list(s.string()) })];
  for (const answer of forms) t.equal(tableOf({ method: 'GET', from, answer }), null);
  t.equal(tableOf({ method: 'GET', from, answer: null }), null);
  t.equal(tableOf({ method: 'POST', from, answer: s.list(row) }), null);
  t.equal(textOf(s.object({ items: s.list(row) }), null), null);
});

t.test('what a client prefers', async (t) => {
  const headers = {
    'text/csv': true,
    'Text/CSV; header=present': true,
    'text/csv, */*;q=0.5': true,
    'text/*': true,
    'text/csv;q=0.5, application/json;q=0.4': true,
    '': false,
    '*/*': false,
    'application/json': false,
    'text/csv, application/json': false,
    'text/csv;q=0': false,
    'text/html, application/xhtml+xml, */*;q=0.8': false,
    'text/csv;q=0.1, */*;q=0.5': false,
  };
  for (const [header, csv] of Object.entries(headers)) t.equal(prefersCsv(header), csv, header);
});

t.test('served', async (t) => {
  const many = Array.from({ length: 200 }, (_, i) => ({ ...first, name: `é${i}` }));
  const large = snapshotOf({ items: many });
  const small = snapshotOf({ items: [first], stale: true });
  const answer = s.object({ items: s.list(row), stale: s.stale });
  const server = await startServer(t, [
    echo({ path: '/large', answer, from: reads(() => large) }),
    echo({ path: '/small', answer, from: later(() => small) }),
    echo({ path: '/error', answer, from: reads(() => apiError('warming_up')) }),
    echo({ path: '/other', from: reads(() => large) }),
  ]);
  const get = async (path: string, more: object = {}, method: 'GET' | 'HEAD' = 'GET') => {
    const headers = { accept: 'text/csv', ...more };
    const reply = await request(server.url + path, { method, headers });
    const body = Buffer.from(await reply.body.arrayBuffer());
    return { status: reply.statusCode, headers: reply.headers, body };
  };
  const csvType = 'text/csv; charset=utf-8; header=present';

  const small1 = await get('/small');
  t.equal(small1.body.toString(), `${header}\r\nx,1e-7,-5,,[],true\r\n`);
  t.match(small1.headers, { 'content-type': csvType, vary: 'accept', warning: /^110 / });

  const plain = await get('/large');
  const lines = plain.body.toString().split('\r\n');
  t.same([lines.length, lines[200]], [202, 'é199,1e-7,-5,,[],true']);
  t.match(plain.headers, { vary: ['accept', 'accept-encoding'] });
  t.notOk('warning' in plain.headers);
  for (const [encoding, decode] of [
    ['gzip', zlib.gunzipSync],
    ['zstd', zlib.zstdDecompressSync],
  ] as const) {
    for (const round of [1, 2]) {
      await server.clock.advance(1_234);
      const coded = await get('/large', { 'accept-encoding': encoding });
      t.equal(coded.headers['content-encoding'], encoding);
      t.ok(decode(coded.body).equals(plain.body), `${encoding} ${round}`);
    }
  }

  const json = await get('/large', { accept: '*/*' });
  t.match(json.headers, {
    'content-type': 'application/json',
    vary: ['accept', 'accept-encoding'],
  });
  t.equal(JSON.parse(json.body.toString()).data.items.length, 200);
  t.not(json.headers.etag, plain.headers.etag, 'another tag');
  const tag = plain.headers.etag;
  t.equal((await get('/large', { 'if-none-match': tag })).status, 304);
  t.equal((await get('/large', { 'if-none-match': tag, accept: '*/*' })).status, 200);
  const head = await get('/large', {}, 'HEAD');
  t.match(head.headers, { 'content-type': csvType, 'content-length': String(plain.body.length) });

  t.match((await get('/error')).headers, { 'content-type': 'application/json' });
  const other = await get('/other');
  t.match(other.headers, { 'content-type': 'application/json', vary: 'accept-encoding' });
});

t.test('what the query states counts before the header', async (t) => {
  const answer = s.object({ items: s.list(row) });
  const data = snapshotOf({ items: [first] });
  const seen: object[] = [];
  const view = (values: object) => {
    seen.push(values);
    return data;
  };
  const server = await startServer(t, [
    echo({ path: '/view', answer, from: reads(view) }),
    echo({ path: '/asked', answer, from: later(() => data) }),
    echo({ path: '/book', from: reads(() => data) }),
  ]);
  const get = async (path: string, headers = {}) => {
    const reply = await request(server.url + path, { headers });
    return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() };
  };
  const [csv, json] = [{ accept: 'text/csv' }, { accept: 'application/json' }];
  for (const path of ['/view', '/asked']) {
    const table = await get(`${path}?format=csv`, json);
    t.equal(table.text, `${header}\r\nx,1e-7,-5,,[],true\r\n`, path);
    t.match(table.headers, { 'content-type': /^text\/csv/ });
    t.notOk('vary' in table.headers, 'nothing of the head has chosen');
    const tag = { ...csv, 'if-none-match': table.headers.etag };
    const known = await get(`${path}?format=csv`, tag);
    t.match([known.status, 'vary' in known.headers], [304, false]);
    const text = await get(`${path}?format=JSON&max_age=5`, tag);
    t.match(text, { status: 200, headers: { 'content-type': 'application/json' } });
    t.equal((await get(`${path}?format=csv`, { 'accept-encoding': 'gzip' })).status, 200);
    const wrong = await get(`${path}?format=xlsx`);
    t.equal(wrong.status, 400);
    t.equal(JSON.parse(wrong.text).message, 'format must be one of json, csv');
  }
  t.strictSame(
    seen.filter((one) => Object.keys(one).length > 0),
    [],
    'the view does not see it',
  );
  const book = await get('/book?format=csv');
  t.match(book.headers, { 'ignored-parameters': 'format', 'content-type': 'application/json' });
});

t.test('a long header that compresses well', async (t) => {
  const names = 'exchange market name unified kind base quote contract_size margin_type'.split(' ');
  const columns = Object.fromEntries(names.map((name) => [name, s.string()]));
  const table = tableOf({ method: 'GET', from, answer: s.list(s.object(columns)) });
  const rows = Array.from({ length: 500 }, (_, i) =>
    Object.fromEntries(names.map((name) => [name, `${name}${i}`])),
  );
  const body = table && snapshotOf(rows).csv(table);
  for (const encoding of ['gzip', 'zstd'] as const) {
    t.ok((await body?.encoded(encoding))?.length, encoding);
  }
});

t.test('made once for each version of the data', async (t) => {
  const table = tableOf({ method: 'GET', from, answer: s.list(row) });
  if (table === null) throw new Error('no table');
  const snapshot = snapshotOf([first]);
  t.equal(snapshot.csv(table), snapshot.csv(table));
});
