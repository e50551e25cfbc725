/** Recordings as tardis-machine serves them; what is expected is from its documentation. https://docs.tardis.dev/api/tardis-machine */
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import type { Venue } from '../../../actors/sources/venue.ts';
import { binance } from '../../../actors/venues/binance/index.ts';
import { replaySource } from '../../../cmd/process/replay-source.ts';
import { recordingRoutes } from '../../../http/routes/recordings.ts';
import { listed } from '../../actors/venues/stream-suite.ts';
import { FakeClock } from '../../support/clock.ts';
import { call, startServer } from '../../support/http.ts';
import { alice, gateOf } from '../../support/quota.ts';
import { folderOf } from '../../support/recorder.ts';
import { until } from '../../support/until.ts';

const start = Date.parse('2026-11-29T12:00:00Z') * 1_000;
const second = 1_000_000;
const url = 'wss://x.example';

const trade = (a: number, seconds: number, price: string, isSold = false) => ({
  e: 'aggTrade',
  s: 'BTCUSDT',
  a,
  p: price,
  q: '2',
  T: start / 1_000 + seconds * 1_000,
  m: isSold,
});
const depth = (u: number, bids: string[][], asks: string[][]) => ({
  e: 'depthUpdate',
  s: 'BTCUSDT',
  E: start / 1_000 + 1_000,
  T: start / 1_000 + 1_000,
  U: u,
  u,
  pu: u - 1,
  b: bids,
  a: asks,
});

const instruments = {
  kind: 'instruments',
  t: start,
  part: 'linear',
  rows: [...listed([{ market: 'BTCUSDT', symbol: 'BTC' }]).values()],
};
const head = {
  kind: 'file',
  t: start,
  version: 1,
  exchange: 'binance',
  process: 'p',
  follows: null,
  symbols: [],
};
const lines: unknown[] = [
  head,
  instruments,
  { kind: 'open', t: start, c: 1, stream: 'trades/linear', part: 'linear', url },
  { kind: 'open', t: start, c: 2, stream: 'books/linear', part: 'linear', url },
  [start + 1, 1, { result: null, id: 1 }],
  [start + second, 1, trade(1, 1, '100')],
  [start + second + 7, 2, depth(6, [['99', '1']], [])],
  {
    kind: 'whole',
    t: start + second + 8,
    part: 'linear',
    market: 'BTCUSDT',
    asked: start + second,
    body: { lastUpdateId: 5, bids: [['98', '3']], asks: [['101', '4']], T: start / 1_000 + 500 },
  },
  [start + 2 * second, 2, depth(7, [['99', '0']], [])],
  [start + 3 * second, 1, trade(2, 3, '104', true)],
  [start + 61 * second, 1, trade(3, 61, '90')],
  { kind: 'end', t: start + 62 * second, c: 1, why: 'reset' },
  [start + 130 * second, 2, depth(8, [['98.5', '1']], [])],
];

/** A recording whose files are these, by their names. */
async function recorded(t: Test, files: Readonly<Record<string, unknown[]>> = { 120000: lines }) {
  const dataDir = await folderOf(t);
  for (const [name, own] of Object.entries(files)) {
    const path = join(dataDir, 'recordings', 'binance', '2026-11-29', `${name}000-p.jsonl.zst`);
    await mkdir(dirname(path), { recursive: true });
    const text = own.map((line) => `${JSON.stringify(line)}\n`).join('');
    // The end of a file that a kill has left.
    await writeFile(path, zstdCompressSync(Buffer.from(`${text}[17`)));
  }
  return { source: replaySource({ dataDir }, new Map<string, Venue>([['binance', binance]])) };
}

/** A server of them, which takes one key. */
async function stage(t: Test, files?: Readonly<Record<string, unknown[]>>) {
  const { source } = await recorded(t, files);
  const server = await startServer(t, [], { gate: gateOf({ good: alice }), replay: source });
  const headers = { 'x-api-key': 'good' };
  const ask = (path: string, options: unknown) =>
    call(`${server.url}${path}?options=${encodeURIComponent(JSON.stringify(options))}`, {
      headers,
    });
  const messages = async (more: object) => {
    const { text } = await ask('/replay-normalized', { ...asked, ...more });
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  };
  return { server, headers, ask, messages };
}

