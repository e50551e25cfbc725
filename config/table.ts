import { availableParallelism } from 'node:os';
import { rpcRows } from './chains.ts';
import { logRows } from './log-rows.ts';
import { type Interval, interval } from './pace.ts';
import { budgets, defaultPlans, type Plans, readPlans } from './plans.ts';
import { recordRows } from './recorded.ts';
import { redisUrl } from './redis-url.ts';
import {
  contact,
  flag,
  key,
  name,
  nonEmpty,
  oneOf,
  type Row,
  row,
  url,
  whole,
  words,
} from './row.ts';

export type { Row } from './row.ts';

const processors = {
  fallback: Math.max(1, Math.min(4, availableParallelism() - 1)),
  shown: 'processors less one, from 1 to 4',
};

/** Every setting there is. The typed config, `.env.example`, docs/configuration.md and log redaction come from here. */
export const table = {
  host: row({
    env: 'HOST',
    read: nonEmpty,
    fallback: '127.0.0.1',
    doc: 'Address that the web processes listen on. `0.0.0.0` for all.',
  }),
  port: row({
    env: 'PORT',
    read: whole(0, 65_535),
    fallback: 8080,
    doc: 'Port that the web processes share. 0 picks a free one.',
  }),
  dataDir: row({
    env: 'DATA_DIR',
    read: nonEmpty,
    fallback: '.data',
    doc: 'Folder of what `npm start` keeps: its private redis-server, the development issuer, log files.',
  }),
  redisUrl: row<string | null>({
    env: 'REDIS_URL',
    read: redisUrl,
    fallback: null,
    shown: 'a private redis-server in DATA_DIR',
    doc: 'Redis 7 or newer, such as `redis://:password@host:6379/0`, or a group of servers that Sentinels watch, such as `redis+sentinel://host:26379,host:26379/name` (docs/operating.md). It holds keys, accounts, quotas and leases. Required by all processes when they are started by themselves.',
    secret: true,
  }),
  redisBusUrl: row<string | null>({
    env: 'REDIS_BUS_URL',
    read: redisUrl,
    fallback: null,
    shown: 'REDIS_URL',
    doc: 'Redis for market data and questions; it needs no persistence.',
    secret: true,
  }),
  redisReadUrl: row<string | null>({
    env: 'REDIS_READ_URL',
    read: redisUrl,
    fallback: null,
    shown: 'REDIS_BUS_URL',
    doc: 'Replica of REDIS_BUS_URL from which `web`, `history` and `alerts` processes read market data; a replica on the same host is read through its socket (`unix:///path`).',
    secret: true,
  }),
  gateway: row<string | null>({
    env: 'UPSTREAM_GATEWAY',
    read: url('http:', 'https:'),
    fallback: null,
    shown: 'none: upstreams are asked directly',
    doc: 'Sends every upstream request for `https://HOST/PATH` to `GATEWAY/HOST/PATH`: a simulator, recorded answers or an egress proxy.',
  }),
  upstreamAddress: row<string | null>({
    env: 'UPSTREAM_ADDRESS',
    read: name,
    fallback: null,
    shown: 'none: all processes have one address',
    doc: 'Name of the public address from which this process asks upstreams: letters, digits, `.`, `:`, `_` and `-`. Processes with the same name share budgets and bans. Set it where machines with addresses of their own share one Redis.',
  }),
  simulated: row({
    env: 'SIMULATED_DATA',
    read: flag,
    fallback: false,
    doc: 'Says in `/healthz`, on the start page and in the header `x-tidemark-data` that all data are simulated. Set it where the gateway is the simulator.',
  }),
  webConcurrency: row({
    env: 'WEB_CONCURRENCY',
    read: whole(1, 256),
    ...processors,
    doc: 'Web worker processes that share PORT.',
  }),
  computeThreads: row({
    env: 'COMPUTE_THREADS',
    read: whole(1, 64),
    ...processors,
    doc: 'Threads in which one compute process computes indicators.',
  }),
  authMode: row({
    env: 'AUTH_MODE',
    read: oneOf('keys', 'open'),
    fallback: 'keys',
    doc: '`keys`: data endpoints need an API key. `open`: they need none and key management is off, for private deployments.',
  }),
  authJwksUrl: row<string | null>({
    env: 'AUTH_JWKS_URL',
    read: url('https:', 'http:', 'file:'),
    fallback: null,
    shown: 'none; `npm start` brings a development issuer',
    doc: 'Key set of the identity provider whose bearer tokens are accepted.',
  }),
  authIssuer: row<string | null>({
    env: 'AUTH_ISSUER',
    read: nonEmpty,
    fallback: null,
    shown: 'none',
    doc: '`iss` of its tokens, exactly.',
  }),
  authAudience: row<string | null>({
    env: 'AUTH_AUDIENCE',
    read: nonEmpty,
    fallback: null,
    shown: 'none',
    doc: '`aud` of tokens meant for this service.',
  }),
  nodeEnv: row<string | null>({
    env: 'NODE_ENV',
    read: nonEmpty,
    fallback: null,
    shown: 'none',
    doc: '`production` forbids the development issuer.',
  }),
  sources: row<string[]>({
    env: 'SOURCES',
    read: words,
    fallback: [],
    shown: 'all',
    doc: 'Upstreams to run, as a comma-separated list of ids such as `binance,okx`.',
  }),
  live: row<string[]>({
    env: 'LIVE',
    read: words,
    fallback: ['on'],
    shown: 'on',
    doc: 'Exchanges that are streamed beside the polls, and whose order books are kept live: `on` for all, `off`, or a comma-separated list of ids.',
  }),
  livePublish: row<Interval>({
    env: 'LIVE_PUBLISH',
    read: interval,
    fallback: 'auto',
    doc: 'When what a stream has changed is published. `auto`: at once in a process that has time; the more of a processor it takes, the longer changes are joined, for 25 ms at most. A number: the milliseconds between two publications of the process, 0 for always at once.',
  }),
  ...rpcRows,
  blockscoutKey: key(
    'BLOCKSCOUT_API_KEY',
    'Key of Blockscout, which lists the tokens of wallets on ethereum, base, arbitrum, polygon and optimism; without one its public instances are asked.',
  ),
  moralisKey: key(
    'MORALIS_API_KEY',
    'Key of Moralis, which lists the tokens of wallets on bsc and avalanche; without one only their native coin is shown.',
  ),
  walletLeastLiquidity: row({
    env: 'WALLET_LEAST_LIQUIDITY',
    read: whole(0, 1_000_000_000),
    fallback: 1_000,
    doc: 'US dollars that a token must have in its largest pool for its price to count in wallets.',
  }),
  walletsAtOnce: row({
    env: 'WALLETS_AT_ONCE',
    read: whole(1, 1_000),
    fallback: 16,
    doc: 'Wallets that one feed process looks up at once, of which no account has more than it leaves free; more are refused with 503.',
  }),
  lendingLeastTvl: row({
    env: 'LENDING_LEAST_TVL',
    read: whole(0, 1_000_000_000),
    fallback: 100_000,
    doc: 'US dollars below which a lending pool is no best offer of `/v1/lending/overview`.',
  }),
  historyUrl: row<string | null>({
    env: 'HISTORY_URL',
    read: url('postgres:', 'postgresql:'),
    fallback: null,
    shown: 'an SQLite file in DATA_DIR',
    doc: 'PostgreSQL database in which series are recorded, such as `postgres://user:password@host/tidemark`.',
    secret: true,
  }),
  historyDays: row({
    env: 'HISTORY_DAYS',
    read: whole(2, 36_500),
    fallback: 3_650,
    doc: 'Days for which recorded series are kept at most: minutes go after two years, hours after ten (docs/history.md).',
  }),
  backfillArchives: row({
    env: 'BACKFILL_ARCHIVES',
    read: flag,
    fallback: false,
    doc: 'Loads minutes of two years, hours of ten and settled fundings of the tracked assets from the public archives of Binance and OKX (docs/history.md, The past).',
  }),
  orderBookAssets: row({
    env: 'ORDER_BOOK_ASSETS',
    read: whole(1, 30),
    fallback: 10,
    doc: 'Assets whose order books are recorded: BTC, ETH, SOL, XRP, DOGE and BNB first, then the most traded ones (docs/order-books.md).',
  }),
  ...recordRows,
  plans: row<Plans>({
    env: 'PLANS',
    read: readPlans,
    fallback: defaultPlans,
    shown: 'free, pro and local as in docs/quotas.md',
    doc: 'Plans to add or to change: JSON text, or the path of a file with it, such as `{"team":{"requests_per_minute":300,"keys":10,"connections":50}}`; null means no limit. A file is read again when it changes: within half a minute all processes have the new limits.',
    byPath: true,
  }),
  dexPerMinute: row({
    env: 'DEX_REQUESTS_PER_MINUTE',
    read: whole(1, 1_000_000),
    fallback: budgets.dex,
    doc: 'Requests a minute that one account has for `/v2/dex/search` and `/v2/dex/token`, within those of its plan.',
  }),
  upstreamBodyMib: row({
    env: 'UPSTREAM_BODY_MIB',
    read: whole(16, 65_536),
    fallback: 64,
    doc: 'MiB of all bodies that one feed process is receiving from upstreams; a body larger than what they leave free is given up.',
  }),
  alertHostsAllowed: row<string[]>({
    env: 'ALERT_HOSTS_ALLOWED',
    read: words,
    fallback: [],
    shown: 'none',
    doc: "Hosts of one's own network that alerts may be sent to, comma-separated, each with or without a port, such as `alerts.lan:8080`: by http too, and whatever addresses they have. All others must be on the internet, and take https.",
  }),
  corsOrigins: row<string[]>({
    env: 'CORS_ORIGINS',
    read: words,
    fallback: ['*'],
    shown: '`*`',
    doc: 'Origins that browsers may read from, comma-separated; `*` allows every origin to GET.',
  }),
  trustedProxies: row<string[]>({
    env: 'TRUSTED_PROXIES',
    read: words,
    fallback: [],
    shown: 'none',
    doc: 'Addresses and CIDR ranges of the proxies whose `X-Forwarded-For` is trusted, comma-separated, such as `10.0.0.0/8,::1`.',
  }),
  metricsPublic: row({
    env: 'METRICS_PUBLIC',
    read: flag,
    fallback: false,
    doc: '`/metrics` answers everyone, not only clients on the same machine.',
  }),
  inFlightPerAddress: row({
    env: 'IN_FLIGHT_PER_ADDRESS',
    read: whole(1, 1_000_000),
    fallback: 512,
    doc: 'Requests of one client address that may wait for upstreams or for their body at once in one web process; more are refused with 429.',
  }),
  askInFlight: row({
    env: 'ASK_IN_FLIGHT',
    read: whole(1, 32_000),
    fallback: 4096,
    doc: 'On-demand upstream questions (order books, bars) that one web process may have open; more are refused with 503.',
  }),
  liveInterval: row<Interval>({
    env: 'LIVE_INTERVAL',
    read: interval,
    fallback: 'auto',
    doc: 'When a change of an answer is sent to the stream clients that follow it. `auto`: at once; while sending takes more than a fifth of the process, changes are joined for 25 ms at most. A number: the milliseconds in which further changes are waited for, 0 for always at once.',
  }),
  exportKey: key('EXPORT_KEY', 'API key with which `npm run export` asks the service.'),
  securityContact: row<string | null>({
    env: 'SECURITY_CONTACT',
    read: contact,
    fallback: null,
    shown: 'none: `/.well-known/security.txt` is 404',
    doc: 'Where to report a vulnerability, such as `mailto:security@example.org`; published in `/.well-known/security.txt`.',
  }),
  uwsAnyBinary: row({
    env: 'UWS_ANY_BINARY',
    read: flag,
    fallback: false,
    doc: 'Lets web processes load a uWebSockets.js binary whose SHA-256 is not in docs/security.md: for an official release that you have chosen.',
  }),
  ...logRows,
} satisfies Record<string, Row<never> | Row<unknown>>;
