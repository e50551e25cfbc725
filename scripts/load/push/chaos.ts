/**
 * `npm run chaos:streams -- --minutes 5`: web processes, the feed and Redis are killed (SIGKILL) or restarted, the upstream
 * stalls, clients read slowly or not at all, while events come. At the end each client must hold the newest version, and each
 * client of the log every event of it once. Ends with 1 where that is not so.
 */
import { setTimeout as rest } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { whole } from '../arguments.ts';
import { RawClient } from '../raw-client.ts';
import { accountOf } from './account.ts';
import { Follower } from './followers.ts';
import { roles, Service } from './service.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    /** Mean time between two strikes, seconds. */
    every: { type: 'string', default: '6' },
  },
});
const length = whole('minutes', values.minutes, [1, 1_440]) * 60_000;
const every = whole('every', values.every, [1, 600]) * 1_000;
/** Milliseconds: between two bursts of events, and for how long nothing happens at the end. */
const pauses = { burst: 100, calm: 30_000 } as const;
const orders = '/v1/liquidations/orders';
const btc = `${orders}?symbol=BTC`;

const service = new Service();
await service.begin();
const { ports, upstream } = service;
const log = (isSlow: boolean) => new Follower({ ports, path: orders, mode: 'log', isSlow });
const answer = (path: string, mode: 'full' | 'patch', isSlow: boolean) =>
  new Follower({ ports, path, mode, isSlow });
const logs = Array.from({ length: 8 }, (_, i) => log(i < 3));
const answers = Array.from({ length: 12 }, (_, i) =>
  answer(i % 3 === 0 ? btc : orders, i % 2 === 0 ? 'full' : 'patch', i < 4),
);
const followers = [...logs, ...answers];
while (!followers.every(({ isConnected }) => isConnected)) await rest(50);

const begun = Date.now();
let isCalm = false;
const strikes: Record<string, number> = {};

async function sendEvents(): Promise<void> {
  for (let quiet = 0; !isCalm; ) {
    // Now and then the upstream says nothing.
    if (quiet === 0 && Math.random() < 0.005) quiet = 50;
    if (quiet > 0) quiet -= 1;
    else for (let n = Math.floor(Math.random() * 20); n > 0; n--) upstream.send();
    await rest(pauses.burst);
  }
}

async function connectDead(): Promise<void> {
  const dead = await RawClient.open(ports[0] ?? 0).catch(() => null);
  dead?.say({ op: 'subscribe', id: 1, path: orders });
  dead?.pause();
}

const others: Readonly<Record<string, () => unknown>> = {
  slow: () => {
    for (const one of followers) if (one.plan.isSlow) void one.stall(1_000 + Math.random() * 8_000);
  },
  upstream: () => upstream.disconnect(),
  'web-1 restarted': () => service.restart('web-1'),
  dead: connectDead,
};

async function strike(): Promise<void> {
  const kinds = [...roles.map((role) => () => service.replace(role, Math.random() * 2_000))];
  const names = [...roles, ...Object.keys(others)];
  const at = Math.floor(Math.random() * names.length);
  const name = names[at] ?? 'slow';
  strikes[name] = (strikes[name] ?? 0) + 1;
  await (kinds[at] ?? others[name])?.();
}

const sending = sendEvents();
while (Date.now() - begun < length) {
  await rest(every * (0.5 + Math.random()));
  await strike();
}
isCalm = true;
await sending;
await rest(pauses.calm);

const { faults, logged } = await accountOf(service, followers);

for (const one of followers) one.end();
await service.end();
const connections = followers.reduce((sum, one) => sum + one.connections, 0);
const sent = upstream.sent.length - 1;
console.log(JSON.stringify({ strikes, sent, logged, connections }));
for (const fault of faults) console.log(fault);
console.log(faults.length === 0 ? 'nothing missing, nothing twice' : `${faults.length} faults`);
process.exit(faults.length === 0 ? 0 : 1);
