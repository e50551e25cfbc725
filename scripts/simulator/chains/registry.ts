/**
 * The endpoints of every chain as venues of the simulator, one per host: the hosts and paths are those of
 * config/chains.ts, and one host may serve several chains by path.
 */
import { type ChainId, chainIds, chains, isEvmChainId } from '../../../config/chains.ts';
import type { Ask, Route, SimulatedVenue } from '../venue.ts';
import { addressStats } from './esplora.ts';
import { heightWith, nodeOf, type Quirks } from './rpc.ts';

export type { Quirks } from './rpc.ts';

/** Quirks by base URL of the endpoint, as config/chains.ts has it. They may be changed while the simulator runs. */
export type QuirksByUrl = Readonly<Record<string, Quirks>>;

const bucket = 'address';
const rateError = { jsonrpc: '2.0', id: null, error: { code: -32005, message: 'limit exceeded' } };
const shared = {
  markets: () => [],
  buckets: { [bucket]: { weight: 600, per: 60_000 } },
  refusals: {
    rate_limit: { status: 429, body: rateError },
    ban: { status: 403, body: { error: 'forbidden' } },
    server_error: { status: 503, body: { error: 'service unavailable' } },
  },
} satisfies Partial<SimulatedVenue>;

const route = (answer: (ask: Ask) => unknown): Route => ({ weight: () => 1, bucket, answer });

/** Routes of one endpoint, by path below its host; a last part `*` is any. */
function routesOf(chain: ChainId, base: string, quirks: () => Quirks): [string, Route][] {
  if (isEvmChainId(chain) || chain === 'solana') {
    const answer = nodeOf(chain);
    return [[base || '/', route((ask) => answer(ask, quirks()))]];
  }
  const height = ({ now }: Ask) => heightWith(chain, { now, quirks: quirks() });
  const stats = ({ path }: Ask) => addressStats(path.slice(path.lastIndexOf('/') + 1));
  return [
    [`${base}/blocks/tip/height`, route(height)],
    [`${base}/address/*`, route(stats)],
  ];
}

/** Every host of every chain. */
export function chainVenues(quirks: QuirksByUrl = {}): SimulatedVenue[] {
  const hosts = new Map<string, Map<string, Route>>();
  for (const chain of chainIds) {
    for (const url of chains[chain].urls) {
      const { hostname, pathname } = new URL(url);
      const routes = hosts.get(hostname) ?? new Map<string, Route>();
      hosts.set(hostname, routes);
      const base = pathname.replace(/\/$/, '');
      for (const [path, found] of routesOf(chain, base, () => quirks[url] ?? {})) {
        routes.set(path, found);
      }
    }
  }
  return [...hosts].map(([host, routes]) => ({
    ...shared,
    id: `chain:${host}`,
    hosts: [host],
    route: (path: string) => routes.get(path) ?? routes.get(path.replace(/[^/]+$/, '*')),
  }));
}
