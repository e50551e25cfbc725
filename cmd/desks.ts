/**
 * Everything that no exchange tells, run by a feed process: chains, wallets, DeFi, market indicators. Loaded after the
 * venues have begun, since the libraries of the chains take their time.
 */
import type { Bus } from '../actors/bus/bus.ts';
import type { Answers } from '../actors/bus/respond.ts';
import { chainDesk } from '../actors/chains/desk.ts';
import { type ChainReader, createChainReader } from '../actors/chains/reader.ts';
import { defiDesks } from '../actors/defi/desks.ts';
import { dexAnswers } from '../actors/defi/dex.ts';
import { defiUpstreams } from '../actors/defi/registry.ts';
import { type Desk, type DesksContext, runDesk } from '../actors/desks/desk.ts';
import { bitcoinDesk, bitcoinUpstreams } from '../actors/market/bitcoin/desk.ts';
import type { Tickers } from '../actors/market/tickers.ts';
import { wideDesk, wideUpstreams } from '../actors/market/wide/desk.ts';
import { marginAnswers } from '../actors/market/wide/margin-ask.ts';
import { createHttpClient, type HttpClient } from '../actors/upstream/client.ts';
import type { Api } from '../actors/upstream/request.ts';
import { venues } from '../actors/venues/registry.ts';
import { createWallets } from '../actors/wallet/wallets.ts';
import { type ChainId, chainIds, isEvmChainId } from '../config/chains.ts';
import type { Config } from '../config/config.ts';

export interface DesksOptions {
  config: Config;
  /** Ids of desks, and of what is asked on demand. */
  chosen: ReadonlySet<string>;
  context: Omit<DesksContext, 'client' | 'bus'> & { bus: Bus };
  /** Clients of the venues that this process polls. */
  clients: ReadonlyMap<string, HttpClient>;
  tickers: Tickers;
}

/** Endpoints of every chain, where the configuration names its own. */
const rpcOf = (config: Config): Readonly<Record<ChainId, readonly string[] | null>> => ({
  ethereum: config.rpcEthereum,
  base: config.rpcBase,
  arbitrum: config.rpcArbitrum,
  polygon: config.rpcPolygon,
  bsc: config.rpcBsc,
  optimism: config.rpcOptimism,
  avalanche: config.rpcAvalanche,
  bitcoin: config.rpcBitcoin,
  solana: config.rpcSolana,
});

/** Readers of all chains; connections are made when one is first asked. */
function openReaders({ config, context }: DesksOptions): Map<ChainId, ChainReader> {
  const { gateway } = config;
  const { clock, random, log } = context;
  const own = rpcOf(config);
  return new Map(
    chainIds.map((chain) => {
      const urls = own[chain];
      const around = { gateway, clock, random, log };
      return [chain, createChainReader({ chain, ...(urls && { urls }), ...around })];
    }),
  );
}

/** Clients by the id of their upstream: those of the venues that are polled, and others when first asked for. */
function openClients({ config, context, clients: polled }: DesksOptions) {
  const all: readonly { id: string; apis: Readonly<Record<string, Api>> }[] = [
    ...Object.values(venues),
    ...defiUpstreams,
    ...bitcoinUpstreams,
    ...wideUpstreams,
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
    });
    own.set(id, client);
    return client;
  };
  return {
    client: (id: string): HttpClient => polled.get(id) ?? own.get(id) ?? open(id),
    close: () => Promise.all([...own.values()].map((client) => client.close())),
  };
}

/** Runs the chosen desks, and answers what is asked of them, until stopped. */
export function startDesks(options: DesksOptions): { stop(): Promise<void> } {
  const { config, chosen, context, tickers } = options;
  const { bus, clock, random, log } = context;
  const readers = openReaders(options);
  const { client, close } = openClients(options);
  const evm = new Map(
    [...readers].flatMap(([id, reader]) => (isEvmChainId(id) ? [[id, reader]] : [])),
  );
  const live = (now: number) => tickers.price('BTC', now);
  const desks: Desk[] = [
    ...[...readers].map(([id, reader]) => chainDesk(id, reader)),
    ...defiDesks({ readers: evm }),
    bitcoinDesk({ live }),
    wideDesk({ tickers, venues: new Set(Object.keys(venues)) }),
  ];
  const running = desks
    .filter(({ id }) => chosen.has(id))
    .map((desk) => runDesk(desk, { ...context, client }));
  const wallets = createWallets({
    readers,
    gateway: config.gateway,
    clock,
    random,
    log,
    blockscoutKey: config.blockscoutKey,
    moralisKey: config.moralisKey,
    leastLiquidity: config.walletLeastLiquidity,
    atOnce: config.walletsAtOnce,
    nativePrice: (symbol) => tickers.price(symbol, clock.now())?.price ?? null,
  });
  const answers: Answers = {
    ...(chosen.has('wallets') && { wallet: (request, limits) => wallets.answer(request, limits) }),
    ...(chosen.has('dex') && dexAnswers({ client, clock })),
    ...(chosen.has('market-wide') && marginAnswers({ client, clock, tickers })),
  };
  const answering = Object.keys(answers).length > 0 ? bus.answer(answers) : null;
  return {
    async stop() {
      await Promise.all([...running.map((desk) => desk.stop()), answering?.stop()]);
      await Promise.all([wallets.close(), close(), ...[...readers.values()].map((r) => r.close())]);
    },
  };
}
