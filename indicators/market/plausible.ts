/**
 * Checks of a value against its possible range and its last value: it may be well formed and still be impossible. A
 * refused value is not used, and the next source is asked.
 */

/** What values a figure can have. Bounds are in the figure's own unit. */
export interface Rule {
  /** Values at or below are impossible. */
  above?: number;
  /** Values below are impossible. */
  least?: number;
  /** Values above are impossible. */
  most?: number;
  /** Most times that a value may be of the one before, and the one before of it. */
  factor?: number;
  /** Most that a value may differ from the one before. */
  step?: number;
}

/** Why a value is refused; the metric label. */
export type Refusal = 'not_finite' | 'out_of_range' | 'too_far';

/**
 * Null when `next` can follow `previous`, else why not. `previous` is the last value of the figure or one of another
 * source for the same time (a live price for the newest close); null when nothing is known, and only the range
 * counts then.
 */
export function plausible(next: number, previous: number | null, rule: Rule): Refusal | null {
  if (!Number.isFinite(next)) return 'not_finite';
  const { above = -Infinity, least = -Infinity, most = Infinity } = rule;
  if (next <= above || next < least || next > most) return 'out_of_range';
  if (previous === null) return null;
  const { factor = Infinity, step = Infinity } = rule;
  if (Math.abs(next - previous) > step) return 'too_far';
  const ratio = Math.max(next / previous, previous / next);
  return ratio > factor ? 'too_far' : null;
}

/** The first refusal in a series, oldest first, with its index; `before` is the value known before the first. */
export function firstRefusal(
  values: readonly number[],
  before: number | null,
  rule: Rule,
): { index: number; why: Refusal } | null {
  let previous = before;
  for (const [index, value] of values.entries()) {
    const why = plausible(value, previous, rule);
    if (why) return { index, why };
    previous = value;
  }
  return null;
}

/**
 * The rule of each figure. Factors leave room for the worst that was: the close of Bitcoin moved 2.9 times on
 * 2010-09-14 and never more than 1.9 times in a day since 2011, the Dow Jones lost 23 % on 1987-10-19, the VIX rose
 * 2.2 times on 2018-02-05.
 */
export const rules = {
  /** US dollars; a day apart, or two sources for one moment. */
  bitcoinClose: { above: 0, factor: 4 },
  /** US dollars, daily closes of any coin. */
  coinClose: { above: 0, factor: 8 },
  /** Index points, dollars an ounce; a trading day apart. */
  assetClose: { above: 0, factor: 2 },
  /** Index points. */
  volatilityIndex: { above: 0, factor: 4 },
  /** Percent a year, a trading day apart. */
  treasuryYield: { least: -2, most: 25, step: 2 },
  /** 0 to 100. */
  fearGreed: { least: 0, most: 100 },
  /** Percent of the total market capitalisation, an hour apart at most. */
  dominance: { above: 0, most: 99, step: 10 },
  /** US dollars: capitalisations, reserves. */
  marketCap: { above: 0, factor: 3 },
  /** US dollars: open interest and 24 h volumes, which may move fast. */
  turnover: { above: 0, factor: 8 },
  /** Fraction an hour: 0 to ten times the capital in a year. */
  borrowRate: { least: 0, most: 10 / 8760 },
  /** Height of the chain at two days' ends; about 144 blocks a day. */
  blockHeight: { above: 0, step: 1000 },
  /** Coins that exist after a day; never more than 21 million. */
  bitcoinSupply: { above: 0, most: 21_000_000, step: 20_000 },
  /** Market over realised capitalisation; it was up to about 8 in Bitcoin's first years. */
  mvrv: { above: 0, most: 50 },
  /** Base units held on margin. */
  marginSize: { least: 0, factor: 8 },
} as const satisfies Record<string, Rule>;

/** A figure that has a rule. */
export type RuleName = keyof typeof rules;
