/**
 * A process with quotas of its own, for tests: `node quota-process.ts '{url, limit, callers, length}'`. It says when
 * it is ready. From the first message on, its callers share one key of one account and ask on, also when refused,
 * until the second and 20 times more; it then sends when each request was admitted, Unix milliseconds, how many waited
 * for Redis and how often Redis was away.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createQuota } from '../../http/quota/quota.ts';
import { createQuotaStore } from '../../http/quota/store.ts';

const { url, limit, callers, length } = JSON.parse(process.argv[2] ?? '{}');
const store = createQuotaStore({ url, name: 'quota-test', length });
let outages = 0;
const log = { info: () => {}, warn: () => void outages++, error: () => {} };
const quota = createQuota({ store, log, limitOf: () => limit });
const admitted: number[] = [];
let [running, waited] = [true, 0];

async function call(): Promise<void> {
  for (let left = 20; running || left > 0; left -= running ? 0 : 1) {
    const taken = quota.account({ account: 'alice', plan: 'free', key: 'k1' }).take('k1');
    if (taken instanceof Promise) waited += 1;
    if (await taken) admitted.push(Date.now());
    await sleep(5);
  }
}

process.on('disconnect', () => process.exit(0));
process.once('message', () => {
  const calls = Array.from({ length: callers }, call);
  process.once('message', async () => {
    running = false;
    await Promise.all(calls);
    await quota.close();
    store.close();
    process.send?.({ admitted, waited, outages }, () => process.disconnect());
  });
});
await store.usage('nobody');
process.send?.('ready');
