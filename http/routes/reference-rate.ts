import type { Route } from '../endpoints/route.ts';
import { assetAmong } from '../views/markets.ts';
import { referenceRateAnswer } from '../views/reference-rate.ts';
import { apiError } from '../wire/errors.ts';
import { symbolOrBitcoin } from './analytics/common.ts';
import type { RoutesContext } from './context.ts';
import { document } from './factory/document.ts';
import { explain } from './params.ts';

type Context = Pick<RoutesContext, 'referenceRates' | 'prices'>;

/** A reference price of a tracked asset, with all that it is made of; it is computed anew each second. */
export function referenceRateRoute({ referenceRates, prices }: Context): Route {
  const isListed = (name: string) => referenceRates.has(name) || prices.has(name);
  const assetOf = (symbol: string) => assetAmong(isListed, symbol.toUpperCase());
  return document({
    group: 'Prices, order books, bars',
    path: '/v1/reference-rate',
    summary: 'Reference price that no single exchange can move far: weighted median of last trades',
    params: { symbol: symbolOrBitcoin, explain },
    answer: referenceRateAnswer,
    source: referenceRates.source,
    keysOf: ({ symbol }) => [assetOf(symbol)],
    build({ symbol, explain }) {
      const asset = assetOf(symbol);
      const isEarly = referenceRates.isEmpty() && (prices.isEmpty() || isListed(asset));
      if (referenceRates.has(asset) || isEarly) {
        return explain === '1' ? referenceRates.explained(asset) : referenceRates.one(asset);
      }
      return apiError('unknown_symbol', `${asset} is not one of the assets with a reference rate`);
    },
  });
}
