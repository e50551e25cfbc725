/** Balances of an address on an EVM chain at a moment, those of the exchanges' hot wallets included. */
import type { EvmChainId } from '../../../config/chains.ts';
import { balanceAt, contractAt, isHotWallet } from '../chains/ledger.ts';
import type { Ask } from '../venue.ts';
import { accountAt, type Holding, holdingsOf } from './holdings.ts';
import { coinsOf } from './tokens.ts';

export interface Portfolio {
  /** Wei. */
  native: bigint;
  tokens: readonly Holding[];
}

/** Null for an address that has never been seen. A hot wallet holds the stablecoins whose supply is followed. */
export function portfolioAt(
  chain: EvmChainId,
  holder: string,
  { model: { seed }, now }: Pick<Ask, 'model' | 'now'>,
): Portfolio | null {
  if (!accountAt(chain, holder)) return null;
  const native = balanceAt({ chain, holder, token: null }, seed, now);
  if (!isHotWallet(chain, holder)) return { native, tokens: holdingsOf(chain, holder) };
  const tokens = coinsOf(chain).flatMap((token) => {
    const contract = contractAt(chain, token.address);
    if (!contract) return [];
    return { token, raw: balanceAt({ chain, holder, token: contract }, seed, now) };
  });
  return { native, tokens };
}
