/** Choices by turnover that stay while they are good enough: markets with nearly the same turnover change places all the time. */

/** What was chosen before stays within so many times the places. */
const reach = 1.1;
/** A market leads in the place of another with so many times its turnover. */
const lead = 1.5;

/** The first `count` of what is ranked, best first, and of those that were chosen `before` the ones that are not far behind. */
export const steadyTop = (
  ranked: readonly string[],
  count: number,
  before: ReadonlySet<string>,
): string[] =>
  ranked.filter((one, at) => at < count || (at < Math.ceil(count * reach) && before.has(one)));

/** The market that leads: that of `before` unless another one has clearly more turnover. */
export function steadyFirst<Market extends { market: string; turnover: number }>(
  ranked: readonly Market[],
  before: string | undefined,
): Market | undefined {
  const [first] = ranked;
  const known = ranked.find(({ market }) => market === before);
  return first && known && first.turnover <= lead * known.turnover ? known : first;
}
