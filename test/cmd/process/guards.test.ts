/** What stands before the routes: keys and quotas, or neither. */
import { Redis } from 'ioredis';
import t from 'tap';
import { createGuards } from '../../../cmd/process/guards.ts';
import { loadConfig } from '../../../config/config.ts';
import { createLogger } from '../../../config/log.ts';
import { redisOf } from '../../support/redis.ts';
import { until } from '../../support/until.ts';

t.test('without AUTH_JWKS_URL keys work, and a change of keys reaches streams', async (t) => {
  const redis = await redisOf(t);
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const log = createLogger({ logLevel: 'warn' }, 'test', { write });
  const around = {
    redisUrl: redis.url,
    id: 'web-1',
    log,
    publish: async () => 'published' as const,
  };
  const change = { account: 'a', at: 1 } as never;
  let checks = 0;
  const server = { checkKeys: () => void checks++ };

  const open = createGuards({ config: loadConfig({ AUTH_MODE: 'open' }), ...around });
  t.same(Object.keys(open).sort(), ['changed', 'stop']);
  open.changed(change, server);
  await open.stop();
  t.same([checks, lines], [0, []]);

  const settings = { PLANS: '{"team":{"requests_per_minute":9,"keys":1,"connections":3}}' };
  const guards = createGuards({ config: loadConfig(settings), ...around });
  t.match(lines, [/no identity provider/]);
  t.equal(guards.quota?.connections({ plan: 'team' } as never), 3);
  const heard: unknown[] = [];
  if (guards.auth) guards.auth.changed = (given) => void heard.push(given);
  guards.changed(change, server);
  guards.changed(change, undefined);
  t.same([heard, checks], [[change, change], 1]);
  const client = new Redis(redis.url.replace('unix://', ''));
  t.teardown(() => client.disconnect());
  const connections = async () =>
    String(await client.client('LIST')).split('name=web-1').length - 1;
  await until(async () => (await connections()) === 2, 'keys and quotas are connected');
  await guards.stop();
  await until(async () => (await connections()) === 0, 'neither is');

  const provider = { AUTH_JWKS_URL: 'https://id.test/jwks', AUTH_ISSUER: 'a', AUTH_AUDIENCE: 'b' };
  const known = createGuards({ config: loadConfig(provider), ...around });
  await known.stop();
  const warned = lines.filter((line) => line.includes('no identity provider'));
  t.equal(warned.length, 1, 'not with one');
});