const asked = { exchange: 'binance-futures', from: '2026-11-29T12:00', to: '2026-11-29 12:10' };
const about = { symbol: 'BTCUSDT', exchange: 'binance-futures' };

t.test('GET /replay', async (t) => {
  const { ask, server } = await stage(t);
  const whole = await ask('/replay', { ...asked, exchange: 'binance' });
  t.equal(whole.headers['content-type'], 'application/x-json-stream');
  const rows = whole.text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  t.equal(rows.length, 7);
  t.strictSame(rows[1], {
    localTimestamp: '2026-11-29T12:00:01.000Z',
    message: trade(1, 1, '100'),
  });
  t.strictSame(rows[0].localTimestamp, '2026-11-29T12:00:00.000001Z');
  const filters = [{ channel: 'aggTrade', symbols: ['btcusdt'] }];
  const some = await ask('/replay', { ...asked, filters, withDisconnects: true });
  const found = some.text
    .split('\n')
    .slice(0, -1)
    .map((line) => line && JSON.parse(line).message.a);
  t.strictSame(found, [1, 2, 3, '']);
  const minute = await ask('/replay', {
    ...asked,
    from: '2026-11-29T12:01:59Z',
    to: '2026-11-29T12:02Z',
  });
  t.equal(minute.text.split('\n').length - 1, 1, 'times are cut to the minute');
  const none = await call(`${server.url}/replay?options={}`);
  t.equal(none.status, 401);
  for (const bad of [
    {},
    { ...asked, exchange: 'mtgox' },
    { ...asked, from: 'yesterday' },
    { ...asked, to: asked.from },
  ])
    t.equal((await ask('/replay', bad)).status, 400);
});

t.test('GET /replay-normalized', async (t) => {
  const { messages, ask } = await stage(t);
  t.strictSame((await messages({ dataTypes: ['trade'] })).slice(0, 2), [
    {
      type: 'trade',
      ...about,
      id: '1',
      price: 100,
      amount: 2,
      side: 'buy',
      timestamp: '2026-11-29T12:00:01.000Z',
      localTimestamp: '2026-11-29T12:00:01.000Z',
    },
    {
      type: 'trade',
      ...about,
      id: '2',
      price: 104,
      amount: 2,
      side: 'sell',
      timestamp: '2026-11-29T12:00:03.000Z',
      localTimestamp: '2026-11-29T12:00:03.000Z',
    },
  ]);
  const gaps = await messages({ dataTypes: ['trade'], withDisconnectMessages: true });
  const { exchange } = about;
  t.match(gaps.at(-1), {
    type: 'disconnect',
    exchange,
    localTimestamp: '2026-11-29T12:01:02.000Z',
  });
  t.strictSame(await messages({ dataTypes: ['trade'], symbols: ['ETHUSDT'] }), []);
  t.strictSame(await messages({ dataTypes: ['trade'], exchange: 'binance' }), [], 'that is spot');

  const level = (price: number, amount: number) => ({ price, amount });
  const book = await messages({ dataTypes: ['book_change', 'book_snapshot_2_0ms', 'quote'] });
  const kinds = book.map(({ type, name, localTimestamp: at }) => `${name ?? type} ${at.slice(17)}`);
  t.strictSame(kinds, [
    ...['book_change 01.000008Z', 'book_snapshot_2_0ms 01.000008Z', 'quote 01.000008Z'],
    ...['book_change 02.000Z', 'book_snapshot_2_0ms 02.000Z', 'quote 02.000Z'],
    ...['book_change 10.000Z', 'book_snapshot_2_0ms 10.000Z', 'quote 10.000Z'],
  ]);
  t.match(book[0], { isSnapshot: true, bids: [level(99, 1), level(98, 3)], asks: [level(101, 4)] });
  t.strictSame(
    [book[1].bids, book[1].asks],
    [
      [level(99, 1), level(98, 3)],
      [level(101, 4), {}],
    ],
  );
  t.match(book[3], { isSnapshot: false, bids: [level(99, 0)], asks: [] });
  t.match(book[5], {
    type: 'book_snapshot',
    name: 'quote',
    depth: 1,
    interval: 0,
    bids: [level(98, 3)],
    asks: [level(101, 4)],
  });

  const bars = await messages({ dataTypes: ['trade_bar_1m', 'trade_bar_2ticks'] });
  const bar = {
    open: 100,
    high: 104,
    low: 100,
    close: 104,
    volume: 4,
    buyVolume: 2,
    sellVolume: 2,
  };
  t.match(bars, [
    {
      ...bar,
      name: 'trade_bar_2ticks',
      kind: 'tick',
      interval: 2,
      timestamp: '2026-11-29T12:00:03.000Z',
      localTimestamp: '2026-11-29T12:00:03.000Z',
    },
    {
      ...bar,
      name: 'trade_bar_1m',
      interval: 60_000,
      kind: 'time',
      trades: 2,
      vwap: 102,
      timestamp: '2026-11-29T12:01:00.000Z',
      localTimestamp: '2026-11-29T12:01:01.000Z',
      openTimestamp: '2026-11-29T12:00:01.000Z',
    },
  ]);
  t.equal(bars.length, 2, 'the last bar is not flushed');

  const two = [
    { ...asked, dataTypes: ['book_change'] },
    { ...asked, dataTypes: ['trade'] },
  ];
  const { text } = await ask('/replay-normalized', two);
  const types = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line).type);
  t.strictSame(types, ['trade', 'book_change', 'book_change', 'trade', 'trade', 'book_change']);
  t.equal((await ask('/replay-normalized', { ...asked, dataTypes: ['candles'] })).status, 400);
});

