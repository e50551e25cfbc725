/** All indicators, by name. */

import type { Indicator } from './spec.ts';
import { changeEntries } from './technical/momentum/change.ts';
import { kstEntries } from './technical/momentum/kst.ts';
import { macdEntries } from './technical/momentum/macd.ts';
import { oscillatorEntries } from './technical/momentum/oscillators.ts';
import { rsiEntries } from './technical/momentum/rsi.ts';
import { stochasticEntries } from './technical/momentum/stochastic.ts';
import { adaptiveEntries } from './technical/overlap/adaptive.ts';
import { averageEntries } from './technical/overlap/averages.ts';
import { linregEntries } from './technical/overlap/linreg.ts';
import { rangeMiddleEntries, transformEntries } from './technical/overlap/ranges.ts';
import { stopEntries } from './technical/overlap/stops.ts';
import { vwapEntries } from './technical/overlap/vwap.ts';
import { adxEntries } from './technical/trend/adx.ts';
import { directionEntries } from './technical/trend/direction.ts';
import { pivotEntries } from './technical/trend/pivots.ts';
import { bandEntries } from './technical/volatility/bands.ts';
import { dispersionEntries } from './technical/volatility/dispersion.ts';
import { rangeEntries } from './technical/volatility/ranges.ts';
import { squeezeEntries } from './technical/volatility/squeeze.ts';
import { flowEntries } from './technical/volume/flow.ts';
import { pressureEntries } from './technical/volume/pressure.ts';
import { nearestOf } from './words.ts';

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

/** The outputs of an indicator that are prices. */
export const pricesOf = ({ category, outputs, onPrice }: Indicator): readonly string[] =>
  onPrice ?? (category === 'overlap' || category === 'transform' ? outputs : []);

const known = new Map(
  entries.flatMap((entry) =>
    [entry.name, ...(entry.aliases ?? [])].map((name): [string, Indicator] => [name, entry]),
  ),
);

/** The indicator of a name or an alias, in any case. */
export const findIndicator = (name: string): Indicator | undefined => known.get(name.toLowerCase());

/** The name of the indicator whose name or alias is nearest to a word that is none. */
export const nearest = (name: string): string =>
  known.get(nearestOf(name, known.keys()) ?? '')?.name ?? '';
