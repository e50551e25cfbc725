import * as s from '../../actors/topics/schema.ts';
import { apiError, warmingUp } from '../errors.ts';
import { type Snapshot, snapshotOf } from '../snapshots.ts';
import { exchangeEntry, openInterestAnswer, pricesAnswer } from '../views/market-schemas.ts';
import type { RoutesContext } from './context.ts';
import { symbol } from './params.ts';
import { type Route, route } from './route.ts';

const common = { method: 'GET', group: 'Prices, order books, bars' } as const;

/** A view with one answer per symbol and one for all of them. */
interface BySymbol<One, All> {
  all(): Snapshot<All> | null;
  one(symbol: string): Snapshot<One> | 'unknown' | 'stale';
}

/** The answer for the symbol, or an error. `what` names the number, such as `price`. */
function bySymbol<One, All>(view: BySymbol<One, All>, symbol: string | undefined, what: string) {
  if (symbol === undefined) return view.all() ?? warmingUp;
  const name = symbol.toUpperCase();
  const found = view.one(name);
  if (typeof found !== 'string') return found;
  if (found === 'stale') {
    const message = `every exchange's ${what} of ${name} is too old or not confirmed yet`;
    return apiError('warming_up', message, { retryAfter: 30 });
  }
  return view.all() === null
    ? warmingUp
    : apiError('unknown_symbol', `no exchange has a ${what} of ${name}`);
}

const pricesRoute = ({ prices }: Pick<RoutesContext, 'prices'>): Route =>
  route({
    ...common,
    path: '/v1/prices',
    summary: 'Last traded prices over all exchanges, one symbol or all',
    params: { symbol },
    answer: pricesAnswer,
    access: 'key',
    from: { view: (values) => bySymbol(prices, values.symbol, 'price') },
  });

const openInterestRoute = ({ openInterest }: Pick<RoutesContext, 'openInterest'>): Route =>
  route({
    ...common,
    path: '/v1/open-interest',
    summary: 'Open interest of perpetuals over all exchanges, one symbol or all',
    params: { symbol },
    answer: openInterestAnswer,
    access: 'key',
    from: { view: (values) => bySymbol(openInterest, values.symbol, 'open interest') },
  });

/** Those that this row names; `/v2/exchanges` has all. */
const named = ['prices', 'derivatives', 'open_interest', 'orderbook', 'bars'] as const;

function exchangesRoute({ registry }: Pick<RoutesContext, 'registry'>): Route {
  const exchanges = registry.map(({ id, name, kinds, capabilities, orderbook_cap, example }) => ({
    ...{ id, name, kinds, orderbook_cap, example },
    capabilities: named.filter((capability) => capability in capabilities),
  }));
  const snapshot = snapshotOf({ exchanges, count: exchanges.length });
  return route({
    ...common,
    path: '/v1/exchanges',
    summary: 'The exchanges there are, and what each of them offers here',
    params: {},
    answer: s.object({ exchanges: s.list(exchangeEntry), count: s.integer() }),
    access: 'open',
    undated: true,
    from: { view: () => snapshot },
  });
}

/** The state of the market, served from memory (specification 4.11). */
export const marketRoutes = (
  context: Pick<RoutesContext, 'prices' | 'openInterest' | 'registry'>,
): Route[] => [pricesRoute(context), openInterestRoute(context), exchangesRoute(context)];
