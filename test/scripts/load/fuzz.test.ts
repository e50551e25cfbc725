import net from 'node:net';
import t from 'tap';
import { openapiDocument } from '../../../http/openapi/openapi.ts';
import { apiError } from '../../../http/wire/errors.ts';
import { Answers } from '../../../scripts/load/fuzz/answers.ts';
import { operationsOf } from '../../../scripts/load/fuzz/api.ts';
import { campaign, fault } from '../../../scripts/load/fuzz/campaign.ts';
import { type Exchange, exchangeOf } from '../../../scripts/load/fuzz/exchange.ts';
import { fuzzStreams } from '../../../scripts/load/fuzz/frames.ts';
import { growth } from '../../../scripts/load/fuzz/memory.ts';
import { echo, reads, ready, startServer } from '../../support/http.ts';

const description = 'Test.';
const list = ready(JSON.stringify(Array.from({ length: 20_000 }, (_, i) => i)));
const routes = [
  echo({
    params: {
      limit: { type: 'integer', default: 5, minimum: 1, maximum: 9, description },
      interval: { type: 'string', enum: ['5m', '1h'], default: '1h', description },
    },
  }),
  echo({
    path: '/v1/of/{name}',
    params: { name: { type: 'string', required: true, maxLength: 20, description } },
    from: { query: () => apiError('overloaded', undefined, { retryAfter: 1 }) },
  }),
  echo({ path: '/v1/list', from: reads(() => list) }),
];
const api = operationsOf(openapiDocument(routes, { version: 'test' }));

t.test('operations come from the description', async (t) => {
  t.same(api[0], {
    method: 'GET',
    path: '/v1/echo',
    parameters: [
      { name: 'limit', in: 'query', good: '5' },
      { name: 'interval', in: 'query', good: '1h' },
      { name: 'max_age', in: 'query', good: '60000' },
      { name: 'wait', in: 'query', good: '0' },
    ],
  });
  const of = (path: string) => api.filter((one) => one.path === path);
  t.same([...of('/v1/stream'), ...of('/v1/ws')], [], 'streams have no end');
  t.match(api[1], { path: '/v1/of/{name}', parameters: [{ name: 'name', in: 'path' }] });
  t.throws(() => operationsOf({ paths: {} }), /no operations/);
  t.throws(() => operationsOf(null), /no operations/);
});

t.test('the same seed gives the same bytes, another one others', async (t) => {
  const bytes = (seed: number) =>
    Array.from({ length: 200 }, (_, n) => Buffer.concat(exchangeOf(api, seed, n).pieces));
  t.same(Buffer.concat(bytes(1)), Buffer.concat(bytes(1)));
  t.not(Buffer.concat(bytes(1)).equals(Buffer.concat(bytes(2))), true);
  const exchanges = Array.from({ length: 2_000 }, (_, n) => exchangeOf(api, 1, n));
  t.ok(
    exchanges.some(({ pieces }) => pieces.length > 3),
    'cut',
  );
  t.ok(
    exchanges.some(({ methods }) => methods.length > 4),
    'pipelined',
  );
  t.ok(exchanges.some(({ owed }) => owed) && exchanges.some(({ owed }) => !owed));
  t.same(new Set(exchanges.map(({ end }) => end)), new Set(['leave', 'look', 'stay']));
});

t.test('answers are separated wherever they are cut', async (t) => {
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc';
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n';
  const text = `HTTP/1.1 100 Continue\r\n\r\n${ok}${head}HTTP/1.1 304 Not Modified\r\n\r\n${ok}`;
  for (const step of [1, 7, 1_000]) {
    const answers = new Answers(['GET', 'HEAD', 'GET', 'GET'], 4);
    for (let at = 0; at < text.length; at += step) {
      answers.push(Buffer.from(text.slice(at, at + step)));
    }
    t.same(answers.statuses, [200, 200, 304, 200]);
    t.equal(answers.complete, 4);
    t.equal(answers.garbled, null);
  }
  const garbled = new Answers(['GET', 'GET'], 2);
  garbled.push(Buffer.from(`${ok}rest of something`));
  t.equal(garbled.garbled, 'rest of something');
  const partial = new Answers(['GET'], 1);
  partial.push(Buffer.from(ok.slice(0, -1)));
  t.equal(partial.complete, 0);
});

t.test('what is a fault', async (t) => {
  const owed: Exchange = { pieces: [], methods: ['GET'], owed: true, end: 'stay' };
  const loose: Exchange = { ...owed, owed: false };
  const outcome = { statuses: [200], garbled: null, end: 'answered' as const };
  t.equal(fault(owed, outcome), null);
  t.equal(fault(owed, { ...outcome, statuses: [500] }), 'answered 500');
  t.equal(fault(loose, { ...outcome, statuses: [400, 502] }), 'answered 502');
  t.equal(fault(owed, { ...outcome, statuses: [503] }), null);
  t.equal(fault(owed, { ...outcome, statuses: [505] }), 'answered 505');
  t.equal(fault(loose, { ...outcome, statuses: [505] }), null);
  t.match(fault(loose, { ...outcome, end: 'hung' }), /in time/);
  t.match(fault(loose, { ...outcome, end: 'refused' }), /refused/);
  t.match(fault(loose, { ...outcome, garbled: 'x' }), /not an answer/);
  const cut = { ...outcome, statuses: [], end: 'closed' as const };
  t.equal(fault(owed, cut), 'closed without an answer');
  t.equal(fault(loose, cut), null);
});

t.test('growth is between the quietest moments', async (t) => {
  t.equal(growth([100, 160, 130, 190, 101, 150, 104, 180]), 4);
  t.equal(growth([5]), 0);
});

t.test('2,000 requests do our server no harm', { timeout: 110_000 }, async (t) => {
  const server = await startServer(t, routes);
  const peer = { host: '127.0.0.1', port: server.port, cut: 30_000 };
  const plan = { peer, api, seed: 7, first: 0, requests: 2_000, connections: 500 };
  const report = await campaign(plan, () => {});
  t.same(report.findings, []);
  t.ok(report.requests >= 2_000);
  for (const status of [200, 400, 404, 405, 431, 503, 505]) {
    t.ok((report.statuses[status] ?? 0) > 0, `some were answered ${status}`);
  }
  t.equal(report.ends.hung + report.ends.refused, 0);
});

t.test('3,000 frames do the streams no harm', { timeout: 110_000 }, async (t) => {
  const server = await startServer(t, [...routes, echo({ path: '/v1/status' })]);
  const plan = { frames: 3_000, seed: 7, connections: 20 };
  const report = await fuzzStreams({ ...plan, url: new URL(server.url) });
  t.equal(report.answers, true);
  t.ok(report.sent >= 3_000);
  t.ok(report.received > 5_000, `good messages are answered, by ${report.received} bytes`);
});

t.test('a server that misbehaves is found out', async (t) => {
  const bad = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write('HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n'));
  });
  await new Promise<void>((resolve) => bad.listen(0, '127.0.0.1', resolve));
  const address = bad.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const peer = { host: '127.0.0.1', port, cut: 1_000 };
  const plan = { peer, api, seed: 1, first: 1, requests: 50, connections: 50 };
  const report = await campaign(plan, () => {});
  t.ok(report.findings.some(({ what }) => what === 'answered 500'));
  await new Promise((resolve) => bad.close(resolve));
  const gone = await campaign({ ...plan, requests: 5 }, () => {});
  t.ok(gone.findings.some(({ what }) => what.includes('refused')));
  t.ok(gone.findings.some(({ what }) => what.includes('does not answer')));
});
