/**
 * Balances of tokens from their contracts. An index knows a balance as of a transfer or of the last look at the wallet, and those of
 * rebasing tokens (stETH, aTokens) grow without a transfer. What a balance is multiplied with to be shown not every index knows.
 */
import { erc20Abi, parseAbi } from 'viem';
import type { Attempt } from '../chains/endpoint.ts';
import { evmClient, orNull } from '../chains/evm.ts';
import { type Holding, multiplierOf } from '../providers/holding.ts';
import { evmAddress } from '../providers/uniswap.ts';

/** The first so many are asked, the most valuable by their index: enough gas for all of them is in one call. */
const most = 100;

/** https://eips.ethereum.org/EIPS/eip-8056 */
const scaledAbi = parseAbi(['function uiMultiplier() view returns (uint256)']);

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
    const about = { address: contract } as const;
    const balance = { ...about, abi: erc20Abi, functionName: 'balanceOf', args: [holder] } as const;
    const factor = { ...about, abi: scaledAbi, functionName: 'uiMultiplier' } as const;
    const [raw, multiplier] = await Promise.all([
      orNull(client.readContract(balance)),
      orNull(client.readContract(factor)),
    ]);
    return { ...holding, ...(raw !== null && { raw }), ...multiplierOf(multiplier) };
  };
  const now = await Promise.all(holdings.slice(0, most).map(current));
  return [...now, ...holdings.slice(most)].filter(({ raw }) => raw > 0n);
}
