/** Requests that say in two ways where their body ends: another server in front may read them the other way. */
import t, { type Test } from 'tap';
import { Counters } from '../../../http/endpoints/counters.ts';
import { echo, exchange, reads, ready, startServer } from '../../support/http.ts';

const next = 'GET /v1/hidden HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
const chunk = '3\r\nabc\r\n0\r\n\r\n';
const statuses = (text: string) => text.match(/HTTP\/1\.1 \d+/g);

async function start(t: Test) {
  let hidden = 0;
  const view = () => {
    hidden++;
    return ready('null');
  };
  const rows = [echo(), echo({ path: '/v1/hidden', from: reads(view) })];
  const counters = new Counters(rows);
  const server = await startServer(t, rows, { counters });
  const send = (method: string, lines: string, rest: string, path = '/v1/echo') =>
    exchange(server.port, `${method} ${path} HTTP/1.1\r\nhost: x\r\n${lines}\r\n\r\n${rest}`);
  return { server, send, counters, hidden: () => hidden };
}

/** Head lines, and the bytes that follow the head. */
const unclear: Record<string, [string, string]> = {
  'two lengths, the larger first': ['content-length: 5\r\ncontent-length: 3', 'abcde'],
  'two lengths, the smaller first': ['content-length: 3\r\ncontent-length: 5', 'abcde'],
  'one length twice': ['content-length: 5\r\ncontent-length: 5', 'abcde'],
  'a length and an empty one': ['content-length: 5\r\ncontent-length:', 'abcde'],
  'a list of lengths': ['content-length: 5, 5', 'abcde'],
  'a length with a sign': ['content-length: +5', 'abcde'],
  'a length and a coding': ['content-length: 5\r\ntransfer-encoding: chunked', chunk],
  'another coding': ['transfer-encoding: xchunked', chunk],
  'two codings': ['transfer-encoding: gzip, chunked', chunk],
  'a coding that is none': ['transfer-encoding: identity', chunk],
  'one coding twice': ['transfer-encoding: chunked\r\ntransfer-encoding: chunked', chunk],
  'a coding and another': ['transfer-encoding: chunked\r\ntransfer-encoding: identity', chunk],
};
const emptyFirst: Record<string, [string, string]> = {
  'an empty length': ['content-length:', ''],
  'an empty length and one': ['content-length:\r\ncontent-length: 5', 'abcde'],
  'an empty coding': ['transfer-encoding:', ''],
  'an empty coding and one': ['transfer-encoding:\r\ntransfer-encoding: chunked', chunk],
};

t.test('an unclear end is refused', async (t) => {
  const { send, counters } = await start(t);
  for (const [name, [lines, body]] of Object.entries({ ...unclear, ...emptyFirst })) {
    for (const path of ['/v1/echo', '/v1/nothing']) {
      const text = await send('POST', lines, body.slice(0, 3), path);
      t.same(statuses(text), ['HTTP/1.1 400'], `POST ${path}, ${name}`);
      t.match(text, /connection: close/i, name);
    }
  }
  for (const [name, [lines, body]] of Object.entries(unclear)) {
    for (const method of ['GET', 'HEAD']) {
      const text = await send(method, lines, body.slice(0, 3));
      t.same(statuses(text), ['HTTP/1.1 400'], `${method}, ${name}`);
    }
  }
  const sent = () => counters.snapshot().reduce((sum, { bytes }) => sum + bytes, 0);
  for (const method of ['POST', 'HEAD']) {
    const before = sent();
    const twice = await send(method, 'content-length: 3\r\ncontent-length: 5', 'abc');
    const [, body = ''] = twice.split('\r\n\r\n');
    t.match(body, method === 'HEAD' ? /^$/ : /"code":"bad_request"/);
    t.equal(sent() - before, body.length, 'is counted');
  }
});

t.test('what follows an unclear end is not worked off', async (t) => {
  const { send, hidden } = await start(t);
  for (const [name, [lines, body]] of Object.entries({ ...unclear, ...emptyFirst })) {
    const text = await send('POST', lines, body + next);
    t.notMatch(text, /HTTP\/1\.1 (?:200|405)/, name);
  }
  for (const [name, [lines, body]] of Object.entries(unclear)) {
    t.notMatch(await send('GET', lines, body + next), /HTTP\/1\.1 (?:200|405)/, `GET, ${name}`);
  }
  t.equal(hidden(), 0);
});

t.test('requests that never reach the front', async (t) => {
  const { send } = await start(t);
  for (const lines of [
    'content-length:',
    'content-length:\r\ncontent-length: 5',
    'transfer-encoding:',
  ]) {
    const text = await send('GET', lines, next);
    t.same(
      statuses(text),
      ['HTTP/1.1 200', 'HTTP/1.1 200'],
      `GET with an empty first line: ${lines}`,
    );
  }
  const loose = ['3 ;a=b\r\nabc\r\n0\r\n\r\n', '3\nabc\r\n0\r\n\r\n', '3\r\nabcXX0\r\n\r\n'];
  for (const body of loose) {
    const text = await send('POST', 'transfer-encoding: chunked', body + next);
    t.same(statuses(text), ['HTTP/1.1 405', 'HTTP/1.1 200'], `chunks ${JSON.stringify(body)}`);
  }
});

t.test('a clear end is served', async (t) => {
  const { send } = await start(t);
  const good = [
    ['content-length: 5', 'abcde'],
    ['content-length: 0', ''],
    ['transfer-encoding: chunked', chunk],
    ['transfer-encoding: Chunked', chunk],
    ['x: y', ''],
  ] as const;
  for (const [lines, body] of good) {
    t.same(
      statuses(await send('POST', lines, body + next)),
      ['HTTP/1.1 405', 'HTTP/1.1 200'],
      lines,
    );
    t.same(
      statuses(await send('GET', lines, body + next)),
      ['HTTP/1.1 200', 'HTTP/1.1 200'],
      lines,
    );
  }
});
