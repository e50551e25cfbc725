import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { openapiDocument } from '../../../http/openapi/openapi.ts';
import { apiError } from '../../../http/wire/errors.ts';
import { routes } from '../../../scripts/docs/routes.ts';
import { isUsage } from '../../../scripts/load/arguments.ts';
import { operationsOf } from '../../../scripts/load/fuzz/api.ts';
import { Random } from '../../../scripts/load/fuzz/random.ts';
import { loadOptions, type Options } from '../../../scripts/load/options.ts';
import { Asker, paced } from '../../../scripts/load/questions/ask.ts';
import { draw, questionOperations } from '../../../scripts/load/questions/draw.ts';
import { progressLine, table, warnings } from '../../../scripts/load/report.ts';
import { load, passed, type Result } from '../../../scripts/load/run.ts';
import { echo, reads, startServer } from '../../support/http.ts';

const optionsOf = (...args: string[]): Options => {
  const options = loadOptions(args);
  if (options === null) throw new Error('help was asked for');
  return options;
};

const result: Result = {
  seconds: 10,
  connections: 40,
  endpoints: ['/a', '/b'],
  requests: 1_000,
  per_second: { average: 100, min: 90 },
  latency_ms: { p50: 1.234, p90: 2, p99: 3, p99_9: 40.4, max: 123.4 },
  errors: 1,
  timeouts: 2,
  non_2xx: { '429': 250, '401': 1 },
  succeeded: 749,
  bytes: 2 ** 21,
};

t.test('arguments', async (t) => {
  t.match(optionsOf(), {
    url: { origin: 'http://127.0.0.1:8080' },
    key: null,
    connections: 40,
    seconds: 10,
    endpoints: ['/v1/prices?symbol=BTC'],
    json: false,
  });
  const given = ['--endpoint', '/a', '--endpoint', '/b?c=d', '--key', 'tm_x', '--json'];
  t.match(optionsOf(...given), { endpoints: ['/a', '/b?c=d'], key: 'tm_x', json: true });
  t.equal(loadOptions(['--help']), null);

  const refused = (...args: string[]) => {
    try {
      loadOptions(args);
    } catch (error) {
      if (isUsage(error)) return error.message;
    }
    return 'not refused';
  };
  t.equal(refused('--connections', '0'), '--connections: 0 is not a whole number from 1 to 10000');
  t.match(refused('--seconds', '1.5'), '--seconds: 1.5 is not a whole number from 1 to 86400');
  t.match(refused('--timeout', ''), '--timeout:');
  t.match(refused('--endpoint', 'v1/prices'), '--endpoint: v1/prices is not a path');
  t.match(refused('--endpoint', '/a b'), '--endpoint: /a b is not a path');
  t.match(refused('--url', 'ftp://x'), 'is not http://HOST[:PORT] or https://HOST[:PORT]');
  t.match(refused('--url', 'http://x/v1'), '--url: http://x/v1 is not');
  t.match(refused('--key', 'a\nb'), '--key:');
  t.match(refused('--nonsense'), '--nonsense');
  t.match(refused('stray'), 'stray');
});

t.test('what is printed', async (t) => {
  const text = table(result, optionsOf('--url', 'http://h:1'));
  t.match(text, /^http:\/\/h:1 {2}\/a {2}\/b {2}40 connections\n/);
  t.match(text, /requests +1,000 in 10\.0 s/);
  t.match(text, /throughput +100 req\/s on average, 90 at least/);
  t.match(text, /p50 +1\.23 ms\n.*p90 +2\.00 ms\n.*p99 +3\.00 ms\n.*p99\.9 +40 ms\n/);
  t.match(text, /errors +1\n.*timeouts +2\n.*non-2xx +429: 250 {2}401: 1|401: 1 {2}429: 250/);
  t.match(text, /bytes +2\.0 MiB, 0\.2 MiB\/s/);
  t.match(table({ ...result, latency_ms: null, non_2xx: {} }, optionsOf()), /p99 +-\n/);
  t.match(
    warnings(result).join('\n'),
    /25\.0 % of the answers were 429[\s\S]*0\.1 % .* 401 or 403/,
  );
  t.same(warnings({ ...result, non_2xx: {} }), []);
  const line = progressLine({ elapsed: 3, rate: 12_345, errors: 1, non2xx: 2 }, 10);
  t.match(line, /^3 of 10 s {3}12,345 req\/s {3}errors 1 {3}non-2xx 2 +$/);
});

t.test('what counts as passed', async (t) => {
  const good = { ...result, errors: 0, timeouts: 0 };
  t.ok(passed(good), 'a used up quota is the server at work');
  t.notOk(passed({ ...good, errors: 1 }));
  t.notOk(passed({ ...good, timeouts: 1 }));
  t.notOk(passed({ ...good, non_2xx: { '503': 1 } }));
  t.notOk(passed({ ...good, succeeded: 0 }));
});

