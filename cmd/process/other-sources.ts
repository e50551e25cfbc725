/**
 * The sources that are no exchanges, run by a feed process: chains, wallets, DeFi, market indicators. Loaded after the
 * venues have begun, since the libraries of the chains take their time.
 */
import type { Bus } from '../../actors/bus/bus.ts';
import { ChainReader } from '../../actors/chains/reader.ts';
import { dexAnswers } from '../../actors/defi/dex.ts';
import { marginAnswers } from '../../actors/market/margin-ask.ts';
import { Tickers } from '../../actors/market/tickers.ts';
import { blockscout } from '../../actors/providers/blockscout.ts';
import { moralis } from '../../actors/providers/moralis.ts';
import { providers } from '../../actors/providers/registry.ts';
import type { QueryCaches } from '../../actors/queries/query-cache.ts';
import { openSources } from '../../actors/registry.ts';
import type { RunnerContext } from '../../actors/sources/context.ts';
import { type RunningSource, runSource } from '../../actors/sources/runner.ts';
import type { Venue } from '../../actors/sources/venue.ts';
import type { MarketState } from '../../actors/state/market-state.ts';
import { createHttpClient, type HttpClient } from '../../actors/upstream/client.ts';
import type { Api } from '../../actors/upstream/request.ts';
import { venues } from '../../actors/venues/registry.ts';
import { createWallets } from '../../actors/wallet/wallets.ts';
import { type ChainId, chainIds } from '../../config/chains.ts';
import type { Config } from '../../config/config.ts';
import { candleIntervalsOf } from './venues.ts';

export interface OtherSourcesOptions {
  config: Config;
  /** Ids of sources and of on-demand services. */
  chosen: ReadonlySet<string>;
  context: Omit<RunnerContext, 'client' | 'bus'> & { bus: Bus };
  /** Clients of the venues that this process polls. */
  clients: ReadonlyMap<string, HttpClient>;
  market: MarketState;
  caches: QueryCaches;
}

/** Readers of all chains; connections are made when one is first asked. */
function openReaders({ config, context }: OtherSourcesOptions): Map<ChainId, ChainReader> {
  const { gateway } = config;
  const { clock, random, log } = context;
  return new Map(
    chainIds.map((chain) => {
      const urls = config[`rpc_${chain}`];
      const around = { gateway, clock, random, log };
      return [chain, new ChainReader({ chain, ...(urls && { urls }), ...around })];
    }),
  );
}

/** Upstreams that no job polls: questions have all of their budgets. */
const askedAlone: ReadonlySet<string> = new Set([
  'blockscout',
  'dexscreener',
  'geckoterminal',
  'moralis',
]);

/** Clients by the id of their upstream: those of the venues that are polled, and others when first asked for. */
function openClients({ config, context, clients: polled }: OtherSourcesOptions) {
  const all: readonly { id: string; apis: Readonly<Record<string, Api>> }[] = [
    ...Object.values(venues),
    ...providers,
    blockscout(config.blockscoutKey),
    ...(config.moralisKey === null ? [] : [moralis(config.moralisKey)]),
  ];
  const apis = new Map(all.map((upstream) => [upstream.id, upstream.apis]));
  const own = new Map<string, HttpClient>();
  const open = (id: string): HttpClient => {
    const known = apis.get(id);
    if (known === undefined) throw new Error(`there is no upstream ${id}`);
    const { clock, random, log } = context;
    const client = createHttpClient({
      source: id,
      apis: known,
      gateway: config.gateway,
      clock,
      random,
      log,
      shared: context.bus.budgets(config.upstreamAddress),
      ...(askedAlone.has(id) && { reserved: {} }),
    });
    own.set(id, client);
    return client;
  };
  return {
    client: (id: string): HttpClient => polled.get(id) ?? own.get(id) ?? open(id),
    close: () => Promise.all([...own.values()].map((client) => client.close())),
  };
}

/** Runs the chosen sources, and answers their queries, until stopped. */
export async function startSources(options: OtherSourcesOptions) {
  const { config, chosen, context, market, caches } = options;
  const { bus, clock, log, newest } = context;
  const tickers = new Tickers(newest);
  const readers = openReaders(options);
  const { client, close } = openClients(options);
  const ids = new Set(Object.keys(venues));
  const having = (name: 'orderBook' | 'candles') =>
    Object.values<Venue>(venues).flatMap(({ id, queries }) => (queries[name] ? [id] : []));
  const books = {
    market,
    query: bus.query,
    exchanges: having('orderBook'),
    assets: config.orderBookAssets,
  };
  const reference = { market, exchanges: having('candles') };
  const screener = { market, clock, candles: candleIntervalsOf(new Map(Object.entries(venues))) };
  const inputs = { readers, tickers, venues: ids, books, reference, screener };
  const running = new Map<string, RunningSource>();
  for (const { answers, ...source } of await openSources(chosen, inputs)) {
    const serve = answers && { serve: () => bus.serve(source.id, answers) };
    running.set(source.id, runSource({ ...source, ...serve }, { ...context, client }));
  }
  const wallets = createWallets({
    readers,
    client,
    clock,
    log,
    blockscoutKey: config.blockscoutKey,
    moralisKey: config.moralisKey,
    leastLiquidity: config.walletLeastLiquidity,
    atOnce: config.walletsAtOnce,
    nativePrice: (symbol) => tickers.price(symbol, clock.now())?.price,
    cache: caches.open('wallets', 'wallet'),
  });
  const around = { client, clock, caches };
  const answers = {
    wallets: { wallet: wallets.answer },
    dex: dexAnswers(around),
    margin: marginAnswers({ ...around, tickers }),
  };
  for (const [id, own] of Object.entries(answers)) {
    const serve = () => bus.serve(id, own);
    if (chosen.has(id === 'margin' ? 'market-wide' : id))
      running.set(id, runSource({ id, serve }, { ...context, client }));
  }
  return {
    /** By id. */
    running,
    async stop() {
      await Promise.all([...running.values()].map((source) => source.stop()));
      await Promise.all([wallets.close(), close(), ...[...readers.values()].map((r) => r.close())]);
    },
  };
}
