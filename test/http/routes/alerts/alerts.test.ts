/** The rows of alerts over HTTP, with a Redis of their own. */
import t, { type Test } from 'tap';
import { request } from 'undici';
import { silent } from '../../../../actors/bus/log.ts';
import { systemClock } from '../../../../actors/kernel/clock.ts';
import { receiverKey } from '../../../../alerts/store/queued.ts';
import { RuleStore } from '../../../../alerts/store/rule-store.ts';
import { StateStore } from '../../../../alerts/store/state-store.ts';
import { Plans } from '../../../../config/plans.ts';
import { AlertLog } from '../../../../http/answers/alert-log.ts';
import type { Gate } from '../../../../http/auth/caller.ts';
import { alertRoutes } from '../../../../http/routes/alerts/index.ts';
import { liquidationRoutes } from '../../../../http/routes/liquidations/index.ts';
import { marketRoutes } from '../../../../http/routes/market.ts';
import { apiError } from '../../../../http/wire/errors.ts';
import { alertEvent } from '../../../support/alerts.ts';
import { FakeClock } from '../../../support/clock.ts';
import { startServer } from '../../../support/http.ts';
import { priceRow, reading } from '../../../support/makers.ts';
import { silentBus } from '../../../support/queries.ts';
import { redisOf } from '../../../support/redis.ts';
import { contextFor, views } from '../../../support/route-stage.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);

/** Whoever sends a name as the key is that account. */
const byName = (name: string) => ({ account: name, plan: 'small', key: name });
const gate: Gate = {
  known: () => null,
  byLink: () => apiError('unauthorized'),
  byKey: (name) => (name === '' ? apiError('unauthorized') : byName(name)),
  byTicket: async () => apiError('unauthorized'),
  holds: () => true,
  byBearer: async () => apiError('unauthorized'),
};
const plan = { name: 'small', requestsPerMinute: null, keys: null, connections: null, alerts: 3 };

async function stage(t: Test) {
  const redis = await redisOf(t);
  const store = new RuleStore(redis.url, { name: 'rules', clock: systemClock, log: silent });
  t.teardown(() => store.close());
  const events = new AlertLog(async () => {});
  const clock = new FakeClock();
  const reach = {
    allowed: new Set(['hooks.lan']),
    resolve: async (host: string) => (host === 'inside.example.com' ? ['10.0.0.5'] : []),
  };
  const plans = new Plans([plan]);
  const faults = new Map<string, string>();
  const faultOf = (id: string) => faults.get(id) ?? null;
  const context = { store, events, plans, clock, bus: silentBus, reach, faultOf, log: silent };
  const around = { ...contextFor(views), clock };
  const routes = [...marketRoutes(around), ...liquidationRoutes(around), ...alertRoutes(context)];
  const server = await startServer(t, routes, { clock, gate, symbols: views.prices.symbols });
  const ask = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    from: string | { key: string; idempotency: string } = 'alice',
  ) => {
    const { key, idempotency = '' } = typeof from === 'string' ? { key: from } : from;
    const type = body && { 'content-type': 'application/json' };
    const repeat = idempotency !== '' && { 'idempotency-key': idempotency };
    const headers = { 'x-api-key': key, ...type, ...repeat };
    const sent = body === undefined ? null : JSON.stringify(body);
    const answer = await request(`${server.url}/v1/alerts${path}`, { method, headers, body: sent });
    return { ...Object(await answer.body.json()), status: answer.statusCode };
  };
  return { ask, events, clock, store, redis, faults };
}

const usual = {
  name: 'Bitcoin',
  path: '/v1/prices?symbol=BTC',
  pointer: '/average_price',
  condition: { type: 'above', value: 5 },
};

