import { sumsOf } from '../../../indicators/options/chain.ts';
import type { MarketState } from '../../state/market-state.ts';
import { recordedKey, topics } from '../../topics/index.ts';
import { defineSeries, last, type SampleRow } from '../define.ts';

const { maxAge } = topics.options;

/** The sums of the options that have not expired, of assets that are in no list that is too old: their sum would be too low. */
function sample(market: MarketState, now: number): SampleRow<'options-open-interest'>[] {
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

/** Open interest of the options of each exchange by asset. The value of a day is that at its end. */
export const optionsOpenInterest = defineSeries({
  name: 'options-open-interest',
  key: 'exchange/asset',
  columns: { base: units, usd: last('US dollars'), calls: units, puts: units },
  tiers: [
    { step: '1h', keep: '30d' },
    { step: '1d', keep: '10y' },
  ],
  sample,
});
