/** The head of Solana: the slot. https://solana.com/docs/rpc */
import { Connection } from '@solana/web3.js';
import { ShapeError } from '../failure.ts';
import { type Attempt, failureIn, rpcError } from './endpoint.ts';

/** A placeholder: requests go to the attempt's endpoint, whose URL may hold a key. */
const placeholder = 'http://solana.invalid';

/** web3.js over one attempt at one endpoint: our deadline, our body cap, no retry, no socket of its own. */
const solanaConnection = ({ endpoint, ...time }: Attempt): Connection =>
  new Connection(placeholder, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
    httpAgent: false,
    async fetch(_, init) {
      const body: unknown = JSON.parse(String(init?.body));
      return new Response(JSON.stringify(await endpoint.send({ body }, time)));
    },
  });

/** Runs calls of web3.js; rejects with an EndpointError or a ShapeError, without a text of the library. */
export async function fromSolana<T>(
  attempt: Attempt,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  try {
    return await work(solanaConnection(attempt));
  } catch (error) {
    if (!(error instanceof Error) || failureIn(error) !== null) throw error;
    // SolanaJSONRPCError has a numeric code; StructError and what is thrown for a missing result have none.
    if ('code' in error && typeof error.code === 'number') throw rpcError(error.code);
    throw new ShapeError('not an answer of Solana');
  }
}

/** The chain is known by the hash of its first block. */
export const solanaHead = (attempt: Attempt) =>
  fromSolana(attempt, async (connection) => {
    const [identity, block] = await Promise.all([
      connection.getGenesisHash(),
      connection.getSlot(),
    ]);
    if (!Number.isSafeInteger(block) || block <= 0) throw new ShapeError('slot out of range');
    return { identity, block };
  });
