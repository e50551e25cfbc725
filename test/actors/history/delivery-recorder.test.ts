import t from 'tap';
import { silent } from '../../../actors/bus/log.ts';
import { deliveryAnswers, recordDeliveries } from '../../../actors/history/delivery-recorder.ts';
import { deliveries } from '../../../actors/history/logs.ts';
import { SqliteStore } from '../../../actors/history/sqlite.ts';
import { StoreError } from '../../../actors/history/store.ts';
import { systemClock as clock } from '../../../actors/kernel/clock.ts';
import type { AlertDelivery } from '../../../actors/topics/index.ts';
import { busStage } from '../../support/bus-stage.ts';
import { until } from '../../support/until.ts';

t.test('the log of deliveries is stored from where the last process was', async (t) => {
  const { bus } = await busStage(t);
  const store = new SqliteStore(':memory:', []);
  t.teardown(() => store.close());
  const publish = (attempt: number) => {
    const delivery: AlertDelivery = {
      ...{ event_id: 'evt_1', alert_id: 'al_1', account: 'alice', target: 'a.example.com' },
      ...{ receiver: 'webhook', attempt, at: clock.now() - 1_000 + attempt, took_ms: 7 },
      ...{ outcome: 'failed', status: 503, error: 'answered 503' },
    };
    return bus.publish('alertDeliveries', 'x', delivery);
  };
  const stored = async () =>
    (await store.log(deliveries, { from: 0, to: clock.now(), owner: 'al_1', limit: 10 })).map(
      ({ attempt }) => attempt,
    );
  const record = () => recordDeliveries({ bus, store, clock, log: silent });
  await publish(1);
  await publish(2);
  const first = record();
  await until(async () => (await stored()).length === 2, 'both are stored');
  await first.stop();
  await publish(3);
  const second = record();
  await until(async () => (await stored()).length === 3, 'the third one too');
  await second.stop();
  t.strictSame(await stored(), [3, 2, 1]);
  t.match(await store.position('log:alert-deliveries'), /^3 \d+-\d+$/);
  const { alertDeliveries } = deliveryAnswers(store, clock);
  t.match(await alertDeliveries({ alert_id: 'al_1', limit: 1 }), {
    ok: true,
    value: { value: [{ attempt: 3 }] },
  });
  const away = async () => {
    throw new StoreError('away', 'it is away');
  };
  const failing = deliveryAnswers({ log: away }, clock);
  t.match(await failing.alertDeliveries({ alert_id: 'al_1', limit: 1 }), {
    ok: false,
    failure: { code: 'unavailable' },
  });
});
