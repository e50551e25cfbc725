/** Series of options. The value of a day is that at its end. */
import { expiriesOf, sumsOf } from '../../../indicators/options/chain.ts';
import { tenorOf, termsOf } from '../../../indicators/options/volatility.ts';
import type { MarketState } from '../../state/market-state.ts';
import { type OptionRow, recordedKey, tenors, topics } from '../../topics/index.ts';
import { defineSeries, last, type SampleRow, type Tier } from '../define.ts';

const { maxAge } = topics.options;
const tiers: [Tier, Tier] = [
  { step: '1h', keep: '30d' },
  { step: '1d', keep: '10y' },
];

/** The sums of the options that have not expired, of assets that are in no list that is too old: their sum would be too low. */
function openInterest(market: MarketState, now: number): SampleRow<'options-open-interest'>[] {
  return [...market.bySource('options')].flatMap(([source, readings]) => {
    const old = readings.filter(({ received }) => now - received > maxAge);
    const lacking = new Set(old.flatMap(({ rows }) => rows.map(({ symbol }) => symbol)));
    const listed = readings.flatMap(({ rows }) =>
      rows.filter(({ symbol, expiry }) => expiry > now && !lacking.has(symbol)),
    );
    return [...Map.groupBy(listed, ({ symbol }) => symbol)].map(([symbol, own]) => {
      const { open_interest: base, open_interest_usd: usd, calls, puts } = sumsOf(own);
      return { key: recordedKey(source, symbol), values: { base, usd, calls, puts } };
    });
  });
}

const units = last('base asset');

/** Open interest of the options of each exchange by asset. */
export const optionsOpenInterest = defineSeries({
  name: 'options-open-interest',
  key: 'exchange/asset',
  columns: { base: units, usd: last('US dollars'), calls: units, puts: units },
  tiers,
  sample: openInterest,
});

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

/** Implied volatility and skew at constant tenors by asset. */
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
  tiers,
  sample: (market, now) =>
    [...Map.groupBy(listed(market, now), ({ symbol }) => symbol)].flatMap(([symbol, rows]) =>
      rowOf(symbol, rows, now),
    ),
});
