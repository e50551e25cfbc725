import { type Route, route } from '../endpoints/route.ts';
import { assetAmong } from '../views/markets.ts';
import { referenceRateAnswer } from '../views/reference-rate.ts';
import { apiError, warmingUp } from '../wire/errors.ts';
import { symbolOrBitcoin } from './analytics/common.ts';
import type { RoutesContext } from './context.ts';

/** A reference price of a tracked asset, with all that it is made of; it is computed anew each second. */
export const referenceRateRoute = ({
  referenceRates,
  prices,
}: Pick<RoutesContext, 'referenceRates' | 'prices'>): Route =>
  route({
    method: 'GET',
    group: 'Prices, order books, bars',
    access: 'key',
    path: '/v1/reference-rate',
    summary: 'Reference price that no single exchange can move far: weighted median of last trades',
    params: { symbol: symbolOrBitcoin },
    answer: referenceRateAnswer,
    from: {
      answers: referenceRates.answers,
      query({ symbol }) {
        const tracked = new Set(referenceRates.symbols());
        const isListed = (name: string) => tracked.has(name) || prices.one(name) !== 'unknown';
        const asset = assetAmong(isListed, symbol.toUpperCase());
        if (tracked.has(asset)) return asset;
        const isEarly = tracked.size === 0 && (isListed(asset) || prices.all() === null);
        if (isEarly) return warmingUp;
        return apiError(
          'unknown_symbol',
          `${asset} is not one of the assets with a reference rate`,
        );
      },
    },
  });
