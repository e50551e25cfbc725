/** The errors that a row states are those that a server answers: each of them is asked for here, and there is no other. */
import t, { type Test } from 'tap';
import { failed, success } from '../../../actors/failure.ts';
import { FrontQueries } from '../../../http/answers/queries.ts';
import type { Route } from '../../../http/endpoints/route.ts';
import { openapiDocument } from '../../../http/openapi/openapi.ts';
import { apiError, type ErrorCode, kindOf } from '../../../http/wire/errors.ts';
import { FakeClock } from '../../support/clock.ts';
import {
  call,
  connect,
  echo,
  exchange,
  reads,
  startServer,
  type TestServer,
} from '../../support/http.ts';
import { queryBus } from '../../support/queries.ts';
import { alice, gateOf, memoryQuota } from '../../support/quota.ts';
import { until } from '../../support/until.ts';

const symbol = { type: 'string', description: 'Asset.' } as const;

/** The codes in the description of a row, by status. */
function statedBy(row: Route): Record<string, string[]> {
  const { paths } = openapiDocument([row], { version: '' });
  const { responses = {} } = paths[row.path]?.[row.method.toLowerCase()] ?? {};
  const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  return Object.fromEntries(
    failures.map(([status, { description }]) => [
      status,
      [...`${description}`.matchAll(/`(\w+)`/g)].map(([, code = '']) => code).sort(),
    ]),
  );
}

type Answer = { status: number; code: string };
type Ask = (server: TestServer) => Promise<Answer>;
type Options = NonNullable<Parameters<typeof call>[1]>;

const asking =
  (path: string, options: Options = {}): Ask =>
  async ({ url }) => {
    const { status, text } = await call(url + path, options);
    return { status, code: JSON.parse(text).code };
  };

/** The answer in the bytes of a response. */
function answerIn(bytes: string): Answer {
  const [, status, code = ''] = /^HTTP\/1\.1 (\d+)[\s\S]*"code":"(\w+)"/.exec(bytes) ?? [];
  return { status: Number(status), code };
}

/** A request with two lengths. */
const badlyFramed =
  (start: string): Ask =>
  async ({ port }) =>
    answerIn(
      await exchange(
        port,
        `${start} HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n`,
      ),
    );

/** Asks for every error of a row, each of a server of its own. */
async function meets(
  t: Test,
  row: Route,
  asks: Partial<Record<ErrorCode, Ask>>,
  optionsOf: (code: string) => Parameters<typeof startServer>[2],
) {
  const wanted = Object.keys(asks) as ErrorCode[];
  for (const [code, ask] of Object.entries(asks)) {
    const server = await startServer(t, [row], optionsOf(code));
    t.match(await ask(server), { code }, `${row.method} ${row.path}: ${code}`);
    await server.end();
  }
  const byStatus = Object.groupBy(wanted.sort(), (error) => kindOf({ error }).status);
  t.strictSame(statedBy(row), JSON.parse(JSON.stringify(byStatus)), row.path);
}

const key = { headers: { 'x-api-key': 'good' } };
const gate = gateOf({ good: alice });
const strict = { headers: { ...key.headers, prefer: 'handling=strict' } };

/** Two thousand requests: more than a minute of the free plan. */
const often =
  (path: string, options: Options): Ask =>
  async (server) => {
    for (let i = 0; i < 2_000; i++) {
      const answer = await asking(path, options)(server);
      if (answer.status === 429) return answer;
    }
    return { status: 200, code: '' };
  };

t.test('a row that asks its source', async (t) => {
  const clock = new FakeClock();
  /** What the source says of each symbol. */
  const failures = {
    NOSUCH: 'unknown_instrument',
    DOWN: 'network',
    EARLY: 'not_ready',
    BUSY: 'over_budget',
    AWAY: 'redis_away',
  } as const;
  const bus = queryBus(({ params }) => {
    const [, code] =
      Object.entries(failures).find(([name]) => `${Object(params).market}` === name) ?? [];
    const now = clock.now();
    return code === undefined
      ? success({ value: { bids: [], asks: [] }, received: now - 5_000, until: now })
      : failed(code, 'no');
  });
  const row = echo({
    path: '/v1/asked',
    access: 'key',
    params: {
      symbol,
      exchange: { type: 'string', enum: ['okx'], unlisted: 'unknown_exchange', description: 'Id.' },
    },
    fails: ['upstream_failed'],
    from: {
      query: ({ symbol: market = 'BTC' }) => ({
        source: 'okx',
        name: 'orderBook',
        params: { market: `${market}`, depth: 1 },
        what: 'the book',
        data() {
          if (market === 'BUG') throw new Error('a bug');
          return { at: clock.now() };
        },
      }),
    },
  });
  const queries = new FrontQueries({ bus, clock, random: () => 0.5 });
  const of = (name: string) => asking(`/v1/asked?symbol=${name}`, key);
  const asks = {
    bad_parameter: asking('/v1/asked?nosuch=1', strict),
    bad_request: badlyFramed('GET /v1/asked'),
    unauthorized: asking('/v1/asked'),
    unknown_symbol: of('NOSUCH'),
    unknown_exchange: asking('/v1/asked?exchange=nosuch', key),
    internal: of('BUG'),
    upstream_failed: of('DOWN'),
    warming_up: of('EARLY'),
    too_old: asking('/v1/asked?max_age=1000', key),
    overloaded: of('BUSY'),
    store_unavailable: of('AWAY'),
    too_many_requests: often('/v1/asked', key),
  };
  await meets(t, row, asks, () => ({ clock, gate, quota: memoryQuota(clock).quota, queries }));
});