t.test('a request with an Idempotency-Key makes one rule, however often it is sent', async (t) => {
  const { ask } = await stage(t);
  const make = (idempotency: string, body: object = usual, key = 'alice') =>
    ask('POST', '', body, { key, idempotency });
  const made = await Promise.all([make('a'), make('a')]);
  const first = await make('a');
  t.match(first, { status: 200, data: { name: usual.name, secret: null } });
  t.ok(made.some(({ status, data }) => status === 201 && data.id === first.data.id));
  t.match(await make('a', { ...usual, name: 'other' }), { status: 422 });
  t.match(await make('x'.repeat(256)), { status: 400 });
  t.match(await make('a', usual, 'bob'), { status: 201 }, 'of another account');
  t.match(await make('b'), { status: 201 });
  t.match(await ask('GET', ''), { data: { count: 2 } });
});

t.test('rules are made, shown, changed and deleted by their account alone', async (t) => {
  const { ask, clock, faults } = await stage(t);
  const receivers = [
    { type: 'webhook', url: 'https://a.example.com/x?token=1' },
    { type: 'telegram', token: '1:abcdefghijklmnopqrstuvwx', chat_id: -1001234567890 },
  ];
  const made = await ask('POST', '', { ...usual, deliver: receivers, hysteresis: 1 });
  t.match(made, {
    status: 201,
    data: { name: 'Bitcoin', status: 'active', hysteresis: 1, cooldown: 0, secret: /^whsec_/ },
  });
  const well = {
    former_target: null,
    status: 'ok',
    error: null,
    failing_since: null,
    next_attempt: null,
  };
  t.strictSame(made.data.deliver, [
    { type: 'webhook', target: 'a.example.com', ...well },
    { type: 'telegram', target: 'chat -1001234567890', ...well },
  ]);
  t.notMatch(JSON.stringify(made), /token=1|abcdefghij/, 'nothing secret is shown');
  const { id } = made.data;
  await clock.advance(1);
  const again = await ask('POST', '', { ...usual, deliver: receivers });
  t.match(
    again,
    { status: 201, data: { secret: null } },
    'the secret is the account’s, and is shown once',
  );
  t.match(await ask('GET', ''), {
    status: 200,
    data: { count: 2, limit: 3, alerts: [{ id }, {}] },
  });
  faults.set(id, 'no_value');
  t.match(await ask('GET', ''), { data: { alerts: [{ fault: 'no_value' }, { fault: null }] } });
  t.match(await ask('GET', '', undefined, 'bob'), { data: { count: 0 } });
  t.match(await ask('GET', `/${id}`), { data: { id, path: usual.path } });
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { paused: true }],
    ['DELETE', '', undefined],
    ['POST', '/test', undefined],
  ] as const)
    t.match(
      await ask(method, `/${id}${path}`, body, 'bob'),
      { status: 404, code: 'not_found' },
      `${method} of another account`,
    );
  t.match(await ask('PATCH', `/${id}`, { paused: true, name: ' New ' }), {
    status: 200,
    data: { paused: true, status: 'paused', fault: null, name: 'New', revision: 2 },
  });
  t.match(
    await ask('PATCH', `/${id}`, {
      condition: { type: 'change', percent: 2, within: 60 },
      hysteresis: 0,
    }),
    { data: { condition: { type: 'change', direction: 'any' }, deliver: made.data.deliver } },
  );
  t.match(await ask('POST', '', usual), { status: 201 });
  t.match(await ask('POST', '', usual), { status: 403, code: 'forbidden', message: /3 alerts/ });
  t.match(await ask('DELETE', `/${id}`), { status: 200, data: { id, status: 'deleted' } });
  t.match(await ask('GET', `/${id}`), { status: 404 });
  t.match(await ask('GET', '', undefined, ''), { status: 401 });
  t.match(await ask('POST', '/secret'), { status: 201, data: { secret: /^whsec_/ } });
});

