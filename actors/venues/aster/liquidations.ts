/** Liquidation orders of Aster, in Binance's form. https://github.com/asterdex/api-docs */
import { forceOrders } from '../binance/liquidations.ts';

export const liquidations = { linear: forceOrders('wss://fstream.asterdex.com/ws') };
