/** The markets of Binance in the form of its own public API: `/compat/binance`. Nothing but reading. */

import { apiError, type kit } from '../../kit.ts';
import { candleRoutes } from './candles.ts';
import { contractRoutes } from './contracts.ts';
import { form } from './form.ts';
import { infoRoutes } from './info.ts';
import { type Context, contracts, Listing, spot } from './markets.ts';
import { queryRoutes } from './queries.ts';
import { tickerRoutes } from './tickers.ts';

/** The rows of both APIs. */
export function binanceRoutes(context: Context): kit.Route[] {
  const apis = [spot, contracts].map((api) => ({ api, listing: new Listing(context, api) }));
  return apis.flatMap(({ api, listing }) => [
    ...infoRoutes(context, api, listing),
    ...tickerRoutes(context, api, listing),
    ...candleRoutes(api, listing),
    ...queryRoutes(api, listing),
    ...(api === contracts ? contractRoutes(context, listing) : []),
  ]);
}

/** What all other paths below say: orders and accounts above all. */
export const binanceOtherwise = {
  pattern: '/compat/binance/*',
  noEnvelope: form,
  error: apiError(
    'not_found',
    'there is nothing at this path: only public market data are answered here; send orders, and whatever needs an account, to Binance itself',
  ),
};

/** Leverage brackets are those of an account, and refused as the exchange refuses a key that it does not know. */
export const binanceBrackets = {
  pattern: '/compat/binance/fapi/v1/leverageBracket',
  noEnvelope: form,
  error: apiError('unauthorized', 'Invalid API-key, IP, or permissions for action.'),
};
