/**
 * The newest public trades of Binance: one row for each taker order and price, as in its stream, with the same ids.
 * https://developers.binance.com/docs/derivatives/usds-margined-futures/market-data/rest-api/Compressed-Aggregate-Trades-List
 */
import { byPart } from '../../sources/venue.ts';
import { buyerIsMaker, recentTrades as tradesBy } from '../trades.ts';
import { type Ask, get, type PartName } from './markets.ts';

const weights: Readonly<Record<PartName, number>> = { spot: 4, linear: 20, inverse: 20 };

export const recentTrades = tradesBy<Ask>(
  byPart(
    (part: PartName) => ({
      most: 1000,
      request: ({ market, limit }) =>
        get(part, '/aggTrades', weights[part], { symbol: market, limit }),
      rows: '',
      columns: { id: 'a', at: 'T', price: 'p', quantity: 'q', bought: buyerIsMaker('m') },
    }),
    'spot',
    'linear',
    'inverse',
  ),
);
