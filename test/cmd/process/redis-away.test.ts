/** A real web process whose servers of Redis are away, one at a time. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { createBus } from '../../../actors/bus/bus.ts';
import { generateKey } from '../../../http/auth/api-key.ts';
import { issueKey } from '../../../http/auth/issue.ts';
import { outputOf } from '../../support/command.ts';
import { priceRow } from '../../support/makers.ts';
import { ownPort } from '../../support/ports.ts';
import { redisRoles } from '../../support/redis-roles.ts';
import { until } from '../../support/until.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const command = fileURLToPath(new URL('../../../cmd/process/web.ts', import.meta.url));
const silent = { info: () => {}, warn: () => {}, error: () => {} };

t.test('a web process goes on while one of them is away, and /healthz names it', async (t) => {
  const { keys, bus, read, settings } = await redisRoles(t);
  const key = await issueKey({
    redisUrl: keys.url,
    account: 'a',
    plan: 'pro',
    name: 'k',
    log: silent,
  });
  const publisher = createBus({ url: bus.url, process: 'test', random: () => 0.01 });
  t.teardown(() => publisher.close());
  const publish = (price: number) => {
    const now = Date.now();
    const rows = [priceRow({ price, volume: 1e6, stated: now })];
    const reading = { source: 'binance', part: 'spot', asked: now, received: now, rows };
    return publisher.publish('prices', 'binance/spot', reading);
  };
  await until(async () => (await publish(50_000)) === 'published', 'the price is published');
  const child = spawn(process.execPath, [command], {
    cwd: root,
    env: {
      ...process.env,
      ...settings,
      PORT: String(ownPort),
      HOST: '127.0.0.1',
      SOURCES: 'binance',
      WEB_CONCURRENCY: '1',
      LOG_LEVEL: 'info',
      AUTH_JWKS_URL: '',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const said = outputOf(child);
  await until(() => said.out.includes('"msg":"listening"'), 'it listens', 50_000);
  const get = async (path: string, own = key) => {
    const response = await fetch(`http://127.0.0.1:${ownPort}${path}`, {
      headers: { 'x-api-key': own },
    });
    const { data } = JSON.parse(await response.text());
    return { status: response.status, data };
  };
  const price = async () => (await get('/v1/prices?symbol=BTC')).data?.median_price;
  const named = async (setting: string, state: string) => {
    const { data } = await get('/healthz');
    const rows: { setting: string; state: string; problem: string | null }[] = data.redis_servers;
    return rows.some(
      (row) => row.setting === setting && row.state === state && row.problem !== null,
    );
  };
  const isWell = async () => (await get('/healthz')).data.redis === 'up';
  await until(isWell, 'all are up');
  t.equal(await price(), 50_000);

  await read.kill();
  await until(() => named('REDIS_READ_URL', 'down'), 'the replica is named');
  t.equal(await price(), 50_000, 'from memory');
  await read.restart();
  await until(isWell, 'all are up');

  await keys.kill();
  await until(() => named('REDIS_URL', 'down'), 'the server of keys is named');
  await publish(51_000);
  await until(async () => (await price()) === 51_000, 'known keys get new prices');
  t.equal(
    (await get('/v1/prices?symbol=BTC', generateKey())).status,
    503,
    'another key cannot be looked up',
  );
  await keys.restart();
  await until(isWell, 'all are up');

  await bus.kill();
  await until(() => named('REDIS_BUS_URL', 'down'), 'the server of market data is named');
  const fresh = await issueKey({
    redisUrl: keys.url,
    account: 'a',
    plan: 'pro',
    name: 'k',
    log: silent,
  });
  // The connection for keys, which is another one, may still be between two attempts.
  const isKnown = async () => (await get('/v1/prices?symbol=BTC', fresh)).status === 200;
  await until(isKnown, 'the key is known', 20_000);
  const answer = await get('/v1/prices?symbol=BTC', fresh);
  t.match(answer, { status: 200, data: { median_price: 51_000 } }, 'a new key works, from memory');
});
