/** One reader per chain: the endpoints of the configuration, read with fail-over, as rows. */
import { type ChainId, chains, isEvmChainId } from '../../config/chains.ts';
import { type Result, success } from '../failure.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { ChainReading } from '../topics/chains.ts';
import type { Log } from '../upstream/client.ts';
import { bitcoinProtocol } from './bitcoin.ts';
import { createEndpoints } from './endpoint.ts';
import { type EvmSample, evmProtocol, targetsOf } from './evm.ts';
import { type AskOptions, Failover, type Sample } from './failover.ts';
import { solanaProtocol } from './solana.ts';
import type { Attempt } from './transport.ts';

export interface ChainReaderOptions {
  chain: ChainId;
  /** Instead of those of config/chains.ts; at least one. */
  urls?: readonly string[];
  /** Base URL that every request goes through, or null. */
  gateway: string | null;
  clock?: Clock;
  /** Uniform in [0, 1). */
  random?: () => number;
  log?: Log;
}

export interface ChainReader {
  /** Upstream trouble is a value; a failure's message names hosts, never URLs. Reads are not to overlap. */
  read(options: AskOptions): Promise<Result<ChainReading>>;
  /**
   * Anything else of the chain, with the same fail-over: `work` gets one endpoint at a time, for `viemTransport`,
   * `fromSolana` or `esplora`, and is run again with the next while it rejects with an error of theirs. May overlap.
   */
  ask<T>(options: AskOptions, work: (attempt: Attempt) => Promise<T>): Promise<Result<T>>;
  /** Ends all that is under way and closes every connection. */
  close(): Promise<void>;
}

/** Rows of a sample; what only EVM chains have is absent in the others. */
function readingOf(
  chain: ChainId,
  { value, block, host, asked, received, grownAt, stuck }: Sample<Partial<EvmSample>>,
): ChainReading {
  const { gasGwei = null, supplies = [], wallets = [], unread = [] } = value;
  const updated_at = received;
  const evm = isEvmChainId(chain) ? chain : null;
  return {
    chain: { chain, block, gas_gwei: gasGwei, updated_at, grown_at: grownAt },
    supplies: evm
      ? supplies.map(({ token, total }) => ({
          token,
          chain: evm,
          total_supply: total,
          updated_at,
        }))
      : [],
    wallets: evm
      ? wallets.map(({ label, eth, usdc, usdt }) => ({
          label,
          chain: evm,
          eth_balance: eth,
          usdc_balance: usdc,
          usdt_balance: usdt,
          updated_at,
        }))
      : [],
    dropped: unread.map((key) => ({ key, code: 'bad_row' })),
    stuck,
    host,
    asked,
    received,
  };
}

/** A reader of one chain. Throws TypeError for a URL that is none. */
export function createChainReader(options: ChainReaderOptions): ChainReader {
  const { chain, urls = chains[chain].urls, clock = systemClock, log, ...around } = options;
  const from = { ...around, source: chain, clock, ...(log && { log }) };
  const { endpoints, client } = createEndpoints(urls, from);
  const plain = chains[chain].kind === 'solana' ? solanaProtocol : bitcoinProtocol;
  const failover = new Failover<Partial<EvmSample>>({
    id: chain,
    chain: chains[chain],
    endpoints,
    protocol: isEvmChainId(chain) ? evmProtocol(targetsOf(chain)) : plain,
    clock,
    ...(log && { log }),
  });
  return {
    async read(time) {
      const result = await failover.read(time);
      return result.ok ? success(readingOf(chain, result.value)) : result;
    },
    ask: (time, work) => failover.ask(time, work),
    close: () => client.close(),
  };
}
