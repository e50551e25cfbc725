/** Which settings each process uses. */
import { chainIds } from './chains.ts';
import type { table } from './table.ts';

type Name = keyof typeof table;

const every = ['logLevel', 'logFormat', 'redisUrl', 'redisBusUrl', 'replayed'] as const;
/** Of those that have the answers of the API. */
const answers = [...every, 'redisReadUrl', 'sources', 'simulated', 'lendingLeastTvl'] as const;
const identity = ['authMode', 'authJwksUrl', 'authIssuer', 'authAudience', 'nodeEnv'] as const;
const listening = ['host', 'port', 'webConcurrency', 'uwsAnyBinary', 'trustedProxies'] as const;
const limits = ['accessLog', 'plans', 'dexPerMinute', 'inFlightPerAddress', 'askInFlight'] as const;
const pages = ['corsOrigins', 'metricsPublic', 'securityContact'] as const;
const upstreams = ['gateway', 'upstreamAddress', 'upstreamBodyMib'] as const;
const recording = [
  'dataDir',
  'record',
  'recordExchanges',
  'recordSymbols',
  'recordKeep',
  'recordMostGb',
] as const;
const wallets = ['blockscoutKey', 'moralisKey', 'walletLeastLiquidity', 'walletsAtOnce'] as const;

/** The settings of each role. */
export const uses = {
  web: [
    ...answers,
    ...listening,
    ...identity,
    ...limits,
    ...pages,
    'dataDir',
    'liveInterval',
    'alertHostsAllowed',
  ],
  feed: [
    ...every,
    ...upstreams,
    ...wallets,
    ...recording,
    ...chainIds.map((id) => `rpc_${id}` as const),
    'sources',
    'live',
    'livePublish',
    'orderBookAssets',
  ],
  compute: [...every, 'computeThreads'],
  history: [
    ...every,
    'redisReadUrl',
    'sources',
    'dataDir',
    'historyUrl',
    'historyDays',
    'backfillArchives',
  ],
  alerts: [...answers, 'gateway', 'alertHostsAllowed'],
} as const satisfies Record<string, readonly Name[]>;

/** A process that the operator starts. */
export type Role = keyof typeof uses;
export const roles = Object.keys(uses) as Role[];
