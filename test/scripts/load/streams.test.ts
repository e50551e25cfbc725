/** The short form of `npm run chaos:streams`: a web process and the feed are killed while clients of all kinds follow. */
import t from 'tap';
import { accountOf } from '../../../scripts/load/push/account.ts';
import { Follower } from '../../../scripts/load/push/followers.ts';
import { Service } from '../../../scripts/load/push/service.ts';
import { RawClient } from '../../../scripts/load/raw-client.ts';
import { until } from '../../support/until.ts';

const path = '/v1/liquidations/orders';
/** Events between two strikes. */
const burst = 60;

t.test('each client ends with the newest version, or with each event once', async (t) => {
  const service = new Service();
  t.teardown(() => service.end());
  await service.begin();
  const { ports, upstream } = service;
  const plans = [
    { path, mode: 'log' },
    { path, mode: 'log' },
    { path, mode: 'log', isSlow: true },
    { path, mode: 'full' },
    { path, mode: 'patch' },
    { path: `${path}?symbol=BTC`, mode: 'patch', isSlow: true },
  ] as const;
  const followers = plans.map((plan) => new Follower({ ports, ...plan }));
  t.teardown(() => {
    for (const one of followers) one.end();
  });
  await until(() => followers.every(({ isConnected }) => isConnected), 'all are connected');
  const send = async () => {
    await until(() => upstream.listeners > 0, 'the feed listens');
    for (let count = 0; count < burst; count++) upstream.send();
  };
  let account = { faults: ['not asked'], logged: 0 };
  /** Whether all clients have the events of so many bursts. */
  const hold = async (bursts: number) => {
    account = await accountOf(service, followers);
    return account.logged === bursts * burst && account.faults.length === 0;
  };

  await send();
  await until(() => hold(1), 'all have the first events', 60_000, 500).catch(() => {});
  const dead = await RawClient.open(ports[0] ?? 0);
  dead.say({ op: 'subscribe', id: 1, path });
  dead.pause();
  t.teardown(() => dead.close());
  const slow = followers.filter(({ plan }) => plan.isSlow).map((one) => one.stall(1_000));
  const [first] = followers;
  const killed = service.replace(first?.port === ports[0] ? 'web-1' : 'web-2', 0);
  await send();
  await killed;
  await until(() => hold(2), 'all have the next events', 60_000, 500).catch(() => {});
  await service.replace('feed', 0);
  await until(() => upstream.listeners === 0, 'the feed is gone');
  await send();
  await Promise.all(slow);
  await until(() => hold(3), 'all have all events', 60_000, 500).catch(() => {});
  t.strictSame(account, { faults: [], logged: 3 * burst });
  t.ok((first?.connections ?? 0) > 1, 'its process was killed');
});
