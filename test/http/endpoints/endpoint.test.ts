/** Rows with their checks and safe handlers. */
import t from 'tap';
import { jsonText } from '../../../http/answers/json.ts';
import { Counters } from '../../../http/endpoints/counters.ts';
import { Endpoint } from '../../../http/endpoints/endpoint.ts';
import type { Route } from '../../../http/endpoints/route.ts';
import { apiError } from '../../../http/wire/errors.ts';
import { FakeClock } from '../../support/clock.ts';
import { acting, alone, echo, reads, ready } from '../../support/http.ts';

const answer = ready('1');
const question = {
  source: 'x',
  name: 'depth',
  params: { market: 'M', limit: 1 },
  what: 'x',
} as const;

/** The endpoint of a row; a query takes 7 ms. */
function stage(row: Route) {
  const clock = new FakeClock();
  const counters = new Counters([row], clock);
  const logged: object[] = [];
  const log = { info: () => {}, error: (fields: object) => logged.push(Object(fields).route) };
  const known = (values: object) => ('symbol' in values ? answer : null);
  const read = async (_: unknown, account: string) => {
    await clock.advance(7);
    return ready(JSON.stringify(account));
  };
  const queries = { known, read } as never;
  const endpoint = new Endpoint(row, { clock, log, counters, queries });
  const counts = () => {
    counters.answered(0, 200, 0);
    const [{ exceptions = 0, asks = { counts: [], sum: 0 } } = {}] = counters.snapshot();
    return { exceptions, asks: asks.counts.reduce((sum, one) => sum + one, 0), ms: asks.sum };
  };
  return { endpoint, logged, counts };
}
const call = { values: {}, body: undefined, caller: null, idempotencyKey: '', ...alone };
const run = ({ run: made }: Endpoint, values: object) => {
  if ('now' in made) return made.now(Object(values));
  if ('act' in made) return made.act(call, AbortSignal.timeout(1_000));
  return made.ready(Object(values), 5) ?? made.later(Object(values), 'me');
};
const broken = () => {
  throw new Error('broken');
};

t.test('answers of each kind of row, and what is counted of them', async (t) => {
  const cases: [from: Route['from'], found: unknown, ms: number | null][] = [
    [reads(() => answer), answer, null],
    [{ query: () => ({ ...question, data: () => 1 }) }, ready('"me"'), 7],
    [{ query: () => apiError('not_found') }, apiError('not_found'), 0],
    [{ raw: () => ({ contentType: 'a/b', body: '' }) }, { contentType: 'a/b', body: '' }, null],
    [{ act: async () => ({ status: 201, data: [1] }) }, { status: 201, json: '[1]' }, null],
    [{ act: async () => ({ status: 200, data: jsonText(2) }) }, { status: 200, json: '2' }, null],
    [{ act: async () => apiError('forbidden') }, apiError('forbidden'), null],
  ];
  for (const [from, found, ms] of cases) {
    const { endpoint, counts } = stage({ ...('act' in from ? acting({}) : echo()), from });
    t.same(await run(endpoint, {}), found);
    t.strictSame(counts(), { exceptions: 0, asks: ms === null ? 0 : 1, ms: ms ?? 0 });
  }
});

t.test('a query that is known is answered at once, and counts as one of no time', async (t) => {
  const { endpoint, counts } = stage(echo({ from: { query: broken } }));
  t.equal(run(endpoint, { symbol: 'BTC' }), answer);
  t.strictSame(counts(), { exceptions: 0, asks: 1, ms: 0 });
});

t.test('a handler that throws is an internal error, logged and counted', async (t) => {
  const all: Route['from'][] = [reads(broken), { query: broken }, { raw: broken }];
  for (const from of [...all, { act: broken }]) {
    const { endpoint, logged, counts } = stage({ ...('act' in from ? acting({}) : echo()), from });
    t.same(await run(endpoint, {}), apiError('internal'));
    t.strictSame(logged, [`${endpoint.row.method} ${endpoint.row.path}`]);
    t.equal(counts().exceptions, 1);
  }
});

t.test('bounds of a row: its path, its body, its table', async (t) => {
  const id = { type: 'string', required: true, description: '' } as const;
  const of = (row: Partial<Route>) => {
    const { segments, bodyCap, table, slot } = stage(echo(row)).endpoint;
    return [segments, bodyCap, table === null, slot];
  };
  const list = { type: 'array', items: { type: 'object', properties: { a: {} } } } as never;
  t.strictSame(of({}), [0, 65_536, true, 0]);
  t.strictSame(of({ path: '/{id}', params: { id }, bodyCap: 9, answer: list }), [1, 9, false, 0]);
});
