import { isCoin } from '../../../config/assets/symbols.ts';
import { foldTurnovers, lacksPart } from '../../../indicators/market/prices.ts';
import { having, type MarketState } from '../../state/market-state.ts';
import { recordedKey, topics } from '../../topics/index.ts';
import { defineSeries, last, type SampleRow } from '../define.ts';

const maxAge = topics.prices.maxAge;

/** The sums of the markets of coins of each exchange by kind; a kind without any turnover, or without one of its parts, is left out. */
function* sample(market: MarketState, now: number): Generator<SampleRow<'exchange-turnover'>> {
  const rates = market.rates(now);
  for (const [source, readings] of market.bySource('prices')) {
    for (const kind of ['spot', 'perpetual'] as const) {
      const own = having(readings, (row) => row.kind === kind && isCoin(row.symbol));
      const context = { rates, now, maxAge };
      if (lacksPart(own, context)) continue;
      const sums = [...foldTurnovers(own, context).entries.values()].flat();
      const usd = sums.reduce((sum, { value }) => sum + value, 0);
      if (usd > 0) yield { key: recordedKey(source, kind), values: { usd } };
    }
  }
}

/** Turnover of the last 24 hours of each exchange. */
export const exchangeTurnover = defineSeries({
  name: 'exchange-turnover',
  key: 'exchange/kind',
  columns: { usd: last('US dollars') },
  tiers: [
    { step: '5m', keep: '30d' },
    { step: '1h', keep: '10y' },
  ],
  sample,
});