t.test('a row in memory that needs no reading', async (t) => {
  const clock = new FakeClock();
  const row = echo({
    path: '/v1/fixed',
    noMarketData: true,
    params: { part: { type: 'string', description: 'Part.' } },
    from: reads(({ part }: { part?: unknown }) => {
      throw new Error(`a bug in ${part}`);
    }),
  });
  await meets(
    t,
    row,
    {
      bad_parameter: asking('/v1/fixed?part='),
      bad_request: badlyFramed('GET /v1/fixed'),
      internal: asking('/v1/fixed'),
      too_many_requests: often('/v1/fixed', {}),
    },
    () => ({ clock, quota: memoryQuota(clock).quota }),
  );
});

t.test('an act with a body', async (t) => {
  const row = echo({
    method: 'POST',
    path: '/v1/act',
    access: 'bearer',
    body: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    fails: ['forbidden'],
    from: {
      async act({ body }) {
        const { name } = Object(body);
        if (name === 'bug') throw new Error('a bug');
        return apiError('forbidden');
      },
    },
  });
  const token = { authorization: 'Bearer good', 'content-type': 'application/json' };
  const post = (body: string, headers: Record<string, string> = token) =>
    asking('/v1/act', { method: 'POST', headers, body });
  const head = 'POST /v1/act HTTP/1.1\r\nhost: x\r\nauthorization: Bearer good\r\n';
  const partOf =
    (length: number, part: string) =>
    async ({ port }: TestServer) => {
      const wire = await connect(port);
      wire.socket.write(`${head}content-length: ${length}\r\n\r\n${part}`);
      return wire;
    };
  /** The timer of the body is set once the head is read: time is moved until that has happened. */
  const slow: Ask = async (server) => {
    const wire = await partOf(9, '{')(server);
    const answered = async () => {
      await server.clock.advance(1_000);
      return wire.received() !== '';
    };
    await until(answered, 'the request has its answer');
    return answerIn(wire.received());
  };
  const crowded: Ask = async (server) => {
    const wire = await partOf(2_000, ' '.repeat(1_400))(server);
    try {
      let answer = { status: 0, code: '' };
      const refused = async () => {
        answer = await post(`{"name":"${'a'.repeat(500)}"}`)(server);
        return answer.code === 'overloaded';
      };
      await until(refused, 'the first body is being read');
      return answer;
    } finally {
      wire.socket.destroy();
    }
  };
  const clock = new FakeClock();
  await meets(
    t,
    row,
    {
      bad_parameter: post('{}'),
      bad_request: badlyFramed('POST /v1/act'),
      unauthorized: post('{"name":"a"}', {}),
      forbidden: post('{"name":"a"}'),
      request_timeout: slow,
      too_large: post(' '.repeat(65_537)),
      unsupported_media_type: post('{"name":"a"}', { ...token, 'content-type': 'text/plain' }),
      too_many_requests: often('/v1/act', { method: 'POST', headers: token, body: '{"name":"a"}' }),
      internal: post('{"name":"bug"}'),
      overloaded: crowded,
    },
    // A body that is too large must not be the one that the memory has no room for.
    (code) => ({
      clock,
      gate,
      quota: memoryQuota(clock).quota,
      ...(code === 'overloaded' && { bodies: { most: 1_500, ofClient: 1_500 } }),
    }),
  );
});

t.test('a page for clients on the machine of the server', async (t) => {
  const row = echo({
    path: '/page',
    answer: null,
    free: true,
    local: true,
    from: {
      raw: async () => {
        throw new Error('a bug');
      },
    },
  });
  const asks = {
    bad_parameter: asking('/page?nosuch=1', { headers: { prefer: 'handling=strict' } }),
    bad_request: badlyFramed('GET /page'),
    forbidden: asking('/page', { headers: { via: '1.1 proxy' } }),
    internal: asking('/page'),
  };
  const full = { ...asks, too_many_requests: asking('/page') };
  await meets(t, row, full, (code) =>
    code === 'too_many_requests' ? { inFlightPerAddress: 0 } : {},
  );
});

t.test('rows without an access, a source or a wait lack the errors of these', (t) => {
  const symbolRow = echo({ params: { symbol }, access: 'key' });
  const [dated, noMarketData, answersBeforeData] = [
    statedBy(symbolRow),
    statedBy({ ...symbolRow, noMarketData: true }),
    statedBy({ ...symbolRow, answersBeforeData: true }),
  ];
  t.strictSame(dated['503'], ['overloaded', 'too_old', 'warming_up']);
  t.strictSame(noMarketData['503'], ['overloaded'], 'which a check of the key may be');
  t.strictSame(answersBeforeData['503'], ['overloaded', 'too_old']);
  t.strictSame(
    statedBy({ ...symbolRow, fails: ['upstream_failed'] })['503'],
    answersBeforeData['503'],
  );
  t.strictSame(dated['404'], ['unknown_symbol']);
  t.notOk(statedBy(echo())['401']);
  t.end();
});
