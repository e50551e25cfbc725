/** Indicators of Bitcoin's cycle, which go beyond the specification: they take a key, as all other data do. */
export const cycleNames = [
  'two-year-ma',
  '200-week-ma',
  'golden-ratio',
  'profitable-days',
] as const;

/** Those of the source `bitcoin-models`; all others are those of `market-wide`. */
export const bitcoinNames = [
  'bitcoin-correlations',
  'ahr999',
  'puell-multiple',
  'stock-to-flow',
  'pi-cycle',
  'rainbow-chart',
  ...cycleNames,
] as const;

/** The path segments of specification 4.9, whose rows are open, and of those that go beyond it. */
export const indicatorNames = [
  'fear-greed',
  'altcoin-season',
  'bitcoin-dominance',
  'stablecoin-mcap',
  'bitcoin-correlations',
  'options-futures-oi-ratio',
  'futures-spot-volume-ratio',
  'ahr999',
  'puell-multiple',
  'stock-to-flow',
  'pi-cycle',
  'rainbow-chart',
  ...cycleNames,
  'exchange-transparency',
  'borrow-interest-rate',
  'borrow-rates',
  'bitfinex-margin',
  'network-metrics',
] as const;
export type IndicatorName = (typeof indicatorNames)[number];
