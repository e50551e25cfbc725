/** The native coin of a wallet, in smallest units, from the chain itself. */
import { isAddress } from 'viem';
import { type ChainId, type ChainKind, chains } from '../../config/chains.ts';
import { esplora } from '../chains/bitcoin.ts';
import type { Attempt } from '../chains/endpoint.ts';
import { evmClient, quantity } from '../chains/evm.ts';
import { solanaValue } from '../chains/solana.ts';
import { ShapeError } from '../failure.ts';
import { required } from '../read.ts';
import { record } from '../sources/define.ts';

/** Wei in an ether, lamports in a SOL, satoshi in a bitcoin, as powers of ten. */
export const nativeDecimals: Readonly<Record<ChainKind, number>> = {
  evm: 18,
  solana: 9,
  esplora: 8,
};

/** A number of smallest units that came as a JSON number; NaN and fractions throw ShapeError. */
function whole(value: unknown, what: string): bigint {
  const found = required(value);
  if (!Number.isInteger(found)) throw new ShapeError(`${what} is not a whole number`);
  return BigInt(found);
}

function balance(found: bigint): bigint {
  if (found < 0n) throw new ShapeError('a balance below 0');
  return found;
}

async function ether(attempt: Attempt, address: string): Promise<bigint> {
  const holder = address.toLowerCase();
  if (!isAddress(holder)) throw new ShapeError('not an address');
  const ask = evmClient(attempt).request({ method: 'eth_getBalance', params: [holder, 'latest'] });
  return quantity(await ask, 'balance');
}

const lamports = async (attempt: Attempt, address: string): Promise<bigint> =>
  balance(whole(await solanaValue(attempt, 'getBalance', [address]), 'balance'));

/** Confirmed transactions only: those in the mempool may still be dropped. */
async function satoshi(attempt: Attempt, address: string): Promise<bigint> {
  const { chain_stats } = record(await esplora(attempt, `/address/${address}`), 'address');
  const { funded_txo_sum, spent_txo_sum } = record(chain_stats, 'chain_stats');
  return balance(whole(funded_txo_sum, 'funded') - whole(spent_txo_sum, 'spent'));
}

const readers: Readonly<Record<ChainKind, (attempt: Attempt, address: string) => Promise<bigint>>> =
  { evm: ether, solana: lamports, esplora: satoshi };

/** Rejects with what `failureIn` knows; `address` has been checked. */
export const nativeBalance = (attempt: Attempt, chain: ChainId, address: string): Promise<bigint> =>
  readers[chains[chain].kind](attempt, address);
