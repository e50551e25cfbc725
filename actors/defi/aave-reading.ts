/** Aave's markets, read through the chain readers. */
import { createClient } from 'viem';
import type { EvmChainId } from '../../config/chains.ts';
import type { AskOptions } from '../chains/failover.ts';
import { type Call, multicallOf, resultsIn } from '../chains/multicall.ts';
import type { ChainReader } from '../chains/reader.ts';
import { type Attempt, viemTransport } from '../chains/transport.ts';
import { type Failure, failed, ShapeError } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Parsed } from '../sources/define.ts';
import { validRows } from '../sources/quality/rows.ts';
import type { LendingPool } from '../topics/defi.ts';
import { type AaveChain, aaveMarkets, listed, located, read } from './aave.ts';

/** Readers by chain; a chain without one is not read. */
export type AaveReaders = ReadonlyMap<EvmChainId, Pick<ChainReader, 'ask'>>;

export interface AaveReading extends Parsed<LendingPool> {
  /** Chains that could not be read. */
  lost: number;
  /** Why one of them could not; null where all were read. */
  failure: Failure | null;
}

const isMarket = (chain: EvmChainId): chain is EvmChainId & AaveChain =>
  Object.hasOwn(aaveMarkets, chain);

/** The market of one chain, from one endpoint. Rejects with what fail-over knows. */
async function market(attempt: Attempt, chain: AaveChain, clock: Clock) {
  const client = createClient({ transport: viemTransport(attempt) });
  const ask = async (calls: readonly Call[]) =>
    resultsIn(
      await client.request({ method: 'eth_call', params: [multicallOf(calls), 'latest'] }),
      calls.length,
    );
  const places = located.read(await ask(located.calls(chain)), chain);
  const reserves = listed.read(await ask(listed.calls(places)));
  const answers = await ask(read.calls(places, reserves));
  const at = { chain, received: clock.now() };
  const parsed = validRows(() => read.rows(answers, reserves, at));
  if (!parsed.ok) throw new ShapeError(parsed.failure.message);
  return parsed.value;
}

/** Every market at once; `deadline` of the options is for each. A chain that fails leaves the others. */
export async function readAave(
  readers: AaveReaders,
  clock: Clock,
  options: AskOptions,
): Promise<AaveReading> {
  const chains = [...readers].flatMap(([chain, reader]) =>
    isMarket(chain) ? [{ chain, reader }] : [],
  );
  const results = await Promise.all(
    chains.map(({ chain, reader }) =>
      reader.ask(options, (attempt) => market(attempt, chain, clock)),
    ),
  );
  const none = failed('unavailable', 'Aave: no chain to read').failure;
  const found: AaveReading = {
    rows: [],
    dropped: [],
    lost: 0,
    failure: chains.length === 0 ? none : null,
  };
  for (const result of results) {
    if (result.ok) {
      found.rows.push(...result.value.rows);
      found.dropped.push(...result.value.dropped);
    } else {
      found.lost += 1;
      found.failure ??= result.failure;
    }
  }
  return found;
}
