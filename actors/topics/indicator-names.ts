/** The path segments of specification 4.9, and of indicators that go beyond it. */
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
  'two-year-ma',
  '200-week-ma',
  'golden-ratio',
  'profitable-days',
  'exchange-transparency',
  'borrow-interest-rate',
  'borrow-rates',
  'bitfinex-margin',
] as const;
export type IndicatorName = (typeof indicatorNames)[number];
