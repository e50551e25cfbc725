/** US dollars of tokens and native coins: of the model's asset where it has the coin, as on the exchanges. */
import { moving } from '../defi/world.ts';
import type { Model } from '../model.ts';
import { seedOf } from '../noise.ts';
import { priceAt } from '../range.ts';
import type { WalletToken } from './tokens.ts';

/** What has a price. */
export type Priced = Pick<WalletToken, 'coin' | 'rest'> & { name: string | null };

/** Price at `now`; a coin that the model lacks, or a token of its own, moves by a hundredth around its rest. */
export function dollarsOf(model: Model, { coin, rest, name }: Priced, now: number): number {
  const asset = coin === null ? undefined : model.assets.find(({ symbol }) => symbol === coin);
  if (asset) return priceAt(asset.path, now);
  return moving(seedOf(model.seed, `price of ${coin ?? name}`), now, rest, 0.01);
}
