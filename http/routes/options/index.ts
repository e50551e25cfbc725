import type { kit } from '../kit.ts';
import { exchangeOiRoute } from './exchange-oi.ts';
import { gammaExposureRoute, greeksRoute } from './greeks.ts';
import { historyRoute } from './history.ts';
import { infoRoute, maxPainRoute } from './info.ts';
import { surfaceRoute } from './surface.ts';
import { tradesRoute } from './trades.ts';

/** Options (specification 4.8); without an exchange that has any there are no rows. */
export function optionsRoutes({
  options,
  optionTrades,
  recorded,
  exchanges: { options: ids = [] },
}: kit.Needs<'options' | 'optionTrades' | 'recorded' | 'exchanges'>) {
  if (ids.length === 0) return [];
  const context = { options, recorded, ids };
  return [
    infoRoute(context),
    maxPainRoute(context),
    exchangeOiRoute(context),
    greeksRoute(context),
    surfaceRoute(context),
    gammaExposureRoute(context),
    tradesRoute({ options, optionTrades }),
    ...historyRoute(context),
  ];
}
