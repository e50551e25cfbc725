/** The head of Bitcoin: the height, from the REST API of Esplora. https://github.com/Blockstream/esplora */
import { ShapeError } from '../failure.ts';
import type { Attempt } from './endpoint.ts';

/**
 * Bitcoin passed the first height in 2023 and reaches the second after 2070; testnet3 and testnet4 are outside. Esplora
 * has no answer in JSON that would name the chain, so the range is the check.
 */
const heights = { least: 800_000, most: 3_000_000 };

/** GET `path` below the endpoint's URL, such as `/address/bc1...`. Rejects with an EndpointError. */
export const esplora = ({ endpoint, ...time }: Attempt, path: string): Promise<unknown> =>
  endpoint.send({ path }, time);

/** Sent as plain text that is a whole number, which JSON reads as well. */
export async function bitcoinHead(attempt: Attempt) {
  const block = await esplora(attempt, '/blocks/tip/height');
  if (typeof block !== 'number' || !Number.isInteger(block)) {
    throw new ShapeError('height is not a whole number');
  }
  if (block < heights.least || block > heights.most) throw new ShapeError('height out of range');
  return { identity: null, block };
}
