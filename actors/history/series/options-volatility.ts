import { expiriesOf } from '../../../indicators/options/chain.ts';
import { tenorOf, termsOf } from '../../../indicators/options/volatility.ts';
import type { MarketState } from '../../state/market-state.ts';
import { type OptionRow, tenors, topics } from '../../topics/index.ts';
import { defineSeries, last, type SampleRow } from '../define.ts';

const { maxAge } = topics.options;

/** The options of all exchanges, of lists that are not too old. */
const listed = (market: MarketState, now: number): OptionRow[] =>
  [...market.bySource('options').values()]
    .flat()
    .filter(({ received }) => now - received <= maxAge)
    .flatMap(({ rows }) => rows);

/** The tenors of an asset; assets without any are left out. */
function rowOf(
  symbol: string,
  rows: readonly OptionRow[],
  now: number,
): SampleRow<'options-volatility'>[] {
  const terms = termsOf(expiriesOf(rows, now));
  const [week, month, quarter, half] = tenors.map((days) => tenorOf(terms, days));
  const values = {
    atm_7: week?.atm ?? null,
    skew_7: week?.skew ?? null,
    atm_30: month?.atm ?? null,
    skew_30: month?.skew ?? null,
    atm_90: quarter?.atm ?? null,
    skew_90: quarter?.skew ?? null,
    atm_180: half?.atm ?? null,
    skew_180: half?.skew ?? null,
  };
  const isKnown = Object.values(values).some((value) => value !== null);
  return isKnown ? [{ key: symbol, values }] : [];
}

const yearly = last('fraction a year');

/** Implied volatility and skew at constant tenors by asset. The value of a day is that at its end. */
export const optionsVolatility = defineSeries({
  name: 'options-volatility',
  key: 'asset',
  columns: {
    atm_7: yearly,
    skew_7: yearly,
    atm_30: yearly,
    skew_30: yearly,
    atm_90: yearly,
    skew_90: yearly,
    atm_180: yearly,
    skew_180: yearly,
  },
  tiers: [
    { step: '1h', keep: '30d' },
    { step: '1d', keep: '10y' },
  ],
  sample: (market, now) =>
    [...Map.groupBy(listed(market, now), ({ symbol }) => symbol)].flatMap(([symbol, rows]) =>
      rowOf(symbol, rows, now),
    ),
});
