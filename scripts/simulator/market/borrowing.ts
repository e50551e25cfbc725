/** What borrowing costs in the simulated world: the truth behind every exchange's own unit. */
import { seedOf, unit, valueNoise } from '../noise.ts';
import { isCoin } from '../symbols.ts';
import type { Ask } from '../venue.ts';

const hour = 3_600_000;

/** Percent a year at rest of the assets that are borrowed most. */
const usual: Readonly<Record<string, number>> = {
  USD: 9,
  USDT: 8,
  USDC: 7,
  BTC: 3.5,
  ETH: 4,
  SOL: 8,
  XRP: 6,
};

/** Price of a loan of an asset at an exchange in the hour of `time`, as a fraction a year: 0.02 to 0.2. */
export function annualRate(
  seed: number,
  [exchange, asset]: readonly [string, string],
  time: number,
) {
  const own = seedOf(seed, `borrow ${exchange} ${asset}`);
  const rest = usual[asset] ?? 6 + 8 * unit(seedOf(seed, `borrow ${asset}`), 0);
  const at = Math.floor(time / hour);
  const moved = 1 + 0.25 * valueNoise(own, at / 60) + 0.1 * valueNoise(own ^ 1, at / 5);
  return Math.min(0.2, Math.max(0.02, (rest * moved) / 100));
}

/** A loan that an exchange offers. */
export interface Loan {
  symbol: string;
  /** Fraction a year. */
  annual: number;
  /** The most that one user may borrow: about half a million dollars' worth, two digits. */
  most: number;
}

/** What an exchange lends now. */
export const loansAt = ({ model, now }: Pick<Ask, 'model' | 'now'>, exchange: string): Loan[] =>
  model.assets
    .filter((asset) => isCoin(asset) && asset.listed <= now)
    .map(({ symbol, price }) => ({
      symbol,
      annual: annualRate(model.seed, [exchange, symbol], now),
      most: Number((500_000 / price).toPrecision(2)),
    }));
