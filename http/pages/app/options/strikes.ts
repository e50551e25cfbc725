/** Options of one expiry, added up by strike. */
import type { OptionsInfoOption } from '../request.ts';

type Measure = 'open_interest_base' | 'volume_24h_base';

interface Sum {
  strike: number;
  calls: number;
  puts: number;
}

/** Calls and puts of all exchanges in base units, the lowest strike first; what is not stated adds nothing. */
export function sumsByStrike(
  options: readonly Pick<OptionsInfoOption, 'strike' | 'type' | Measure>[],
  measure: Measure,
): Sum[] {
  const sums = new Map<number, Sum>();
  for (const { strike, type, [measure]: value } of options) {
    const sum = sums.get(strike) ?? { strike, calls: 0, puts: 0 };
    sum[type === 'call' ? 'calls' : 'puts'] += value ?? 0;
    sums.set(strike, sum);
  }
  return [...sums.values()].sort((a, b) => a.strike - b.strike);
}
