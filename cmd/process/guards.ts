/** What stands before the routes of a web worker: API keys, identities, quotas. */
import type { Bus } from '../../actors/bus/bus.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import type { AccountChange } from '../../actors/topics/index.ts';
import type { Config } from '../../config/config.ts';
import type { Logger } from '../../config/log.ts';
import { type Auth, createAuth } from '../../http/auth/gate.ts';
import { createQuota, type Quota } from '../../http/quota/quota.ts';
import { createQuotaStore } from '../../http/quota/store.ts';
import type { Server } from '../../http/server/server.ts';
import { providerOf } from './provider.ts';

export interface GuardsOptions {
  config: Config;
  redisUrl: string;
  /** Of this process. */
  id: string;
  log: Logger;
  publish: Bus['publish'];
}

export interface Guards {
  /** Absent where access is open. */
  auth?: Auth;
  /** Absent where access is open. */
  quota?: Quota;
  /** Applies a change of keys, and ends the streams of keys that are not valid any more. */
  changed(change: AccountChange, server: Pick<Server, 'checkKeys'> | undefined): void;
  /** Writes pending changes, and disconnects. */
  stop(): Promise<void>;
}

/** Keys and quotas as the configuration wants them. Throws StartError when it contradicts itself. */
export function createGuards({ config, redisUrl, id, log, publish }: GuardsOptions): Guards {
  if (config.authMode === 'open') return { changed: () => {}, stop: async () => {} };
  const provider = providerOf(config);
  if (provider === null) {
    log.warn('no identity provider (AUTH_JWKS_URL): keys work, but none can be made or revoked');
  }
  const { plans } = config;
  const stopFollowing = plans.follow({
    changed: () => log.info({ plans: plans.names }, 'the plans have changed'),
    failed(error) {
      const faults = error instanceof AggregateError ? error.errors : [error];
      log.error({ faults: faults.map(String) }, 'PLANS: the file has faults, the plans stay');
    },
  });
  const auth = createAuth({ redisUrl, process: id, provider, plans, publish, clock, log });
  const store = createQuotaStore({ url: redisUrl, name: `${id}/quota`, log });
  const quota = createQuota({ store, log, plans, budgets: { dex: config.dexPerMinute } });
  return {
    auth,
    quota,
    changed(change, server) {
      auth.changed(change);
      server?.checkKeys();
    },
    async stop() {
      stopFollowing();
      await quota.close();
      store.close();
      await auth.stop();
    },
  };
}
