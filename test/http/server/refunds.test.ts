/** What a request that is not served gives back, and to which window. */
import t from 'tap';
import { readPlans } from '../../../config/plans.ts';
import { Admission } from '../../../http/server/admission.ts';
import { apiError } from '../../../http/wire/errors.ts';
import { FakeClock } from '../../support/clock.ts';
import { call, echo, later, ready, startServer } from '../../support/http.ts';
import { alice, gateOf, memoryQuota, quotaStage } from '../../support/quota.ts';
import { until } from '../../support/until.ts';

t.test('further requests that are refused are given back to the window of each', async (t) => {
  const { bucket, clock, store, request } = quotaStage();
  t.equal(await request(10), 10);
  await clock.advance(58_000);
  t.equal(await request(1), 1, 'the first of a block, whose others are taken in this window');
  await clock.advance(1_000);
  store.state = 'slow';
  const { epoch } = bucket();
  const more = new Admission(null, alice, bucket()).more(200);
  for (let i = 0; i < 80; i++) await clock.advance(500);
  t.match(await more, { error: 'too_many_requests' });
  t.ok(bucket().epoch > epoch, 'it was refused in the next window');
  store.state = 'up';
  await clock.advance(500);
  t.equal(await request(200), 60, 'which has its whole limit again, and not that of the former');
});

t.test('a refused request gives back what it took of a budget of its own', async (t) => {
  const clock = new FakeClock();
  const { quota } = memoryQuota(clock);
  const dex = quota.budget('dex', alice);
  for (let i = 0; i < 100; i++) {
    t.equal(await dex.take('k1'), true);
    const admission = new Admission(null, alice, 'lines').withShare(dex);
    admission.refused(apiError('too_many_requests', 'too many wait'));
  }
  for (let i = 0; i < 30; i++) t.equal(await dex.take('k1'), true);
  t.equal(await dex.take('k1'), false, 'the thirty are there, and not one more');
});

t.test('requests beyond the connections of a plan cost neither plan nor budget', async (t) => {
  const clock = new FakeClock();
  const plans = readPlans('{"free":{"requests_per_minute":60,"keys":5,"connections":1}}');
  const { quota } = memoryQuota(clock, plans);
  const gate = gateOf({ good: alice });
  const waiting = Promise.withResolvers<void>();
  let asked = 0;
  const wait = later(async () => {
    asked += 1;
    await waiting.promise;
    return ready('"found"');
  });
  const rows = [echo({ path: '/dex', access: 'key', budget: 'dex', from: wait })];
  const server = await startServer(t, rows, { clock, gate, quota });
  const get = () => call(`${server.url}/dex`, { headers: { 'x-api-key': 'good' } });
  const first = get();
  await until(() => asked === 1, 'the first waits');
  for (let i = 0; i < 70; i++) t.match(await get(), { status: 429 });
  waiting.resolve();
  t.match(await first, { status: 200 });
  for (let i = 0; i < 29; i++) t.match(await get(), { status: 200 });
  t.match(await get(), { status: 429, text: /the 30 DEX searches a minute/ });
});