t.test('a run counts what the server did', async (t) => {
  let asked = 0;
  const keys = new Set<unknown>();
  const view = () => {
    asked++;
    return apiError('too_many_requests');
  };
  const server = await startServer([echo(), echo({ path: '/v1/over', from: reads(view) })]);
  t.teardown(server.end);
  const args = ['--url', server.url, '--seconds', '1', '--connections', '2', '--key', 'k'];
  const endpoints = ['--endpoint', '/v1/echo', '--endpoint', '/v1/over'];
  const seen: number[] = [];
  const found = await load(optionsOf(...args, ...endpoints), (now) => {
    seen.push(now.elapsed);
    keys.add(now.errors);
  });
  t.ok(found.succeeded > 0);
  t.ok(found.requests > found.succeeded);
  t.same(Object.keys(found.non_2xx), ['429'], 'and no other status');
  t.ok(asked >= (found.non_2xx['429'] ?? 0));
  t.ok(Math.abs(found.succeeded - (found.non_2xx['429'] ?? 0)) <= 2, 'in rotation');
  t.equal(found.errors + found.timeouts, 0);
  t.ok((found.latency_ms?.p99_9 ?? 0) >= (found.latency_ms?.p50 ?? 1));
  t.ok(found.bytes > 0);
  t.ok(seen.length > 0 && Math.max(...seen) <= 1);
  t.same([...keys], [0]);
});

t.test('as a command', async (t) => {
  const server = await startServer([echo()]);
  t.teardown(server.end);
  const main = join(import.meta.dirname, '../../../scripts/load/main.ts');
  const run = (...args: string[]) => promisify(execFile)(process.execPath, [main, ...args]);
  const small = ['--url', server.url, '--seconds', '1', '--connections', '1'];
  const { stdout, stderr } = await run(...small, '--endpoint', '/v1/echo', '--json');
  t.match(JSON.parse(stdout), { errors: 0, endpoints: ['/v1/echo'], non_2xx: {} });
  t.equal(stderr, '', 'no progress without a terminal');
  await t.rejects(run(...small, '--endpoint', '/nothing'), { code: 1 }, 'nothing succeeded');
  await t.rejects(run('--seconds', 'x'), { code: 2, stderr: /^--seconds: x is not/ });
  await t.rejects(run('--url', 'http://127.0.0.1:2'), { code: 2, stderr: /does not answer/ });
  t.match((await run('--help')).stdout, /^npm run load -- \[options\]/);
});

t.test('questions: any symbol, any of what a parameter lists, equal for equal seeds', async (t) => {
  const parameter = { in: 'query', good: 'x', required: false } as const;
  const operations = operationsOf(
    JSON.parse(JSON.stringify(openapiDocument(routes, { version: '' }))),
  );
  const asked = questionOperations(operations);
  t.equal(asked.length, 30);
  t.throws(() => questionOperations(asked.slice(1)), /not all of the 30/);
  const one = {
    method: 'GET',
    path: '/x',
    parameters: [
      { ...parameter, name: 'symbol', listed: [] },
      { ...parameter, name: 'interval', listed: ['5m', '1h'] },
      { ...parameter, name: 'limit', listed: [] },
    ],
  };
  const drawn = () => {
    const random = new Random(1, 0);
    return Array.from({ length: 50 }, () => draw(random, [one], ['BTC', 'ETH']));
  };
  t.same(drawn(), drawn());
  t.same(
    [...new Set(drawn())].sort(),
    ['BTC', 'ETH'].flatMap((symbol) =>
      ['1h', '5m'].map((interval) => `/x?symbol=${symbol}&interval=${interval}`),
    ),
  );
});

t.test('answers of questions: 503 with a time is one, any other 5xx is a fault', async (t) => {
  const answers: Record<string, [status: number, body: object, headers?: object]> = {
    '/stale': [200, { data: { stale: true } }],
    '/busy': [503, { code: 'overloaded', message: 'x' }, { 'retry-after': '1' }],
    '/timeless': [503, { code: 'overloaded', message: 'x' }],
    '/failed': [502, { code: 'upstream_failed', message: 'y (timeout)' }],
  };
  const server = createServer(({ url = '' }, reply) => {
    const [status, body, headers] = answers[url.replace(/\?.*/, '')] ?? [404, {}];
    reply.writeHead(status, { ...headers }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const asker = new Asker(url, 4);
  const names = [...Object.keys(answers), '/one-too-many'];
  await Promise.all(names.map((name, client) => asker.ask(`${name}?a=b`, client)));
  t.match(asker.tally, {
    asked: 4,
    left: 1,
    stale: 1,
    statuses: { 200: 1, 502: 1, 503: 2 },
    faults: { '/timeless 503 overloaded': 1, '/failed 502 timeout': 1 },
  });
  server.close();
  server.closeAllConnections();
  await asker.ask('/gone', 0);
  t.ok(Object.keys(asker.tally.faults).some((fault) => fault.startsWith('no answer: ')));
  await asker.close();
  let sent = 0;
  await paced({ rate: 1_000, seconds: 0.02 }, async () => void sent++);
  t.equal(sent, 20);
});
