/** The process that evaluates and delivers, for real: Redis, prices on the bus, a receiver on loopback, and SIGKILL. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import t, { type Test } from 'tap';
import { createBus } from '../../../actors/bus/bus.ts';
import { silent } from '../../../actors/bus/log.ts';
import { systemClock as clock } from '../../../actors/kernel/clock.ts';
import type { AlertRule } from '../../../actors/topics/index.ts';
import { newSecret } from '../../../alerts/rules/signature.ts';
import { RuleStore } from '../../../alerts/store/rule-store.ts';
import { issueKey } from '../../../http/auth/issue.ts';
import { alertRule, startReceiver } from '../../support/alerts.ts';
import { outputOf } from '../../support/command.ts';
import { liquidation, liquidations, priceRow, reading } from '../../support/makers.ts';
import { redisOf } from '../../support/redis.ts';
import { until } from '../../support/until.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const account = 'alice';

async function stage(t: Test) {
  const server = await redisOf(t);
  await issueKey({ redisUrl: server.url, account, plan: 'pro', name: 'test', log: silent });
  const receiver = await startReceiver(t);
  const bus = createBus({ url: server.url, process: 'feed' });
  t.teardown(() => bus.close());
  const store = new RuleStore(server.url, { name: 'rules', clock, log: silent });
  t.teardown(() => store.close());
  const secret = newSecret();
  await store.setSecret(account, secret, { now: clock.now(), isFirst: true });
  const children = new Set<ChildProcess>();
  t.teardown(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  const start = (): ChildProcess => {
    const env = {
      REDIS_URL: server.url,
      ALERT_HOSTS_ALLOWED: receiver.host,
      LOG_LEVEL: 'warn',
      SOURCES: 'binance',
      UPSTREAM_GATEWAY: `http://${receiver.host}`,
    };
    const child = spawn(process.execPath, ['cmd/alerts.ts'], {
      cwd: root,
      env: { ...process.env, ...env },
    });
    const said = outputOf(child);
    child.once('close', () => {
      children.delete(child);
      if (said.err !== '') t.comment(said.err);
    });
    children.add(child);
    return child;
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    child.kill('SIGKILL');
    await once(child, 'close');
  };
  const price = async (value: number, symbol = 'BTC'): Promise<void> => {
    const row = priceRow({ symbol, market: `${symbol}USDT`, price: value, volume: 1e6 });
    const received = Date.now();
    await bus.publish(
      'prices',
      'binance/spot',
      reading([row], { source: 'binance', part: 'spot', asked: received, received }),
    );
  };
  const put = async (over: Partial<AlertRule>): Promise<AlertRule> => {
    const times = { created_at: Date.now(), updated_at: Date.now() };
    const deliver = [{ type: 'webhook', url: receiver.url }] as const;
    const rule = alertRule({ account, deliver, ...times, ...over });
    t.equal(await store.put(rule), 'stored');
    return rule;
  };
  const kinds = () => receiver.got.map(({ body }) => JSON.parse(body));
  return { server, receiver, bus, store, secret, start, kill, price, put, kinds };
}

t.test(
  'a rule fires once over kills, and what was reached meanwhile with the time of its data',
  async (t) => {
    const { receiver, store, secret, bus, start, kill, price, put, kinds } = await stage(t);
    await price(99);
    const rule = await put({ resolved: true });
    let child = start();
    // The receiver fails until the process has been killed between the firing and its delivery.
    receiver.answer = () => ({ status: 503 });
    await price(99.5);
    await until(
      async () => {
        await price(101);
        return receiver.got.length > 0;
      },
      'the first attempt',
      60_000,
      300,
    );
    await kill(child);
    receiver.answer = () => ({ status: 204 });
    const before = receiver.got.length;
    child = start();
    await until(() => receiver.got.length > before, 'the delivery after the kill');
    const ids = new Set(receiver.got.map(({ headers }) => headers['webhook-id']));
    t.equal(ids.size, 1, 'each attempt is marked as the same event');
    const [first] = receiver.got;
    const verified = new Webhook(secret).verify(first?.body ?? '', { ...first?.headers } as Record<
      string,
      string
    >);
    t.match(verified, {
      type: 'alert.fired',
      data: { alert_id: rule.id, value: 101, condition: { type: 'above', value: 100 } },
    });
    t.notOk('account' in Object(kinds()[0].data));

    // What happens while nobody looks: the price comes back, and events of a log reach the level of another rule.
    await put({
      id: 'al_2',
      path: '/v1/liquidations/orders?symbol=BTC',
      pointer: '/value_usd',
      condition: { type: 'event', above: 1_000, below: null },
    });
    await kill(child);
    const gone = Date.now();
    await price(98);
    const events = [500, 2_000, 3_000].map((value_usd, i) =>
      liquidation({ id: `${i}`, value_usd, timestamp: gone + i }),
    );
    await bus.publish(
      'liquidations',
      'binance/linear',
      liquidations({ source: 'binance', part: 'linear', at: gone, since: gone, events }),
    );
    child = start();
    const ofEvents = () =>
      kinds()
        .filter(({ data }) => data.alert_id === 'al_2')
        .map(({ data }) => data.value);
    await until(
      () => ofEvents().length >= 2 && kinds().some(({ type }) => type === 'alert.resolved'),
      'both events, and the end of the condition',
    );
    const resolved = kinds().find(({ type }) => type === 'alert.resolved').data;
    t.ok(
      resolved.data_time >= gone && resolved.data_time <= resolved.fired_at,
      'with the time of the data',
    );
    t.strictSame(ofEvents(), [2_000, 3_000], 'in their order, those above the level alone');
    const fired = () =>
      new Set(
        kinds()
          .filter(({ type, data }) => type === 'alert.fired' && data.alert_id === rule.id)
          .map(({ data }) => data.id),
      ).size;
    t.equal(fired(), 1, 'it has not fired again');

    await store.delete(rule);
    await price(150);
    const tested = {
      ...alertRule({
        account,
        deliver: [{ type: 'telegram', token: '1:abcdefghijklmnopqrstuvwx', chat_id: '5' }],
      }),
    };
    await store.test(tested, { ...kinds()[0].data, id: 'evt_test', account, kind: 'test' });
    await until(
      () => receiver.got.some(({ url }) => url.includes('/api.telegram.org/')),
      'a test, through the gateway',
    );
    t.equal(fired(), 1, 'a deleted rule does not fire');
    child.kill('SIGTERM');
    const [code] = await once(child, 'close');
    t.equal(code, 0);
  },
);
