import { apiError } from '../errors.ts';
import { Snapshot } from '../snapshots.ts';
import type { OpenInterestView } from '../views/open-interest.ts';
import type { PricesView } from '../views/prices.ts';
import { type Param, type Route, route, type Schema } from './route.ts';
import * as s from './schemas.ts';

/** What the rows of this group answer from. */
export interface MarketContext {
  prices: PricesView;
  openInterest: OpenInterestView;
  /** The registry of exchanges as data. */
  registry: readonly ExchangeEntry[];
}

/** One exchange of the registry, as `/v1/exchanges` shows it. */
export interface ExchangeEntry {
  id: string;
  name: string;
  kinds: readonly string[];
  capabilities: readonly string[];
  /** Most order book levels a side; null where there is no order book. */
  orderbook_cap: number | null;
  /** A native symbol. */
  example: string;
}

const group = 'Prices, order books, bars';

const symbolParam = {
  type: 'string',
  maxLength: 32,
  description: 'Base asset, in any case. All symbols when absent.',
  example: 'BTC',
} as const satisfies Param;

/** A view with one answer per symbol and one for all of them. */
type BySymbol = Pick<PricesView, 'all' | 'one'>;

const warming = apiError('warming_up', undefined, { retryAfter: 5 });

/** The answer for the symbol, or why there is none. `what` names the thing, such as `price`. */
function bySymbol(view: BySymbol, symbol: string | undefined, what: string) {
  if (symbol === undefined) return view.all() ?? warming;
  const name = symbol.toUpperCase();
  const found = view.one(name);
  if (typeof found !== 'string') return found;
  if (found === 'stale') {
    const message = `every exchange's ${what} of ${name} is too old to be served`;
    return apiError('warming_up', message, { retryAfter: 30 });
  }
  return view.all() === null
    ? warming
    : apiError('unknown_symbol', `no exchange has a ${what} of ${name}`);
}

const stale = s.of(
  s.array(s.string),
  'Exchanges left out: what they said is too old, or they are frozen.',
);

const priceSchema = s.object(
  {
    price: s.of(s.number, 'Last trade of the most traded dollar market, USD.'),
    volume_24h: s.of(
      s.number,
      'Rolling 24 h turnover of all dollar markets, spot and perpetual, USD.',
    ),
    updated_at: s.of(s.integer, 'When the reading was received, Unix milliseconds.'),
    venue_time: s.of(s.integerOrNull, 'What the exchange stated as its time, Unix milliseconds.'),
    market: s.of(s.string, 'Native instrument that the price is of.'),
    quote: s.string,
    excluded: s.of({ const: true }, 'More than 10 % from the median: not part of the mean.'),
  },
  ['excluded'],
);

const pricesSchema: Schema = {
  description:
    'With `symbol`, its price on every exchange; without, a map from every symbol to its average.',
  anyOf: [
    s.object({
      symbol: s.string,
      average_price: s.of(s.number, 'Plain mean over the exchanges that are not excluded, USD.'),
      median_price: s.of(s.number, 'Median over all exchanges listed, USD.'),
      exchange_count: s.of(s.integer, 'How many prices the mean is of.'),
      exchanges: s.mapOf(priceSchema, 'exchange id to its price'),
      stale_exchanges: stale,
    }),
    s.mapOf(
      s.object({
        average_price: s.number,
        exchange_count: s.integer,
        updated_at: s.of(s.integer, 'When the newest of them was received, Unix milliseconds.'),
      }),
      'symbol to its average',
    ),
  ],
};

const pricesRoute = ({ prices }: MarketContext): Route =>
  route({
    method: 'GET',
    path: '/v1/prices',
    group,
    summary: 'Last traded prices over all exchanges, one symbol or all',
    params: { symbol: symbolParam },
    answer: pricesSchema,
    access: 'key',
    from: { view: ({ symbol }) => bySymbol(prices, symbol, 'price') },
  });

const interestSchema: Schema = {
  description:
    'With `symbol`, its open interest on every exchange; without, a map from every symbol to its total.',
  anyOf: [
    s.object({
      symbol: s.string,
      total_oi_usd: s.of(s.number, 'Sum over the exchanges, one side counted, USD.'),
      exchange_count: s.integer,
      exchanges: s.mapOf(
        s.object({
          oi_usd: s.number,
          oi_contracts: s.of(s.numberOrNull, 'Base-asset units.'),
          updated_at: s.of(
            s.integer,
            'When the oldest of its markets was received, Unix milliseconds.',
          ),
          venue_time: s.of(
            s.integerOrNull,
            'What the exchange stated as its time, Unix milliseconds.',
          ),
          mark_price: s.of(
            s.numberOrNull,
            'Price that turned units into value; null where the exchange gave both.',
          ),
        }),
        'exchange id to its open interest',
      ),
      stale_exchanges: stale,
    }),
    s.mapOf(s.object({ total_oi_usd: s.number, exchange_count: s.integer }), 'symbol to its total'),
  ],
};

const openInterestRoute = ({ openInterest }: MarketContext): Route =>
  route({
    method: 'GET',
    path: '/v1/open-interest',
    group,
    summary: 'Open interest of perpetuals over all exchanges, one symbol or all',
    params: { symbol: symbolParam },
    answer: interestSchema,
    access: 'key',
    from: { view: ({ symbol }) => bySymbol(openInterest, symbol, 'open interest') },
  });

function exchangesRoute({ registry }: MarketContext): Route {
  const snapshot = new Snapshot(JSON.stringify({ exchanges: registry, count: registry.length }));
  return route({
    method: 'GET',
    path: '/v1/exchanges',
    group,
    summary: 'The exchanges there are, and what each of them offers here',
    params: {},
    answer: s.object({
      exchanges: s.array(
        s.object({
          id: s.string,
          name: s.string,
          kinds: s.of(s.array(s.string), 'spot, perpetual.'),
          capabilities: s.of(
            s.array(s.string),
            'prices, derivatives, open_interest, orderbook, bars.',
          ),
          orderbook_cap: s.of(s.integerOrNull, 'Most levels a side; null without an order book.'),
          example: s.of(s.string, "One of the exchange's own symbols."),
        }),
      ),
      count: s.integer,
    }),
    access: 'open',
    from: { view: () => snapshot },
  });
}

/** What is known of the market without asking anyone (specification 4.11). */
export const marketRoutes = (context: MarketContext): Route[] => [
  pricesRoute(context),
  openInterestRoute(context),
  exchangesRoute(context),
];
