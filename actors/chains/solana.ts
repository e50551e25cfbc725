/** Solana by JSON-RPC, at the commitment `confirmed`. https://solana.com/docs/rpc */
import { ShapeError } from '../failure.ts';
import { asRow } from '../read.ts';
import { type Attempt, rpc } from './endpoint.ts';

const commitment = 'confirmed';

/** The `value` of a method about an account: what stands beside it is the slot. Rejects with an EndpointError or a ShapeError. */
export async function solanaValue(
  attempt: Attempt,
  method: 'getBalance' | 'getTokenAccountsByOwner',
  params: readonly unknown[],
  options: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const result = await rpc(attempt, method, [...params, { commitment, ...options }]);
  return asRow(result).value;
}

/** The head: the slot. The chain is known by the hash of its first block. */
export async function solanaHead(attempt: Attempt) {
  const [identity, block] = await Promise.all([
    rpc(attempt, 'getGenesisHash'),
    rpc(attempt, 'getSlot', [{ commitment }]),
  ]);
  if (typeof identity !== 'string') throw new ShapeError('the first block has no hash');
  if (!(typeof block === 'number' && Number.isSafeInteger(block) && block > 0))
    throw new ShapeError('slot out of range');
  return { identity, block };
}
