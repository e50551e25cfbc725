/** Ratios over the followed exchanges: options to futures, futures to spot. */
import type { OptionRow } from '../options/chain.ts';
import { quotientOf, sumKnown } from './assets.ts';

/** The words for options to futures. */
export type OptionsSignal = 'options_dominant' | 'futures_dominant' | 'balanced';

/** Above 1 options, below 0.5 futures. */
export function optionsSignalOf(ratio: number): OptionsSignal {
  if (ratio > 1) return 'options_dominant';
  return ratio < 0.5 ? 'futures_dominant' : 'balanced';
}

/** Open interest of one asset by exchange, US dollars, one side. */
export interface OpenInterests {
  symbol: string;
  options: ReadonlyMap<string, number>;
  futures: ReadonlyMap<string, number>;
}

/** `open interest of options / open interest of futures`; null where no exchange states one of them. */
export function optionsRatio({ symbol, options, futures }: OpenInterests) {
  const above = sumKnown([...options.values()]);
  const below = sumKnown([...futures.values()]);
  return {
    symbol,
    ratio: quotientOf(above, below),
    options_oi_usd: above,
    futures_oi_usd: below,
    options_exchanges: [...options.keys()].sort(),
    futures_exchange_count: futures.size,
  };
}

/** The words for futures to spot. */
export type VolumeSignal = 'leverage_driven' | 'spot_driven' | 'balanced';

/** Above 5 leverage, below 2 spot. */
export function volumeSignalOf(ratio: number): VolumeSignal {
  if (ratio > 5) return 'leverage_driven';
  return ratio < 2 ? 'spot_driven' : 'balanced';
}

/** The 24 h turnover of one market, US dollars. */
export interface Turnover {
  exchange: string;
  symbol: string;
  kind: 'futures' | 'spot';
  volume_24h_usd: number;
}

function volumeRatio(rows: readonly Turnover[]) {
  const sums = { futures: 0, spot: 0 };
  for (const { kind, volume_24h_usd: volume } of rows) sums[kind] += volume;
  return {
    ratio: quotientOf(sums.futures, sums.spot),
    futures_volume_24h_usd: sums.futures,
    spot_volume_24h_usd: sums.spot,
  };
}

/** Assets that are shown by themselves. */
export const volumeAssets = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE', 'BNB'] as const;

/** `turnover of futures / turnover of spot`, of markets of the same minute. */
export function volumeRatios(rows: readonly Turnover[]) {
  const all = volumeRatio(rows);
  const byExchange = Map.groupBy(rows, ({ exchange }) => exchange);
  return {
    ...all,
    by_asset: volumeAssets.map((symbol) => ({
      symbol,
      ...volumeRatio(rows.filter((row) => row.symbol === symbol)),
    })),
    by_exchange: [...byExchange.keys()]
      .sort()
      .map((exchange) => ({ exchange, ...volumeRatio(byExchange.get(exchange) ?? []) })),
    signal: all.ratio === null ? null : volumeSignalOf(all.ratio),
  };
}

/** Open interest of the options on one asset. */
export interface OptionsInterest {
  /** Base units. */
  units: number;
  /** US dollars at the forward of each option. */
  value: number;
}

/** Adds up by asset, over any number of lists. */
export function interestByAsset(
  ...lists: readonly (readonly OptionRow[])[]
): ReadonlyMap<string, OptionsInterest> {
  const sums = new Map<string, OptionsInterest>();
  for (const { symbol, open_interest, underlying } of lists.flat()) {
    const { units, value } = sums.get(symbol) ?? { units: 0, value: 0 };
    sums.set(symbol, {
      units: units + open_interest,
      value: value + open_interest * underlying,
    });
  }
  return sums;
}
