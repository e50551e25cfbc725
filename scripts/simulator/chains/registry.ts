/**
 * The endpoints of every chain as venues of the simulator, one per host: the hosts and paths are those of
 * config/chains.ts, and one host may serve several chains by path.
 */
import { Network, validate } from 'bitcoin-address-validation';
import { type ChainId, chainIds, chains, isEvmChainId } from '../../../config/chains.ts';
import { exchange, type Routes } from '../exchange.ts';
import { seedOf, unit } from '../noise.ts';
import { type Ask, Refused, type SimulatedVenue } from '../venue.ts';
import { evmMethods } from './evm.ts';
import { heightWith, nodeOf, type Quirks } from './rpc.ts';
import { solanaMethods } from './solana.ts';

export type { Quirks } from './rpc.ts';

const none = { funded_txo_sum: 0, spent_txo_sum: 0 };

/** An address in satoshi, in the form of Esplora. https://github.com/Blockstream/esplora/blob/master/API.md */
function addressStats({ query }: Ask) {
  const address = query.get('address') ?? '';
  if (!validate(address, Network.mainnet)) throw new Refused(400, 'Invalid Bitcoin address');
  const seed = seedOf(0, address.toLowerCase());
  const spent = Math.floor(unit(seed, 2) * 5e9);
  const funded = spent + Math.floor(10 ** (unit(seed, 1) * 4 + 5));
  const chain_stats = { funded_txo_sum: funded, spent_txo_sum: spent };
  return { address, chain_stats, mempool_stats: none };
}

/** The answers of one endpoint by path below its host. */
function routesOf(chain: ChainId, base: string, quirks: () => Quirks): Routes {
  if (chain === 'solana' || isEvmChainId(chain)) {
    const answer = nodeOf(chain === 'solana' ? solanaMethods : evmMethods(chain));
    return { [base || '/']: (ask) => answer(ask, quirks()) };
  }
  const height = ({ now }: Ask) => heightWith(chain, { now, quirks: quirks() });
  return { [`${base}/blocks/tip/height`]: height, [`${base}/address/{address}`]: addressStats };
}

/** Every host of every chain; quirks by base URL of the endpoint, which may be changed while the simulator runs. */
export function chainVenues(quirks: Readonly<Record<string, Quirks>> = {}): SimulatedVenue[] {
  const hosts = new Map<string, Routes>();
  for (const chain of chainIds) {
    for (const url of chains[chain].urls) {
      const { hostname, pathname } = new URL(url);
      const own = routesOf(chain, pathname.replace(/\/$/, ''), () => quirks[url] ?? {});
      hosts.set(hostname, { ...hosts.get(hostname), ...own });
    }
  }
  const error = { code: -32005, message: 'limit exceeded' };
  return [...hosts].map(([host, routes]) =>
    exchange({
      id: `chain:${host}`,
      hosts: [host],
      refusals: [
        { status: 429, body: { jsonrpc: '2.0', id: null, error } },
        { status: 403, body: { error: 'forbidden' } },
        { status: 503, body: { error: 'service unavailable' } },
      ],
      routes,
    }),
  );
}
