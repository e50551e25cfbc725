import { dollarQuotes } from '../../../config/quotes.ts';
import { datedRows } from '../../../indicators/market/fold.ts';
import type { MarketState } from '../../state/market-state.ts';
import { recordedKey, topics } from '../../topics/index.ts';
import { defineSeries, exact, type SampleRow } from '../define.ts';

/** What perpetuals and dated futures state of themselves, by exchange. */
function* stated(market: MarketState, now: number) {
  for (const topic of ['derivatives', 'futures'] as const) {
    for (const [source, readings] of market.bySource(topic)) {
      for (const { row, received } of datedRows(readings))
        if (now - received <= topics[topic].maxAge) yield { source, row };
    }
  }
}

/** Contracts of tracked assets whose mark and index are both known, of exchanges that keep no candles of the two. */
function* sample(market: MarketState, now: number): Generator<SampleRow<'basis'>> {
  const among = new Set(market.tracked(now));
  const keeping = new Set(market.supportedExchanges('basisHistory'));
  for (const { source, row } of stated(market, now)) {
    const { symbol, quote, mark, index } = row;
    if (keeping.has(source) || !among.has(symbol) || !dollarQuotes.has(quote)) continue;
    if (mark === null || index === null) continue;
    yield { key: recordedKey(source, row.market), values: { mark, index } };
  }
}

// In single precision a basis of a hundredth of a percent would be off by a thousandth of itself.
const price = exact('quote');

/** Mark and index prices of perpetuals and dated futures. */
export const basis = defineSeries({
  name: 'basis',
  key: 'exchange/market',
  columns: { mark: price, index: price },
  tiers: [
    { step: '5m', keep: '30d' },
    { step: '1h', keep: '10y' },
  ],
  sample,
});
