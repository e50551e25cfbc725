/** The newest public trades of WhiteBIT. https://docs.whitebit.com/api-reference/market-data/recent-trades */
import { takerWord } from '../trades.ts';

/** What other exchanges call base is `quote_volume`; `base_volume` is the turnover, rounded as prices are. */
export const trades = {
  most: 100,
  rows: '',
  columns: {
    ...{ id: 'tradeID', at: 'trade_timestamp', unit: 1000, price: 'price' },
    quantity: 'quote_volume',
    bought: takerWord('type'),
  },
};
