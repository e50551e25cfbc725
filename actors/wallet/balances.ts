/**
 * Balances of tokens from their contracts. An index knows a balance as of a transfer or of the last look at the wallet, and those of
 * rebasing tokens (stETH, aTokens) grow without a transfer.
 */
import { erc20Abi } from 'viem';
import type { Attempt } from '../chains/endpoint.ts';
import { evmClient, orNull } from '../chains/evm.ts';
import type { Holding } from '../providers/holding.ts';
import { evmAddress } from '../providers/uniswap.ts';

/** The first so many are asked, the most valuable by their index: enough gas for all of them is in one call. */
const most = 100;

/** The holdings with what their contracts say now; as they were where one says nothing. Rejects with what `failureIn` knows. */
export async function currentBalances(
  attempt: Attempt,
  address: string,
  holdings: readonly Holding[],
): Promise<Holding[]> {
  const client = evmClient(attempt);
  const holder = evmAddress(address);
  const current = async (holding: Holding): Promise<Holding> => {
    const contract = evmAddress(holding.contract);
    if (!holder || !contract) return holding;
    const call = { address: contract, abi: erc20Abi, args: [holder] } as const;
    const raw = await orNull(client.readContract({ ...call, functionName: 'balanceOf' }));
    return raw === null ? holding : { ...holding, raw };
  };
  const now = await Promise.all(holdings.slice(0, most).map(current));
  return [...now, ...holdings.slice(most)].filter(({ raw }) => raw > 0n);
}
