import t from 'tap';
import { readEntries } from '../../../actors/bus/codec.ts';
import { silent } from '../../../actors/bus/log.ts';
import { systemClock as clock } from '../../../actors/kernel/clock.ts';
import type { AlertDelivery, AlertRule } from '../../../actors/topics/index.ts';
import { armed } from '../../../alerts/rules/condition.ts';
import { shardOf } from '../../../alerts/rules/shards.ts';
import { newSecret } from '../../../alerts/rules/signature.ts';
import { deadOf, queueOf } from '../../../alerts/store/keys.ts';
import { receiverKey } from '../../../alerts/store/queued.ts';
import { RuleStore } from '../../../alerts/store/rule-store.ts';
import { StateStore, type Stored, unstored } from '../../../alerts/store/state-store.ts';
import { alertEvent, alertRule } from '../../support/alerts.ts';
import { redisStage } from '../../support/bus-stage.ts';
import { now } from '../../support/makers.ts';
import { until } from '../../support/until.ts';

t.test('rules, states, queues and dead letters', async (t) => {
  const { server, raw, join } = await redisStage(t);
  const store = new RuleStore(server.url, { name: 'rules', clock, log: silent });
  const states = new StateStore(server.url, { name: 'states', log: silent });
  t.teardown(() => {
    store.close();
    states.close();
  });
  await raw.hset('auth:keys:alice', 'k', 'd');
  const deliver = [{ type: 'webhook', url: 'https://a.example.com/x' }] as const;
  const rule = alertRule({ deliver });

  await t.test('of two writers one comes first; a plan allows so many', async (t) => {
    t.equal(await store.put(rule, { most: 1 }), 'stored');
    t.equal(await store.put(rule), 'changed', 'it is there already');
    t.equal(await store.put(alertRule({ id: 'al_2' }), { most: 1 }), 'full');
    const next = { ...rule, revision: 2, name: 'Next' };
    const both = await Promise.all([store.put(next), store.put({ ...next, name: 'Other' })]);
    t.strictSame(both.sort(), ['changed', 'stored']);
    t.match(await store.list('alice'), [{ id: 'al_1', revision: 2, name: 'Next' }]);
    t.equal(await store.find('bob', 'al_1'), null, 'somebody else’s');
  });

  await t.test(
    'each change is announced, and a follower that begins later has what there is',
    async (t) => {
      const seen: unknown[] = [];
      const follower = join().follow({
        alertRules: (id, { rule: one }) => void seen.push([id, one?.name ?? null]),
      });
      await follower.ready;
      t.strictSame(seen, [['al_1', 'Next']]);
      const ofBob = alertRule({ id: 'al_9', account: 'bob' });
      await store.put(ofBob);
      t.equal(await store.delete({ ...ofBob, account: 'alice' }), 'gone');
      t.equal(await store.delete(ofBob), 'deleted');

      await until(() => seen.length === 3, 'both changes');
      t.strictSame(seen.slice(1), [
        ['al_9', 'Bitcoin'],
        ['al_9', null],
      ]);
      t.strictSame(await store.list('bob'), []);
    },
  );

  await t.test(
    'an event is written with its state, once, and what is to be delivered with it',
    async (t) => {
      const current = { ...rule, revision: 2 };
      const after = { ...armed, seq: 1, phase: 'fired', fired_at: now } as const;
      const fire = {
        rule: current,
        subject: '',
        before: unstored,
        after,
        event: alertEvent(),
        isDelivered: true,
      };
      const first = await states.store(fire);
      t.match(first, { outcome: 'stored', now: { state: { seq: 1, phase: 'fired' } } });
      t.match(
        await states.store(fire),
        { outcome: 'stored' },
        'the answer was lost, and it is asked again',
      );
      t.match(
        await states.store({ ...fire, after: { ...after, fired_at: now + 1 } }),
        { outcome: 'other', now: { state: { fired_at: now } } },
        'another process came first',
      );
      t.equal(await raw.xlen('feed:alertEvents'), 1);
      t.match(await states.queue(shardOf('al_1')), [
        { queued: { event: { id: 'evt_1' }, receiver: deliver[0] } },
      ]);
      t.match([...(await states.states('al_1'))], [['', { state: { seq: 1 } }]]);
      t.match(await states.store({ ...fire, rule: { ...current, revision: 3 } }), {
        outcome: 'gone',
      });
      await raw.del('auth:keys:alice');
      const resolved = { ...after, seq: 2, phase: 'armed' } as const;
      if (!('now' in first)) throw new Error('not stored');
      const next = { ...fire, before: first.now, after: resolved };
      t.match(await states.store(next), { outcome: 'revoked' });
      await raw.hset('auth:keys:alice', 'k', 'd');
      t.match(await states.store({ ...next, isDelivered: false }), { outcome: 'stored' });
      t.equal(
        (await states.queue(shardOf('al_1'))).length,
        1,
        'nothing of an event that is not delivered',
      );
      t.equal(await store.put({ ...current, revision: 3 }, { isReset: true }), 'stored');
      t.equal(
        (await states.states('al_1')).size,
        0,
        'a rule that watches something else begins anew',
      );
    },
  );

  await t.test('attempts, dead letters, and sending them again', async (t) => {
    const shard = shardOf('al_1');
    const [entry] = await states.queue(shard);
    if (!entry) throw new Error('nothing waits');
    const delivery: AlertDelivery = {
      event_id: 'evt_1',
      alert_id: 'al_1',
      account: 'alice',
      target: 'a.example.com',
      receiver: 'webhook',
      attempt: 1,
      at: now,
      took_ms: 3,
      status: 503,
      error: 'answered 503',
      outcome: 'failed',
    };
    const receiver = {
      failures: 1,
      since: now,
      until: now + 5,
      error: 'answered 503',
      refused: false,
    };
    await states.attempted(entry, { delivery, tries: { attempts: 1, next: now + 5 }, receiver });
    t.strictSame([...(await states.tries(shard))], [[entry.id, { attempts: 1, next: now + 5 }]]);
    await states.attempted(entry, {
      delivery: { ...delivery, attempt: 2, outcome: 'dead' },
      tries: { attempts: 2, next: 0 },
      receiver,
    });
    t.strictSame([await states.queue(shard), (await states.tries(shard)).size], [[], 0]);
    const [letter] = await store.deadLetters('alice');
    t.match(letter, { attempts: 2, error: 'answered 503', queued: { event: { id: 'evt_1' } } });
    await states.attempted(entry, { delivery, tries: { attempts: 3, next: 0 }, receiver });
    t.equal(
      await raw.xlen('feed:alertDeliveries'),
      2,
      'an entry that is gone has no more outcomes',
    );
    t.equal(await store.resend('bob', letter?.id ?? ''), false);
    t.equal(await store.resend('alice', letter?.id ?? ''), true);
    t.equal(await store.resend('alice', letter?.id ?? ''), false, 'once');
    t.match(await states.queue(shard), [{ queued: { event: { id: 'evt_1' }, resent: 1 } }]);
    t.equal(readEntries(await raw.xrangeBuffer(deadOf('alice'), '-', '+')).length, 0);
    await store.test(rule, alertEvent({ id: 'evt_test', kind: 'test' }));
    t.equal(await raw.xlen(queueOf(shard)), 2);
  });

  /** Fires so many events of a rule, one after the other in its states. */
  async function fireMany(of: AlertRule, count: number): Promise<Stored['outcome'][]> {
    const outcomes: Stored['outcome'][] = [];
    for (let i = 0; i < count; i += 250)
      outcomes.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(250, count - i) }, async (_, n) => {
            const nth = `${i + n}`;
            const after = { ...armed, seq: 1, phase: 'fired', fired_at: now } as const;
            const event = alertEvent({
              id: `evt_${of.id}_${nth}`,
              alert_id: of.id,
              account: of.account,
            });
            const fired = {
              rule: of,
              subject: nth,
              before: unstored,
              after,
              event,
              isDelivered: true,
            };
            return (await states.store(fired)).outcome;
          }),
        )),
      );
    return outcomes;
  }
  const loggedBy = async (account: string) =>
    (await raw.xrangeBuffer('feed:alertEvents', '-', '+')).filter(([, fields]) =>
      fields[5]?.includes(account),
    ).length;
  const waitingAll = async () => {
    const queues = Array.from({ length: 8 }, (_, shard) => states.queue(shard));
    return (await Promise.all(queues)).flat();
  };

  await t.test('the flood of an account takes nothing of another', async (t) => {
    await raw.flushall();
    await raw.hset('auth:keys:alice', 'k', 'd');
    await raw.hset('auth:keys:mallory', 'k', 'd');
    const five = Array.from({ length: 5 }, (_, i) => `https://dead${i}.example.com/x`);
    const flood = alertRule({
      id: 'al_flood',
      account: 'mallory',
      deliver: five.map((url) => ({ type: 'webhook', url })),
    });
    await store.put(rule);
    await store.put(flood);
    t.strictSame(await fireMany(rule, 3), ['stored', 'stored', 'stored']);
    const outcomes = await fireMany(flood, 4_000);
    const stored = outcomes.filter((one) => one === 'stored').length;
    t.ok(stored >= 2_000 && stored < 3_500, `${stored} at once, the others later`);
    t.equal(outcomes.filter((one) => one === 'later').length, 4_000 - stored);
    t.strictSame(await fireMany(alertRule({ ...rule, id: 'al_1' }), 3), [
      'stored',
      'stored',
      'stored',
    ]);
    t.equal(await loggedBy('alice'), 3, 'the events of the other account are there');
    t.equal(await loggedBy('mallory'), 1_000, 'the newest of its own');
    const waiting = await waitingAll();
    const of = (account: string) =>
      waiting.filter(({ queued }) => queued.event.account === account).length;
    t.strictSame([of('alice'), of('mallory')], [3, 5_000]);
    t.equal((await store.deadLetters('mallory')).length, 1_000);
    t.match(await store.deadLetters('mallory'), [{ error: 'too many deliveries wait' }]);
    t.strictSame(await store.deadLetters('alice'), []);
    const memory = Number(await raw.memory('USAGE', queueOf(shardOf('al_flood')), 'SAMPLES', 0));
    t.ok(memory < 8 * 2 ** 20, `${memory} bytes wait`);

    t.equal(await store.delete(flood), 'deleted');
    const left = await waitingAll();
    t.ok(
      left.every(({ queued }) => queued.event.account === 'alice'),
      'the queue of a rule ends with it',
    );
    t.equal(left.length, 3);
    t.equal(await raw.exists('alerts:waiting:mallory'), 0);
  });

  await t.test(
    'a receiver that fails is known until it takes a delivery, or its rule ends',
    async (t) => {
      await raw.flushall();
      await raw.hset('auth:keys:alice', 'k', 'd');
      await store.put(rule);
      await fireMany(rule, 2);
      const [first, second] = await waitingAll();
      if (!first || !second) throw new Error('nothing waits');
      const delivery: AlertDelivery = {
        event_id: 'evt_1',
        alert_id: 'al_1',
        account: 'alice',
        target: 'a.example.com',
        receiver: 'webhook',
        attempt: 1,
        at: now,
        took_ms: 3,
        status: 401,
        error: 'answered 401',
        outcome: 'dead',
      };
      const receiver = {
        failures: 4,
        since: now,
        until: now + 60_000,
        error: 'answered 401',
        refused: true,
      };
      const tries = { attempts: 1, next: now };
      await states.attempted(first, { delivery, tries, receiver });
      const key = receiverKey(rule.deliver[0] ?? { type: 'webhook', url: '' });
      t.strictSame([...(await store.receivers('alice'))], [[key, receiver]]);
      t.strictSame([...(await states.receivers('alice'))], [[key, receiver]]);
      await states.attempted(second, {
        delivery: { ...delivery, outcome: 'delivered' },
        tries,
        receiver: null,
      });
      t.equal((await store.receivers('alice')).size, 0);
      await fireMany(alertRule({ ...rule, id: 'al_1' }), 2);
      await raw.hset('alerts:receivers:alice', key, JSON.stringify(receiver));
      t.equal(await store.delete(rule), 'deleted');
      t.equal((await store.receivers('alice')).size, 0);
    },
  );

  await t.test(
    'a group of Telegram that has become another chat: its rules send there',
    async (t) => {
      await raw.flushall();
      const chat = {
        type: 'telegram',
        token: '1:abcdefghijklmnopqrstuvwx',
        chat_id: '-42',
      } as const;
      const other = { ...chat, chat_id: '-43' };
      const hook = { type: 'webhook', url: 'https://a.example.com/x' } as const;
      await store.put(alertRule({ id: 'al_1', deliver: [hook, chat] }));
      await store.put(alertRule({ id: 'al_2', deliver: [chat] }));
      await store.put(alertRule({ id: 'al_3', deliver: [other] }));
      await store.moveChat('alice', { from: chat, to: '-1001234', now: now + 7 });
      const moved = { ...chat, chat_id: '-1001234', former_chat_id: '-42' };
      t.match(
        (await store.list('alice')).map(({ deliver, revision }) => [deliver, revision]),
        [
          [[hook, moved], 2],
          [[moved], 2],
          [[other], 1],
        ],
      );
    },
  );

  await t.test('a former secret signs for another day', async (t) => {
    const [one, two] = [newSecret(), newSecret()];
    t.equal(await store.setSecret('alice', one, { now, isFirst: true }), true);
    t.equal(await store.setSecret('alice', two, { now, isFirst: true }), false, 'there is one');
    t.strictSame(await states.secrets('alice', now), [one]);
    await store.setSecret('alice', two, { now, isFirst: false });
    t.strictSame(await states.secrets('alice', now + 86_399_999), [two, one]);
    t.strictSame(await states.secrets('alice', now + 86_400_000), [two]);
    t.strictSame(await states.secrets('bob', now), []);
  });
});
