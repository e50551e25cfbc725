/** Rules on real servers of Redis whose master is killed. */
import t from 'tap';
import { silent } from '../../../actors/bus/log.ts';
import { systemClock as clock } from '../../../actors/kernel/clock.ts';
import { RuleStore } from '../../../alerts/store/rule-store.ts';
import { alertRule } from '../../support/alerts.ts';
import { startGroup } from '../../support/redis-group.ts';
import { until } from '../../support/until.ts';

const group = await startGroup(t);

t.test('a rule whose deletion was confirmed does not come back with a new master', async (t) => {
  const store = new RuleStore(group.url, { name: 'rules', clock, log: silent });
  t.teardown(() => store.close());
  const rules = Array.from({ length: 3 }, (_, i) => alertRule({ id: `al_${i}` }));
  await until(
    async () => (await store.put(alertRule({ id: 'al_x' })).catch(() => null)) !== null,
    'rules can be stored',
  );
  for (const rule of rules) t.equal(await store.put(rule), 'stored');
  const [first, ...others] = rules;
  if (first === undefined) throw new Error('there is no rule');
  t.equal(await store.delete(first), 'deleted');
  // Nothing that the master takes from now on reaches its replica.
  await group.cutOff();
  for (const rule of others)
    t.equal(await store.delete(rule), 'unconfirmed', 'nobody is told that it is gone');
  const { master } = await group.roles();
  await group.reconnect();
  await master.kill();
  await group.promoted(master);
  const names = async () => (await store.list('alice')).map(({ id }) => id);
  await until(
    () =>
      names().then(
        () => true,
        () => false,
      ),
    'the new master answers',
  );
  t.notOk((await names()).includes(first.id), 'what was confirmed is gone');
  const isDeleted = async () => (await names().catch(() => null))?.join() === 'al_x';
  await until(isDeleted, 'what was not confirmed is carried out again');
});
