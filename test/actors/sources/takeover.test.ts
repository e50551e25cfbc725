/** A process that serves a source dies by SIGKILL: the next one answers what it left, within the deadline of a client. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { aliveKey, leaseKey } from '../../../actors/bus/keys.ts';
import { deadlineOf } from '../../../actors/topics/index.ts';
import { busStage } from '../../support/bus-stage.ts';

t.test('the pending query of a dead process is answered within its deadline', async (t) => {
  const { server, bus, raw } = await busStage(t, { process: 'web' });
  const serve = (id: string, answers: boolean) => {
    const options = JSON.stringify({ redis: server.url, id, answers });
    const url = new URL('../../support/serving-process.ts', import.meta.url);
    const child = fork(url, [options], { execArgv: [] });
    t.teardown(() => child.kill('SIGKILL'));
    return child;
  };
  const said = (child: ReturnType<typeof serve>) => once(child, 'message').then(([word]) => word);

  const victim = serve('victim', false);
  t.equal(await said(victim), 'serving');
  const heir = serve('heir', true);
  const query = { source: 'okx', name: 'orderBook', params: { market: 'm', depth: 5 } } as const;
  const reply = bus.query(query);
  t.equal(await said(victim), 'asked');
  const next = said(heir);
  const ended = once(victim, 'exit');
  victim.kill('SIGKILL');
  await ended;
  const left = await raw.pttl(leaseKey('okx'));
  t.ok(left > 0 && left + 3_000 < deadlineOf('orderBook'), 'a client waits longer than the lease');
  // As if that time had passed, for the lease and for the sign of life.
  for (const key of [leaseKey('okx'), aliveKey('victim')]) await raw.pexpire(key, 1);
  t.match(await reply, { ok: true, value: { value: { market: 'm' } } });
  t.equal(await next, 'serving', 'by the process that has the lease now');
});
