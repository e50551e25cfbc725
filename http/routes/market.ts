import * as s from '../../actors/topics/schema.ts';
import { baseOf, readName } from '../../indicators/market/market-names.ts';
import { type Snapshot, snapshotOf } from '../answers/snapshots.ts';
import { type Memory, type Unsubscribe, unchanging } from '../answers/source.ts';
import { type Route, route, type Values } from '../endpoints/route.ts';
import {
  exchangeEntry,
  interestAnswer,
  interestsAnswer,
  priceAnswer,
  pricesAnswer,
} from '../views/market-schemas.ts';
import { apiError, isApiError, warmingUp } from '../wire/errors.ts';
import type { RoutesContext } from './context.ts';
import { symbol } from './params.ts';
import {
  meantBy,
  type Several,
  SeveralAnswers,
  severalOf,
  symbols,
  symbolsOf,
} from './symbol-list.ts';

const common = { method: 'GET', group: 'Prices, order books, bars' } as const;

/** A view with one answer per symbol and one for all of them. */
interface BySymbol<One, All> {
  all(): Snapshot<All> | null;
  one(symbol: string): Snapshot<One> | 'unknown' | 'stale';
  listen(symbols: readonly string[] | undefined, listener: () => void): Unsubscribe;
}

/** The asset that a client names, in any letter case: itself where the view has it, else the base of a pair such as `BTC-USDT`. */
function assetIn<One, All>(view: BySymbol<One, All>, given: string) {
  const name = given.toUpperCase();
  const found = view.one(name);
  if (found !== 'unknown') return { name, found };
  const base = baseOf(readName(name));
  return { name: base, found: view.one(base) };
}

/** The answer for what a client names, or an error. `what` names the number, such as `price`. */
function bySymbol<One, All>(view: BySymbol<One, All>, given: string, what: string) {
  const { name, found } = assetIn(view, given);
  if (typeof found !== 'string') return found;
  if (found === 'stale') {
    const message = `every exchange's ${what} of ${name} is too old or not confirmed yet`;
    return apiError('warming_up', message, { retryAfter: 30 });
  }
  return view.all() === null
    ? warmingUp
    : apiError('unknown_symbol', `no exchange has a ${what} of ${given.toUpperCase()}`);
}

const params = { symbol, symbols };

/** The origin of a row about one symbol, several or all. */
function originOf<One, All>(
  view: BySymbol<One, All>,
  what: string,
): Memory<Values<typeof params>, One | All | Several<One>> {
  const several = new SeveralAnswers<One>();
  return {
    view({ symbol, symbols: list }) {
      if (list !== undefined) {
        const names = symbolsOf(list, symbol);
        return isApiError(names)
          ? names
          : several.read(names, (name) => bySymbol(view, name, what));
      }
      return symbol === undefined ? (view.all() ?? warmingUp) : bySymbol(view, symbol, what);
    },
    listen: ({ symbol, symbols: list }, listener) => view.listen(meantBy(list, symbol), listener),
  };
}

/** What a row about one symbol, several or all answers. */
const answerOf = <One extends s.TSchema, All extends s.TSchema>(
  one: One,
  all: All,
  { title, about }: { title: string; about: string },
) =>
  s.chosenBy(
    { symbol: one, symbols: severalOf(title, one) },
    all,
    `With \`symbol\`, ${about}; with \`symbols\`, several of them; without, a map from every symbol to its summary.`,
  );

const pricesRoute = ({ prices }: Pick<RoutesContext, 'prices'>): Route =>
  route({
    ...common,
    path: '/v1/prices',
    summary: 'Last traded prices over all exchanges, one symbol, several or all',
    params,
    answer: answerOf(priceAnswer, pricesAnswer, {
      title: 'PricesOfSymbols',
      about: 'its price on every exchange',
    }),
    access: 'key',
    from: originOf(prices, 'price'),
  });

const openInterestRoute = ({ openInterest }: Pick<RoutesContext, 'openInterest'>): Route =>
  route({
    ...common,
    path: '/v1/open-interest',
    summary: 'Open interest of perpetuals over all exchanges, one symbol, several or all',
    params,
    answer: answerOf(interestAnswer, interestsAnswer, {
      title: 'OpenInterestOfSymbols',
      about: 'its open interest on every exchange',
    }),
    access: 'key',
    from: originOf(openInterest, 'open interest'),
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
    answer: s.object({ exchanges: s.list(exchangeEntry, 'One row an exchange.'), count: s.count }),
    access: 'open',
    undated: true,
    from: unchanging(snapshot),
  });
}

/** The state of the market, served from memory (specification 4.11). */
export const marketRoutes = (
  context: Pick<RoutesContext, 'prices' | 'openInterest' | 'registry'>,
): Route[] => [pricesRoute(context), openInterestRoute(context), exchangesRoute(context)];
