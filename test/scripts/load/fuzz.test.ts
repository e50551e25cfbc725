import t from 'tap';
import { openapiDocument } from '../../../http/openapi/openapi.ts';
import { apiError } from '../../../http/wire/errors.ts';
import { operationsOf } from '../../../scripts/load/fuzz/api.ts';
import { campaign } from '../../../scripts/load/fuzz/campaign.ts';
import { fuzzStreams } from '../../../scripts/load/fuzz/frames.ts';
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
