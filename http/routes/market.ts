import * as s from '../../actors/topics/schema.ts';
import { Source } from '../answers/source.ts';
import type { Route } from '../endpoints/route.ts';
import {
  type ExchangeDetail,
  interestAnswer,
  interestsAnswer,
  priceAnswer,
  pricesAnswer,
} from '../views/market-schemas.ts';
import type { RoutesContext } from './context.ts';
import { columns } from './factory/columns.ts';
import { single } from './factory/single.ts';
import { symbols } from './factory/symbol-list.ts';
import { table } from './factory/table.ts';
import { explain, symbol } from './params.ts';

const group = 'Prices, order books, bars' as const;
const params = { symbol, symbols, explain };

const aboutOf = (what: string) =>
  `With \`symbol\`, its ${what} on every exchange; with \`symbols\`, several of them; without, a map from every symbol to its summary.`;

/** Those that `/v1/exchanges` names; `/v2/exchanges` has all. */
const named = ['prices', 'derivatives', 'open_interest', 'orderbook', 'bars'] as const;

const exchange = columns<ExchangeDetail>()({
  id: s.exchange,
  name: s.string('Name of the exchange.'),
  kinds: s.list(s.string(), 'spot, perpetual.'),
  capabilities: [
    s.list(s.string(), 'prices, derivatives, open_interest, orderbook, bars.'),
    ({ capabilities }) => named.filter((capability) => capability in capabilities),
  ],
  orderbook_cap: s.integerOrNull('Most levels a side; null without an order book.'),
  example: s.string("One of the exchange's own symbols."),
});

/** The state of the market, served from memory (specification 4.11). */
export const marketRoutes = ({
  prices,
  openInterest,
  registry,
}: Pick<RoutesContext, 'prices' | 'openInterest' | 'registry'>): Route[] => [
  single({
    group,
    path: '/v1/prices',
    summary: 'Last traded prices over all exchanges, one symbol, several or all',
    params,
    what: 'price',
    one: priceAnswer,
    list: ['exchanges', 'symbols'],
    several: 'PricesOfSymbols',
    all: pricesAnswer,
    about: aboutOf('price'),
    view: prices,
  }),
  single({
    group,
    path: '/v1/open-interest',
    summary: 'Open interest of perpetuals over all exchanges, one symbol, several or all',
    params,
    what: 'open interest',
    one: interestAnswer,
    list: ['exchanges', 'symbols'],
    several: 'OpenInterestOfSymbols',
    all: interestsAnswer,
    about: aboutOf('open interest'),
    view: openInterest,
  }),
  table({
    group,
    access: 'open',
    undated: true,
    path: '/v1/exchanges',
    summary: 'The exchanges there are, and what each of them offers here',
    params: {},
    columns: exchange,
    list: 'exchanges',
    order: 'One row an exchange.',
    source: new Source(),
    find: () => registry,
  }),
];