t.test(
  'errors name the parameter; a rule watches what a client may follow, with the same error',
  async (t) => {
    const { ask, clock } = await stage(t);
    const cases: [fields: object, status: number, message: RegExp][] = [
      [{ name: '  ' }, 400, /^name /],
      [{ pointer: 'average_price' }, 400, /^pointer /],
      [{ pointer: '' }, 400, /^pointer /],
      [{ path: '/v1/prices?symbol=NOPE' }, 404, /^path: .*NOPE/],
      [{ path: '/v1/prices?symbol=BTC&x=1' }, 400, /^path: there is no parameter "x"/],
      [{ path: '/v1/nothing' }, 404, /^path: /],
      [{ path: '/v1/alerts' }, 400, /^path /],
      [{ path: '/v1/alerts/events' }, 400, /^path /],
      [{ path: '/v1/prices?symbol=BTC&wait=5' }, 400, /^path: max_age and wait/],
      [{ condition: { type: 'over', value: 1 } }, 400, /condition\.type/],
      [{ condition: { type: 'above' } }, 400, /^condition\.value is required/],
      [{ condition: { type: 'above', value: '1' } }, 400, /condition\.value/],
      [{ condition: { type: 'above', value: 1, low: 2 } }, 400, /^condition\.low is not for/],
      [{ condition: { type: 'outside', low: 2, high: 1 } }, 400, /^condition\.high/],
      [{ condition: { type: 'change', percent: 0, within: 60 } }, 400, /^condition\.percent/],
      [{ condition: { type: 'change', percent: 1, within: 100_000 } }, 400, /^condition\.within/],
      [{ condition: { type: 'change', percent: 1, within: 60 }, for: 5 }, 400, /^for /],
      [{ condition: { type: 'stale', after: 0 }, pointer: '' }, 400, /^condition\.after/],
      [{ condition: { type: 'event', above: 1 } }, 400, /^path: mode=log/],
      [{ hysteresis: -1 }, 400, /^hysteresis/],
      [{ condition: { type: 'outside', low: 1, high: 2 }, hysteresis: 0.6 }, 400, /^hysteresis/],
      [{ for: 1.5 }, 400, /for/],
      [{ cooldown: 604_801 }, 400, /^cooldown/],
      [{ expires_at: 5 }, 400, /^expires_at/],
      [{ deliver: [{ type: 'webhook' }] }, 400, /^deliver\[0\]\.url/],
      [{ deliver: [{ type: 'webhook', url: 'x' }] }, 400, /^deliver\[0\]\.url/],
      [
        { deliver: [{ type: 'discord', url: 'https://example.com/api/webhooks/1/a' }] },
        400,
        /^deliver\[0\]\.url/,
      ],
      [{ deliver: [{ type: 'telegram', token: 'x', chat_id: '5' }] }, 400, /^deliver\[0\]\.token/],
      [
        { deliver: [{ type: 'telegram', token: '1:abcdefghijklmnopqrstuvwx', chat_id: 'x' }] },
        400,
        /^deliver\[0\]\.chat_id/,
      ],
      [{ deliver: [{ type: 'fax', url: 'x' }] }, 400, /deliver\[0\]\.type/],
    ];
    for (const [fields, status, message] of cases)
      t.match(
        await ask('POST', '', { ...usual, ...fields }),
        { status, message },
        JSON.stringify(fields),
      );
    t.match(await ask('POST', '', { name: 'x' }), { status: 400, message: /is required/ });
    const event = {
      ...usual,
      path: '/v1/liquidations/orders?symbol=BTC',
      pointer: '/value_usd',
      condition: { type: 'event', above: 1e6 },
    };
    t.match(await ask('POST', '', event), {
      status: 201,
      data: { condition: { type: 'event', above: 1e6, below: null } },
    });
    const all = { ...usual, path: '/v1/prices?symbol=*', expires_at: clock.now() + 1_000 };
    const made = await ask('POST', '', all);
    t.match(made, { status: 201 });
    await clock.advance(1_000);
    t.match(await ask('PATCH', `/${made.data.id}`, { name: 'Later' }), {
      status: 200,
      data: { status: 'expired', name: 'Later' },
    });
  },
);

