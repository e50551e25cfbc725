/** The head of Bitcoin: the height, from the REST API of Esplora. https://github.com/Blockstream/esplora */
import { ShapeError } from '../failure.ts';
import { EndpointError } from './endpoint.ts';
import type { Attempt, Protocol } from './transport.ts';

/**
 * Bitcoin passed the first height in 2023 and reaches the second after 2070; testnet3 and testnet4 are outside. Esplora
 * has no answer in JSON that would name the chain, so the range is the check.
 */
const heights = { least: 800_000, most: 3_000_000 };

/** GET `path` below the endpoint's URL, such as `/address/bc1...`. Rejects with an EndpointError. */
export async function esplora({ endpoint, ...time }: Attempt, path: string): Promise<unknown> {
  const result = await endpoint.send({ path }, time);
  if (!result.ok) throw new EndpointError(result.failure);
  return result.value.body;
}

/** Sent as plain text that is a whole number, which JSON reads as well. */
async function height(attempt: Attempt): Promise<number> {
  const found = await esplora(attempt, '/blocks/tip/height');
  if (typeof found !== 'number' || !Number.isInteger(found)) {
    throw new ShapeError('height is not a whole number');
  }
  if (found < heights.least || found > heights.most) throw new ShapeError('height out of range');
  return found;
}

export const bitcoinProtocol: Protocol<object> = {
  look: async (attempt) => ({ identity: null, block: await height(attempt) }),
  read: async () => ({}),
};