/** After a kill: the connections of the new process have the numbers of those before. */
const restarted = (at: number): unknown[] => [
  { ...head, t: at },
  { ...instruments, t: at },
  { kind: 'open', t: at, c: 1, stream: 'trades/spot', part: 'spot', url },
  { kind: 'open', t: at, c: 2, stream: 'trades/linear', part: 'linear', url },
  [at + 1, 1, trade(9, 0, '7')],
  [at + 2, 2, '{"pretty":\n1}'],
  { kind: 'lost', t: at + 3, lines: 5 },
  { kind: 'end', t: at + 4, c: 1, why: 'reset' },
];

t.test('gaps of a recording are told, and those of other markets are not', async (t) => {
  const at = start + 200 * second;
  const { ask, messages } = await stage(t, { 120000: lines, 120320: restarted(at) });
  const { text } = await ask('/replay', { ...asked, withDisconnects: true });
  const found = text
    .split('\n')
    .slice(8, -1)
    .map((line) => line && JSON.parse(line).message);
  t.strictSame(found, ['', { pretty: 1 }, '']);
  const types = await messages({ dataTypes: ['trade'], withDisconnectMessages: true });
  t.strictSame(
    types.filter(({ type }) => type === 'disconnect').map(({ localTimestamp }) => localTimestamp),
    ['2026-11-29T12:01:02.000Z', '2026-11-29T12:03:20.000Z', '2026-11-29T12:03:20.000003Z'],
  );
});

