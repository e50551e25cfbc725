/** One source per chain, read every minute; a row that cannot be read keeps its last good value. */
import type { ChainId } from '../../config/chains.ts';
import { minute } from '../../config/time.ts';
import type { Failure } from '../failure.ts';
import type { JobContext, JobSource } from '../sources/context.ts';
import type { Round } from '../sources/job.ts';
import type { ChainReading, ChainState } from '../topics/chains.ts';
import type { ChainReader } from './reader.ts';

/** Times in ms: between two reads, and for one. */
export const chainEvery = minute;
const readDeadline = 20_000;

/** Those of `before` that `now` should have had and could not read, with the age they have. */
const unreadOf = <Row>(
  before: readonly Row[],
  dropped: ReadonlySet<string>,
  key: (row: Row) => string,
) => before.filter((row) => dropped.has(key(row)));

/** The state after a read; a supply or wallet that could not be read stays as it was. */
export function stateAfter(reading: ChainReading, before: ChainState | undefined): ChainState {
  const { chain, stuck, received } = reading;
  const dropped = new Set(reading.dropped.map(({ key }) => key));
  return {
    chain,
    stuck,
    received,
    supplies: [
      ...reading.supplies,
      ...unreadOf(before?.supplies ?? [], dropped, (row) => row.token),
    ],
    wallets: [...reading.wallets, ...unreadOf(before?.wallets ?? [], dropped, (row) => row.label)],
  };
}

/** Reads one chain once and publishes its state. */
async function readChain(
  { id, reader }: { id: ChainId; reader: Pick<ChainReader, 'read'> },
  { status, last, publish }: JobContext,
  { signal }: Round,
): Promise<Failure | null> {
  const result = await reader.read({ deadline: readDeadline, signal });
  if (signal.aborted) return null;
  if (!result.ok) {
    status.failure('state', 'rpc', result.failure);
    return result.failure;
  }
  const reading = result.value;
  const state = stateAfter(reading, await last('chains', id));
  const unpublished = await publish('chains', id, state);
  if (unpublished) {
    status.failure('state', 'rpc', unpublished);
    return unpublished;
  }
  status.success('state', 'rpc', {
    asked: reading.asked,
    received: reading.received,
    rows: 1 + reading.supplies.length + reading.wallets.length,
    dropped: reading.dropped.length > 0 ? { bad_row: reading.dropped.length } : {},
  });
  return null;
}

/** The source of a chain. `reader` outlives it and is closed by its maker. */
export const chainSource = (id: ChainId, reader: Pick<ChainReader, 'read'>): JobSource => ({
  id,
  jobs: (context) => [
    {
      name: 'state',
      every: chainEvery,
      run: (round) => readChain({ id, reader }, context, round),
    },
  ],
});
