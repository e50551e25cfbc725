import { isCoin } from '../../../config/assets/symbols.ts';
import { foldTurnovers } from '../../../indicators/market/prices.ts';
import type { MarketState } from '../../state/market-state.ts';
import { recordedKey, topics } from '../../topics/index.ts';
import { defineSeries, last, type SampleRow } from '../define.ts';

const maxAge = topics.prices.maxAge;
const kinds = { spot: 'spot', futures: 'perpetual' } as const;

/** The sums of the markets of coins of each exchange by kind; a kind without any turnover is left out. */
function* sample(market: MarketState, now: number): Generator<SampleRow<'exchange-turnover'>> {
  const rates = market.rates(now);
  for (const [source, readings] of market.bySource('prices')) {
    const { entries } = foldTurnovers(readings, { rates, now, maxAge });
    const coins = [...entries].flatMap(([symbol, own]) => (isCoin(symbol) ? own : []));
    const sums = { spot: 0, futures: 0 };
    for (const { kind, value } of coins) sums[kind] += value;
    for (const kind of ['spot', 'futures'] as const) {
      if (sums[kind] > 0)
        yield { key: recordedKey(source, kinds[kind]), values: { usd: sums[kind] } };
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
