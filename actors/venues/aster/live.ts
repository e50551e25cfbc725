/** Prices of all markets of Aster by stream, in Binance's form. https://github.com/asterdex/api-docs */
import { miniTickers } from '../binance/live.ts';

export const livePrices = {
  spot: miniTickers('wss://sstream.asterdex.com/ws'),
  linear: miniTickers('wss://fstream.asterdex.com/ws'),
};
