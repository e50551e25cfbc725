/** The page of all indicators, from the catalogue. */
import { catalogue } from '../../indicators/catalogue.ts';
import type { Category, Indicator, Parameter } from '../../indicators/spec.ts';

const headings: Record<Category, string> = {
  overlap: 'Averages and overlays',
  volatility: 'Bands, channels, volatility',
  momentum: 'Momentum',
  trend: 'Trend',
  volume: 'Volume',
  transform: 'Prices',
};

function allowed(parameter: Parameter): string {
  if (parameter.type === 'word') return parameter.allowed.map((word) => `\`${word}\``).join(' ');
  return `${parameter.type === 'integer' ? 'whole, ' : ''}${parameter.minimum} to ${parameter.maximum}`;
}

const parameterRow = ([name, parameter]: [string, Parameter]) =>
  `| \`${name}\` | \`${parameter.default}\` | ${allowed(parameter)} | ${parameter.description} |`;

/** Every parameter at its default. */
const defaults = ({ parameters }: Indicator) =>
  Object.fromEntries(Object.entries(parameters).map(([name, p]) => [name, p.default]));

function section(indicator: Indicator): string {
  const { name, aliases, title, parameters, outputs, formula, source, cumulative } = indicator;
  const also = aliases ? ` (also ${aliases.map((alias) => `\`${alias}\``).join(', ')})` : '';
  const rows = Object.entries(parameters).map(parameterRow);
  const table =
    rows.length > 0
      ? `\n| Parameter | Default | Allowed | |\n|---|---|---|---|\n${rows.join('\n')}\n`
      : '';
  return `### \`${name}\`${also}: ${title}

${formula}.${cumulative ? ' Counts from the first candle that is fetched.' : ''}

Outputs: ${outputs.map((output) => `\`${output}\``).join(', ')}. Candles needed with the defaults: ${indicator.minimum(defaults(indicator))}.
Source: ${source}.
${table}`;
}

const conventions = `- Candles are closed ones, oldest first, in UTC. Nothing is rounded.
- A column is as long as the candles. Where there is no value it is null: before the first one, and where a divisor
  is 0 unless the entry says what holds instead.
- A value depends on no later candle, except for \`ichimoku.chikou\`, \`fractal\` and \`dpo\` with \`centered\`, which are
  shown at an earlier candle than the one that makes them known.
- What is about a day, a week or a month is null, with a warning, in a first period that the candles do not begin with; of a market
  up to 4,999 candles are fetched for it. What counts from the first candle is marked: only its changes compare.
- Windows include the current candle. \`source\` chooses the series: ${'`open` `high` `low` `close` `hl2` `hlc3` `ohlc4` `volume`'}.
- EMA: 2/(n+1), seeded with the mean of the first n values, which is its first value; a chained EMA starts that much
  later. RMA (Wilder): the same with 1/n.
- True range has no value for the first candle, so ATR(n) begins at index n.
- Standard deviations are of the sample (n−1) unless \`ddof\` is 0. Sample = population·√(n/(n−1)).
- Two numbers are one where they differ by less than 1e-12 of their size, which is rounding: a range, a deviation or a move
  of so little is exactly 0.
- A flat market has an RSI of 50; one that only rises, of 100.
- Yes and no are 1 and 0.`;

const differences = `| Topic | Here | Elsewhere | Why |
|---|---|---|---|
| EMA seed | mean of the first n | first value (Tulip) | the interface fixes it for ema20 and ema50 |
| Standard deviation | sample | population (TA-Lib, Tulip, TradingView, Stock.Indicators) | the interface fixes it for Bollinger; \`ddof\` 0 gives the other |
| MACD's fast EMA | seeded on its own first values | at the bar of the slow one (TA-Lib) | each EMA then is the one that \`ema\` gives |
| True range of the first candle | none | H−L (Tulip, TradingView) | it has no close before it |
| CMO | plain sums | Wilder's averages (TA-Lib) | the author's definition |
| ADX seed | mean of n values | n−1 values (TA-Lib) | the same seeding as every other Wilder average here |
| Aroon, equal extremes | the most recent | the oldest (Stock.Indicators) | as TA-Lib and Tulip |
| OBV | starts at 0 | at the first volume (TA-Lib) | the first candle has no direction |
| Stochastic RSI | k smoothed over 3, 0 to 100 | not smoothed (TA-Lib), 0 to 1 (Tulip) | as TradingView; \`k\` 1 gives the other |
| Donchian | with the current candle | without (Stock.Indicators) | as TradingView |
| KAMA | from index n−1 | from index n (TA-Lib) | the seed is a value; the others are equal |
| Parabolic SAR | TA-Lib's start and clamping | always starts rising (Stock.Indicators) | they meet after the first common reversal |
| VWAP | begins anew at the UTC day, null before it is whole | with the series (Stock.Indicators) | \`anchor\` \`none\` gives the other |
| ADX, candles needed | until ADXR has a value, 3n−1 | until ADX has, 2n | the number given is for the slowest output |
| Squeeze momentum | all its windows are \`mom_length\` | one length (LazyBear) | equal with the defaults |
| Historical volatility | candles per year from the times | a setting | \`periods_per_year\` other than 0 sets it |`;

/** The text of docs/indicators.md. */
export function indicatorsForDocs(): string {
  const entries = [...catalogue.values()];
  const categories = [...new Set(entries.map((entry) => entry.category))];
  const sections = categories.map((category) => {
    const own = entries.filter((entry) => entry.category === category);
    return `## ${headings[category]}\n\n${own.map(section).join('\n')}`;
  });
  return `# Indicators

Made from the catalogue in \`indicators/\` by \`npm run docs\`. ${entries.length} indicators; parameters are written in the order of
their table, as in \`macd:8,21,5\`, or by name.

## Conventions

${conventions}

## Where we differ

${differences}

${sections.join('\n')}`;
}
