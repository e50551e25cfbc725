import { recordedKey } from '../../actors/topics/index.ts';
import { Source } from '../answers/source.ts';
import * as schemas from '../views/market-schemas.ts';
import { type Contract, contractCells, contractLabels } from './analytics/recorded-contracts.ts';
import { kit, s } from './kit.ts';

const choiceOf = (what: string) =>
  `With \`symbol\`, its ${what} on every exchange; with \`symbols\`, several of them; without, a map from every symbol to its summary. With \`at\`, its recorded state.`;

/** Those that `/v1/exchanges` names; `/v2/exchanges` has all. */
const named = ['prices', 'derivatives', 'open_interest', 'orderbook', 'bars'] as const;

const exchange = kit.columns<schemas.ExchangeDetail>()({
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

type Context = kit.Needs<'prices' | 'openInterest' | 'registry' | 'perpetuals' | 'clock'>;

const kinds = ['spot', 'perpetual'] as const;

const pricesAt = kit.columns<kit.Sample<{ kind: (typeof kinds)[number] }>>()({
  kind: s.oneOf(kinds, 'Kind of the markets.'),
  ...kit.sampledCells,
  average_price: [s.numberOrNull('Without excluded ones, US dollars.'), kit.recordedAs('price')],
  volume_24h_usd: [s.numberOrNull('Turnover; null if backfilled.'), kit.recordedAs('turnover')],
});

const interestAt = kit.columns<kit.Sample<Contract>>()({
  ...contractCells,
  ...kit.sampledCells,
  open_interest_usd: [s.numberOrNull('One side.'), kit.recordedAs('usd')],
  open_interest_base: [s.numberOrNull('One side.'), kit.recordedAs('base')],
});

/** The state of the market, served from memory (specification 4.11). */
export const marketRoutes = (context: Context) => {
  const { prices, openInterest, registry, clock } = context;
  return [
    kit.single({
      path: '/v1/prices',
      summary: 'Last traded prices over all exchanges, one symbol, several or all',
      params: {},
      what: 'price',
      title: 'Prices',
      one: schemas.priceAnswer,
      list: ['exchanges', 'symbols'],
      all: schemas.pricesAnswer,
      choice: choiceOf('price'),
      view: prices,
      clock,
      past: {
        series: 'price',
        keys: (symbol) =>
          kinds.map((kind) => ({ key: recordedKey(kind, symbol), labels: { kind } })),
        columns: pricesAt,
      },
    }),
    kit.single({
      path: '/v1/open-interest',
      summary: 'Open interest of perpetuals over all exchanges, one symbol, several or all',
      params: {},
      what: 'open interest',
      title: 'OpenInterest',
      one: schemas.interestAnswer,
      list: ['exchanges', 'symbols'],
      all: schemas.interestsAnswer,
      choice: choiceOf('open interest'),
      view: openInterest,
      clock,
      past: {
        series: 'open-interest',
        tiers: kit.keptFrom('5m'),
        keys: (symbol) => contractLabels(context, symbol),
        columns: interestAt,
      },
    }),
    kit.table({
      access: 'open',
      noMarketData: true,
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
};
