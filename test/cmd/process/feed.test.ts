/** The whole service on genuine upstream answers, as a gateway replays them. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { QueryCaches } from '../../../actors/queries/query-cache.ts';
import type { Markets } from '../../../actors/sources/feeds.ts';
import { MarketState } from '../../../actors/state/market-state.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import { changesOf } from '../../../actors/topics/index.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { type OtherSourcesOptions, startSources } from '../../../cmd/process/other-sources.ts';
import { loadConfig } from '../../../config/config.ts';
import { createLogger } from '../../../config/log.ts';
import { FakeClock } from '../../support/clock.ts';
import { MemoryStore } from '../../support/lease-store.ts';
import { noMarkets } from '../../support/markets.ts';
import { ownPort } from '../../support/ports.ts';
import { silentBus } from '../../support/queries.ts';
import { recording } from '../../support/recordings.ts';
import { type Service, startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const script = fileURLToPath(new URL('../../../../shared/replay/replay.mjs', import.meta.url));
const skip = existsSync(script) ? false : `no replay server at ${script}`;

/** The URL of a replay server; it ends with the test. */
async function replay(t: Test): Promise<string> {
  const server = spawn(process.execPath, [script, '--port', String(ownPort)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => server.kill());
  await once(server.stdout, 'data');
  return `http://127.0.0.1:${ownPort}`;
}

interface Feed {
  topic: string;
  part: string;
  state: string;
  rows: number;
  last_error: unknown;
}
interface Source {
  state: string;
  feeds: Feed[];
}

const lastOf = (venue: string, name: string, find: (response: unknown) => unknown): number =>
  Number(find(recording(venue, name)?.response));

t.test('the recorded answers of some sources', { skip }, async (t) => {
  const env = {
    SOURCES: 'binance,okx,orca,stablecoins,market-wide,wallets,dex',
    UPSTREAM_GATEWAY: await replay(t),
  };
  const service = await startService(t, { env });
  await t.test('Binance and OKX: their recorded prices, and both are up', (t) =>
    exchanges(t, service),
  );
  await t.test('recorded data that no exchange publishes', (t) => elsewhere(t, service));
});

t.test('beside the exchanges, what is chosen is served, until the process stops', async (t) => {
  const clock = new FakeClock();
  const served = new Map<string, string[]>();
  const [stopped, published]: string[][] = [[], []];
  const bus = {
    leases: () => new MemoryStore(clock),
    last: async () => new Map(),
    lastOf: async () => undefined,
    query: silentBus.query,
    publish: async (topic: string) => published?.push(topic) && 'published',
    budgets: () => ({
      take: async () => ({ place: 1, wait: 0, pause: null }),
      end: async () => {},
      pause: async () => {},
    }),
    serve(id: string, answers: object) {
      served.set(id, Object.keys(answers).sort());
      return { stop: async () => void stopped?.push(id) };
    },
  } as unknown as OtherSourcesOptions['context']['bus'];
  const log = createLogger({ logLevel: 'silent' }, 'test');
  const start = (...chosen: string[]) =>
    startSources({
      // Nothing listens there.
      config: loadConfig({ UPSTREAM_GATEWAY: 'http://127.0.0.1:1' }),
      chosen: new Set(chosen),
      clients: new Map(),
      caches: new QueryCaches(clock),
      market: new MarketState(new NewestRows()),
      context: { ...noMarkets(), bus, clock, random: () => 0.5, log, process: 'test' },
    });
  const queries = { dex: ['dexSearch', 'dexToken'], wallets: ['wallet'] };
  for (const [chosen, expected] of [
    [['wallets'], { wallets: queries.wallets }],
    [['dex'], { dex: queries.dex }],
    [['market-wide'], { margin: ['margin'] }],
  ] as const) {
    served.clear();
    const running = await start(...chosen);
    for (const one of running.running.values()) void one.attempt();
    await clock.advance(1_000);
    t.strictSame(Object.fromEntries(served), expected);
    const ending = running.stop();
    await clock.advance(20_000);
    await ending;
    t.strictSame([...new Set(stopped?.splice(0))], [...served.keys()]);
  }
  t.ok(published?.includes('status'), 'the jobs of the market have run');
});

async function exchanges(t: Test, { get }: Service): Promise<void> {
  let sources: Record<string, Source> = {};
  const settled = async () => {
    const all = (await get('/v1/status')).data.sources as Record<string, Source>;
    sources = Object.fromEntries(Object.entries(all).filter(([id]) => Object.hasOwn(venues, id)));
    return Object.keys(sources).length === 2 && failing(sources).length === 0;
  };
  await until(settled, 'both sources are up', 60_000, 500).catch(() => {});
  t.strictSame(failing(sources), [], 'no feed fails');
  t.strictSame(Object.keys(sources).sort(), ['binance', 'okx']);

  const { data } = await get('/v1/prices?symbol=BTC');
  const exchanges = data.exchanges as Record<string, { price: number; market: string }>;
  const recorded = {
    binance: lastOf('binance', 'perp-tickers', (body) => find(body, 'symbol', 'BTCUSDT').lastPrice),
    okx: lastOf(
      'okx',
      'perp-tickers',
      (body) => find((body as { data: unknown }).data, 'instId', exchanges.okx?.market ?? '').last,
    ),
  };
  t.equal(exchanges.binance?.price, recorded.binance);
  t.equal(exchanges.okx?.price, recorded.okx);
}

/** The topics of the streams of a venue: the replay server answers requests only. */
const streamsOf = ({ live, events, books, trades }: Markets): string[] => [
  ...Object.entries(changesOf).flatMap(([topic, changes]) =>
    live && topic in live ? [changes] : [],
  ),
  ...Object.keys(events ?? {}),
  ...Object.keys({ ...(books && { books }), ...(trades && { trades }) }),
];
const streamed = new Set(Object.values(venues).flatMap(streamsOf));

/** Options of Ether and dated futures were not recorded. */
const unrecorded = ({ topic, part }: Feed) =>
  streamed.has(topic) || topic === 'futures' || (topic === 'options' && part === 'ETH');

const failing = (sources: Readonly<Record<string, Source>>): Feed[] =>
  Object.values(sources).flatMap(({ feeds }) =>
    feeds.filter((feed) => feed.state !== 'up' && !unrecorded(feed)),
  );

function find(rows: unknown, key: string, value: string): Record<string, string> {
  const list = Array.isArray(rows) ? (rows as Record<string, string>[]) : [];
  return list.find((row) => row[key] === value) ?? {};
}

async function elsewhere(t: Test, { get }: Service): Promise<void> {
  const address = 'bc1qq7gm20tgeauggamlh7m54fu9e54vkdyzxzy5rh';
  const paths = [
    '/v2/dex/search?q=PEPE',
    '/v2/dex/token/0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    '/v2/dex/orca/pools',
    '/v2/defi/stablecoins',
    '/v1/indicators/fear-greed',
    '/v1/indicators/stablecoin-mcap',
    '/v1/indicators/exchange-transparency',
    '/v1/indicators/borrow-rates?exchange=okx',
    `/v1/onchain/wallet?chain=bitcoin&address=${address}`,
  ];
  const waiting = new Set(paths);
  const served = async () => {
    for (const path of waiting) if ((await get(path)).status === 200) waiting.delete(path);
    return waiting.size === 0;
  };
  await until(served, 'all of it is served', 60_000, 500).catch(() => {});
  t.strictSame([...waiting], []);
  const wallet = (await get(paths.at(-1) ?? '')).data as unknown as {
    tokens: { token: string; balance: number }[];
  };
  const stats = lastOf('esplora', 'address-stats', (body) => {
    const { funded_txo_sum: funded, spent_txo_sum: spent } = (
      body as { chain_stats: Record<string, number> }
    ).chain_stats;
    return (Number(funded) - Number(spent)) / 1e8;
  });
  t.match(wallet.tokens, [{ token: 'BTC', balance: stats }]);
}