t.test('a receiver that can never be reached is refused at once', async (t) => {
  const { ask } = await stage(t);
  const cases: [url: string, message: RegExp][] = [
    ['http://hooks.example.com/x', /^deliver\[1\]\.url: it must begin with https/],
    ['https://192.168.7.4/x', /^deliver\[1\]\.url: its address is not on the internet/],
    ['https://[::1]/x', /^deliver\[1\]\.url: its address is not on the internet/],
    ['https://printer.local/x', /^deliver\[1\]\.url: its host is not on the internet/],
    ['https://inside.example.com/x', /^deliver\[1\]\.url: its address is not on the internet/],
    ['https://user:pass@hooks.example.com/x', /^deliver\[1\]\.url: it holds a user/],
  ];
  const good = { type: 'webhook', url: 'https://hooks.example.com/x' };
  for (const [url, message] of cases)
    t.match(
      await ask('POST', '', { ...usual, deliver: [good, { type: 'webhook', url }] }),
      { status: 400, code: 'bad_parameter', message },
      url,
    );
  t.match(await ask('GET', ''), { data: { count: 0 } }, 'nothing was stored');
  const own = { type: 'webhook', url: 'http://hooks.lan/x' };
  const made = await ask('POST', '', { ...usual, deliver: [own] });
  t.match(made, { status: 201 }, 'a host of one’s own network');
  const [[bad, message]] = cases as [[string, RegExp]];
  const change = { deliver: [good, { type: 'webhook', url: bad }] };
  t.match(await ask('PATCH', `/${made.data.id}`, change), { status: 400, message });
});

t.test('a pointer that finds nothing is refused; one that does shows what it gives', async (t) => {
  const { ask, clock } = await stage(t);
  const { prices } = views;
  const row = priceRow({ symbol: 'QQA', market: 'QQAUSD', quote: 'USD', price: 7.25, volume: 3e6 });
  const part = { source: 'okx', part: 'qqa', asked: clock.now(), received: clock.now() };
  prices.accept(reading([row], part), clock.now());
  const path = '/v1/prices?symbol=QQA';
  const cases: [fields: object, message: RegExp][] = [
    [{ path, pointer: '/avg_price' }, /^pointer: .*"\/avg_price".* which has .*average_price/],
    [{ path, pointer: '/exchanges/kraken/price' }, /^pointer: there is no number/],
    [{ path, pointer: '/symbol' }, /^pointer: there is no number/],
    [{ path, pointer: '/exchanges/*/prize' }, /^pointer: there is no number/],
  ];
  for (const [fields, message] of cases)
    t.match(
      await ask('POST', '', { ...usual, ...fields }),
      { status: 400, code: 'bad_parameter', message },
      JSON.stringify(fields),
    );
  const made = await ask('POST', '', { ...usual, path });
  t.match(made, {
    status: 201,
    data: { value: 7.25, values: [{ subject: null, value: 7.25, data_time: clock.now() }] },
  });
  const rows = { ...usual, path, pointer: '/exchanges/*/price' };
  t.match(await ask('POST', '', rows), {
    status: 201,
    data: { value: null, values: [{ subject: 'okx', value: 7.25 }] },
  });
  const { id } = made.data;
  t.match(await ask('PATCH', `/${id}`, { pointer: '/avg_price' }), { status: 400 });
  t.match(
    await ask('PATCH', `/${id}`, { paused: true }),
    { status: 200, data: { value: null, values: [] } },
    'what the rule watches was not looked at',
  );
  t.match(await ask('POST', '', { ...usual, path: '/v1/prices?symbol=*' }), {
    status: 201,
    data: { values: [{ subject: /^[A-Z0-9]+$/ }] },
  });
});

