/** What tickers say of a market, in the texts of the wire. */
import { bookOf } from '../book.ts';
import { fixed, plain } from '../format.ts';
import type { Market } from '../market.ts';
import type { Model } from '../model.ts';

/** Its prices, best quotes and amounts of 24 h; the change in percent. */
export function quoteOf(market: Market, { now, model }: { now: number; model: Model }) {
  const { open, high, low, close, base, turnover } = model.last24h(market, now);
  const { bids, asks } = bookOf(market, now, 1);
  const price = (value = 0) => plain(value, market.decimals);
  const size = (quantity = 0) => plain(quantity, Math.max(0, market.lot));
  return {
    ...{ last: price(market.price(now)), open: price(open), high: price(high), low: price(low) },
    ...{ bid: price(bids[0]?.price), ask: price(asks[0]?.price) },
    ...{ bidSize: size(bids[0]?.quantity), askSize: size(asks[0]?.quantity) },
    ...{ base: plain(base, 8), turnover: plain(turnover, 8) },
    percent: fixed((close / open - 1) * 100, 6),
  };
}