t.test('WebSockets', async (t) => {
  const { server, headers } = await stage(t);
  const follow = async (path: string, said: string[] = []) => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`, { headers });
    const found: unknown[] = [];
    socket.on('message', (data) => found.push(JSON.parse(`${data}`)));
    await once(socket, 'open');
    for (const text of said) socket.send(text);
    const closed = once(socket, 'close');
    // What the client has sent must have come before the clock goes on.
    await call(`${server.url}/x`);
    await server.clock.advance(2_000);
    const [code] = await closed;
    return { found, code };
  };
  const options = encodeURIComponent(JSON.stringify({ ...asked, dataTypes: ['trade'] }));
  const normalised = await follow(`/ws-replay-normalized?options=${options}`);
  t.equal(normalised.code, 1000);
  t.match(normalised.found, [{ type: 'trade', id: '1' }, { id: '2' }, { id: '3' }]);
  t.equal((await follow('/ws-replay-normalized?options=x')).code, 1011);
  const range = 'exchange=binance-futures&from=2026-11-29T12:00&to=2026-11-29T12:02';
  const subscription = '{"method":"SUBSCRIBE","params":["btcusdt@depth@100ms"],"id":1}';
  t.equal((await follow(`/ws-replay?${range}`)).code, 1011, 'nothing is subscribed to');
  const native = await follow(`/ws-replay?${range}`, [subscription]);
  t.strictSame(native.found, [depth(6, [['99', '1']], []), depth(7, [['99', '0']], [])]);
  const waiting = Array.from(
    { length: 8 },
    () => new WebSocket(`${server.url.replace('http', 'ws')}/ws-replay?${range}`, { headers }),
  );
  for (const socket of waiting) await once(socket, 'open');
  const { status } = await call(`${server.url}/replay?options={}`, { headers });
  t.equal(status, 429, 'eight replays of an address at once');
  for (const socket of waiting) socket.terminate();
  const isFree = async () =>
    (await call(`${server.url}/replay?options={}`, { headers })).status === 400;
  await until(isFree, 'their places are free again');
  const refused = new WebSocket(`${server.url.replace('http', 'ws')}/ws-replay?${range}`);
  const [error] = await once(refused, 'error');
  t.match(error.message, /401/);
});

t.test('GET /v1/recordings', async (t) => {
  const dataDir = await folderOf(t);
  const source = replaySource({ dataDir }, new Map());
  const put = async (exchange: string, name: string, follows: string | null) => {
    const path = join(dataDir, 'recordings', exchange, '2026-11-29', `${name}-p.jsonl.zst`);
    await mkdir(dirname(path), { recursive: true });
    const line = { ...head, exchange, follows, types: ['trades', 'books'], symbols: ['BTC'] };
    await writeFile(path, zstdCompressSync(Buffer.from(`${JSON.stringify(line)}\n{"kind":`)));
    return `${exchange}/2026-11-29/${name}-p.jsonl.zst`;
  };
  const first = await put('binance', '120000000', null);
  await put('binance', '121000000', first);
  await put('binance', '130000000', null);
  await put('okx', '000000000', null);
  const server = await startServer(
    t,
    recordingRoutes({ recordings: source, clock: new FakeClock() }),
  );
  const rowsOf = async (query: string) =>
    JSON.parse((await call(`${server.url}/v1/recordings${query}`)).text).data;
  t.match(await rowsOf(''), [
    {
      exchange: 'binance',
      day: '2026-11-29',
      files: 3,
      gaps: 1,
      types: ['books', 'trades'],
      from: start / 1_000,
      symbols: ['BTC'],
    },
    { exchange: 'okx', files: 1, gaps: 0, from: Date.parse('2026-11-29') },
  ]);
  t.equal((await rowsOf('?exchange=okx')).length, 1);
  t.strictSame(await rowsOf('?exchange=kraken'), []);
});

t.test('GET /v1/trades/recorded', async (t) => {
  const { source } = await recorded(t);
  const server = await startServer(
    t,
    recordingRoutes({ recordings: source, clock: new FakeClock() }),
  );
  const pageOf = async (more = '') => {
    const range = `from=${start / 1_000}&to=${start / 1_000 + 120_000}`;
    const path = `/v1/trades/recorded?exchange=binance&market=btcusdt&${range}${more}`;
    const { status, text } = await call(server.url + path);
    return { status, ...JSON.parse(text).data };
  };
  const { items, gaps, next } = await pageOf();
  t.strictSame(items[1], {
    id: '2',
    timestamp: start / 1_000 + 3_000,
    received: start + 3 * second,
    side: 'sell',
    price: 104,
    quantity: 2,
    recovered: false,
  });
  const ids = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id);
  t.strictSame([ids({ items }), next], [['1', '2', '3'], null]);
  t.strictSame(gaps, [start / 1_000 + 62_000]);
  const first = await pageOf('&limit=2');
  t.strictSame(ids(first), ['1', '2']);
  const second_ = await pageOf(`&limit=2&cursor=${first.next}`);
  t.strictSame([ids(second_), second_.next], [['3'], null]);
  t.strictSame(ids(await pageOf('&kind=perpetual')), ['1', '2', '3']);
  t.strictSame(ids(await pageOf('&kind=spot')), []);
  t.equal((await pageOf('&cursor=x')).status, 400);
});