t.test(
  'the owner sees which receivers pause or refuse, and where a group has moved to',
  async (t) => {
    const { ask, clock, store, redis } = await stage(t);
    const token = '1:abcdefghijklmnopqrstuvwx';
    const dead = { type: 'webhook', url: 'https://dead.example.com/x' } as const;
    const refusing = { type: 'telegram', token, chat_id: '-9' } as const;
    const moved = { type: 'telegram', token, chat_id: '-5' } as const;
    const deliver = [dead, refusing, moved, { type: 'webhook', url: 'https://a.example.com/x' }];
    const { id } = (await ask('POST', '', { ...usual, deliver })).data;
    const states = new StateStore(redis.url, { name: 'states', log: silent });
    t.teardown(() => states.close());
    const [rule] = await store.list('alice');
    if (rule === undefined) throw new Error('there is no rule');
    const since = clock.now() - 60_000;
    const until = clock.now() + 300_000;
    await store.test(rule, alertEvent({ id: 'evt_t', kind: 'test', alert_id: id }));
    const waiting = (await Promise.all(upTo(8).map((shard) => states.queue(shard)))).flat();
    const fail = async (of: object, error: string, refused: boolean) => {
      const entry = waiting.find(
        ({ queued }) => receiverKey(queued.receiver) === receiverKey(Object(of)),
      );
      if (entry === undefined) throw new Error('nothing waits');
      await states.attempted(entry, {
        delivery: {
          event_id: 'evt_t',
          alert_id: id,
          account: 'alice',
          receiver: 'webhook',
          target: 'x',
          attempt: 1,
          at: since,
          took_ms: 1,
          outcome: 'failed',
          status: 1,
          error,
        },
        tries: { attempts: 1, next: until },
        receiver: { failures: 7, since, until, error, refused },
      });
    };
    await fail(dead, 'answered 503', false);
    await fail(refusing, 'answered 401: Unauthorized', true);
    await store.moveChat('alice', { from: moved, to: '-1005', now: clock.now() });
    const shown = [
      {
        target: 'dead.example.com',
        status: 'paused',
        error: 'answered 503',
        failing_since: since,
        next_attempt: until,
      },
      { target: 'chat -9', status: 'refused', error: 'answered 401: Unauthorized' },
      { target: 'chat -1005', former_target: 'chat -5', status: 'ok' },
      { target: 'a.example.com', status: 'ok', error: null, next_attempt: null },
    ];
    t.match(await ask('GET', `/${id}`), { data: { deliver: shown, revision: 2 } });
    t.match(await ask('GET', ''), { data: { alerts: [{ deliver: shown }] } });
    t.match(
      await ask('PATCH', `/${id}`, { cooldown: 5 }),
      { data: { deliver: shown } },
      'another change keeps what is known',
    );
    await clock.advance(300_001);
    t.match(await ask('GET', `/${id}`), {
      data: { deliver: [{ status: 'failing', next_attempt: null }, { status: 'refused' }, {}, {}] },
    });
  },
);

t.test('a test, events and dead letters of the account', async (t) => {
  const { ask, events, store } = await stage(t);
  const { id } = (await ask('POST', '', usual)).data;
  t.match(await ask('POST', `/${id}/test`), {
    status: 200,
    data: { kind: 'test', alert_id: id, text: /^TEST Bitcoin/ },
  });
  for (const [i, account] of ['alice', 'bob', 'alice'].entries())
    events.accept(alertEvent({ id: `evt_${i}`, account, alert_id: i === 0 ? 'al_1' : 'al_2' }), {
      id: `${i + 1}-0`,
      seq: i + 1,
    });
  const found = await ask('GET', '/events');
  t.match(found, {
    status: 200,
    data: { count: 2, events: [{ id: 'evt_2' }, { id: 'evt_0', value: 101 }] },
  });
  t.notOk('account' in found.data.events[0]);
  t.match(await ask('GET', '/events?alert_id=al_1'), { data: { events: [{ id: 'evt_0' }] } });
  t.strictSame((await ask('GET', '/dead-letters')).data, { count: 0, letters: [] });
  t.match(await ask('POST', '/dead-letters/1-0/resend'), { status: 404 });
  t.match(await ask('POST', '/dead-letters/x/resend'), { status: 400 });
  store.close();
  t.match(await ask('GET', ''), { status: 503, code: 'store_unavailable' });
});
