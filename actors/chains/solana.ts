/** The head of Solana: the slot. https://solana.com/docs/rpc */
import { Connection } from '@solana/web3.js';
import { ShapeError } from '../failure.ts';
import { EndpointError } from './endpoint.ts';
import { type Attempt, failureIn, type Protocol, RpcError } from './transport.ts';

/** A placeholder: requests go to the attempt's endpoint, whose URL may hold a key. */
const placeholder = 'http://solana.invalid';

/**
 * web3.js over one attempt at one endpoint: our deadline, our body cap, no retry, no socket of its own. Its methods
 * reject with an EndpointError where the endpoint does not answer, and with errors of its own where it refuses.
 */
export function solanaConnection({ endpoint, ...time }: Attempt): Connection {
  return new Connection(placeholder, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
    httpAgent: false,
    fetch: async (_, init) => {
      const body: unknown = JSON.parse(String(init?.body));
      const result = await endpoint.send({ body }, time);
      if (!result.ok) throw new EndpointError(result.failure);
      return new Response(JSON.stringify(result.value.body));
    },
  });
}

/** Runs calls of web3.js; its own complaints about an answer become a ShapeError or a RpcError, without their text. */
export async function fromSolana<T>(
  attempt: Attempt,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  try {
    return await work(solanaConnection(attempt));
  } catch (error) {
    if (!(error instanceof Error) || failureIn(error) !== null) throw error;
    // SolanaJSONRPCError has a numeric code; StructError and what is thrown for a missing result have none.
    if ('code' in error && typeof error.code === 'number') throw new RpcError({ code: error.code });
    throw new ShapeError('not an answer of Solana');
  }
}

function slotOf(slot: number): number {
  if (!Number.isSafeInteger(slot) || slot <= 0) throw new ShapeError('slot out of range');
  return slot;
}

/** The chain is known by the hash of its first block. */
export const solanaProtocol: Protocol<object> = {
  look: (attempt) =>
    fromSolana(attempt, async (connection) => {
      const [identity, slot] = await Promise.all([
        connection.getGenesisHash(),
        connection.getSlot(),
      ]);
      return { identity, block: slotOf(slot) };
    }),
  read: async () => ({}),
};
