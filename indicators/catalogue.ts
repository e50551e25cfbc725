/** All indicators, by name. */
import { changeEntries } from './momentum/change.ts';
import { kstEntries } from './momentum/kst.ts';
import { macdEntries } from './momentum/macd.ts';
import { oscillatorEntries } from './momentum/oscillators.ts';
import { rsiEntries } from './momentum/rsi.ts';
import { stochasticEntries } from './momentum/stochastic.ts';
import { adaptiveEntries } from './overlap/adaptive.ts';
import { averageEntries } from './overlap/averages.ts';
import { linregEntries } from './overlap/linreg.ts';
import { rangeMiddleEntries, transformEntries } from './overlap/ranges.ts';
import { stopEntries } from './overlap/stops.ts';
import { vwapEntries } from './overlap/vwap.ts';
import type { Indicator } from './spec.ts';
import { adxEntries } from './trend/adx.ts';
import { directionEntries } from './trend/direction.ts';
import { pivotEntries } from './trend/pivots.ts';
import { bandEntries } from './volatility/bands.ts';
import { dispersionEntries } from './volatility/dispersion.ts';
import { rangeEntries } from './volatility/ranges.ts';
import { squeezeEntries } from './volatility/squeeze.ts';
import { flowEntries } from './volume/flow.ts';
import { pressureEntries } from './volume/pressure.ts';

const entries: readonly Indicator[] = [
  ...averageEntries,
  ...adaptiveEntries,
  ...linregEntries,
  ...rangeMiddleEntries,
  ...vwapEntries,
  ...stopEntries,
  ...bandEntries,
  ...rangeEntries,
  ...dispersionEntries,
  ...squeezeEntries,
  ...rsiEntries,
  ...macdEntries,
  ...stochasticEntries,
  ...changeEntries,
  ...kstEntries,
  ...oscillatorEntries,
  ...adxEntries,
  ...directionEntries,
  ...pivotEntries,
  ...flowEntries,
  ...pressureEntries,
  ...transformEntries,
];

/** Every indicator by its name, categories together. */
export const catalogue: ReadonlyMap<string, Indicator> = new Map(
  entries.map((entry) => [entry.name, entry]),
);

const known = new Map(
  entries.flatMap((entry) =>
    [entry.name, ...(entry.aliases ?? [])].map((name): [string, Indicator] => [name, entry]),
  ),
);

/** The indicator of a name or an alias, in any case. */
export const findIndicator = (name: string): Indicator | undefined => known.get(name.toLowerCase());

/** Letters to insert, remove or replace to get from one word to the other (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (letter === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Longer than every name: what is beyond it in a caller's word changes no distance's order. */
const longest = 32;

/** The name of the indicator whose name or alias is nearest to a word that is none. */
export function nearest(name: string): string {
  const word = name.toLowerCase().slice(0, longest);
  let best = { name: '', distance: Number.POSITIVE_INFINITY };
  for (const [candidate, entry] of known) {
    const far = distance(word, candidate);
    if (far < best.distance) best = { name: entry.name, distance: far };
  }
  return best.name;
}
