/** The newest public trades of Gate. https://www.gate.com/docs/developers/apiv4/en/#retrieve-market-trades */
import type { WireRow } from '../../read.ts';
import { byPart } from '../../sources/venue.ts';
import { secondsOrMs, signed, takerWord, recentTrades as tradesBy } from '../trades.ts';
import { type Ask, get } from './api.ts';
import { type Settle, settles } from './rows.ts';

/** A text of ms with decimals on spot, seconds with decimals of contracts, whose older rows have whole seconds alone. */
const at = ({ create_time_ms: stated, create_time: seconds }: WireRow) =>
  secondsOrMs(stated) ?? secondsOrMs(seconds);

const contracts = (settle: Settle) => ({
  most: 1000,
  request: ({ market, limit }: { market: string; limit: number }) =>
    get(settle, 'trades', 'trades', { contract: market, limit }),
  rows: '',
  columns: {
    ...{ id: 'id', at, price: 'price' },
    // Contracts.
    ...signed('size'),
  },
  // Made inside the exchange, beside the order book.
  keep: ({ is_internal: inside }: WireRow) => inside !== true,
});

export const recentTrades = tradesBy<Ask>({
  spot: {
    most: 1000,
    request: ({ market, limit }) =>
      get('spot', 'trades', 'trades', { currency_pair: market, limit }),
    rows: '',
    columns: { id: 'id', at, price: 'price', quantity: 'amount', bought: takerWord('side') },
  },
  ...byPart(contracts, ...settles),
});
