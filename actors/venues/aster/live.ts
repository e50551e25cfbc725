/** Prices and mark prices of all markets of Aster by stream, in Binance's form. https://github.com/asterdex/api-docs */
import { markPrices, miniTickers } from '../binance/live.ts';

const linear = 'wss://fstream.asterdex.com/ws';

export const live = {
  prices: { spot: miniTickers('wss://sstream.asterdex.com/ws'), linear: miniTickers(linear) },
  derivatives: { linear: markPrices(linear) },
};
