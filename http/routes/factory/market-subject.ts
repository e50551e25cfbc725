/** Histories of one market on one exchange, as that exchange keeps them. */
import type { Interval, Queries, QueryName } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { type ApiError, isApiError } from '../../wire/errors.ts';
import type { RoutesContext } from '../context.ts';
import * as params from '../params.ts';
import { columns } from './columns.ts';
import { joined, type QuerySpec, type Result, type Subject, symbolField } from './history.ts';

export const contractField = columns<{ values: { market: string } }>()({
  contract: [s.ownId, ({ values }) => values.market],
});

export type MarketContext = Pick<RoutesContext, 'markets' | 'exchanges'>;

/** The queries whose reply states its market. */
type MarketQuery = {
  [N in QueryName]: Queries[N]['reply'] extends { market: string } ? N : never;
}[QueryName];

/** The market of an exchange that a client means. */
export interface MarketAsked {
  symbol: string;
  exchange: string;
  market: string;
  kind: 'spot' | 'perpetual';
}

/** Some points of a history. */
export interface PointValues {
  limit: number;
  from?: number | undefined;
  to?: number | undefined;
}
export interface StepValues extends PointValues {
  interval: Interval;
}

interface MarketSubject<N extends MarketQuery, V> {
  /** The query; of several the first that the exchange answers. */
  names: readonly [N, ...N[]];
  /** `perpetual` when absent. */
  kind?: MarketAsked['kind'] | ((values: V) => MarketAsked['kind']);
  /** The exchange, or those of which a parameter chooses one: the first that answers the query is its default. */
  on: string | readonly string[];
  /** Subject of an error message: `the taker volume`. */
  what: string;
  /** The name under which the answer states the market; `pair` when absent. */
  id?: 'pair' | 'contract';
  /** Another name for what a client names, which is then looked for. */
  nameOf?(symbol: string): string;
  /** The error of values that this exchange does not take together. */
  refuse?(exchange: string, values: V): ApiError | null;
  params(asked: MarketAsked, values: V): Queries[N]['params'];
  /** Further queries. */
  further?(
    asked: MarketAsked,
    values: V,
  ): Pick<QuerySpec<N>, 'sameQueryElsewhere' | 'otherQueries'>;
}

const idFields = {
  pair: columns<Result<MarketQuery, MarketAsked>>()({
    pair: [s.ownId, ({ values, replies: [own] }) => own?.market ?? values.market],
  }),
  contract: contractField,
};

/** One market on one exchange. `exchange` is a parameter where there may be several. */
export function ofMarket<N extends MarketQuery, V extends object>(
  { markets, exchanges }: MarketContext,
  subject: MarketSubject<N, V>,
): Subject<N, V, MarketAsked> {
  const { names, kind = 'perpetual', on, what, id = 'pair', further } = subject;
  const has = (exchange: string, name: N) => exchanges[name]?.includes(exchange) === true;
  const supportedExchanges = [on]
    .flat()
    .filter((exchange) => names.some((name) => has(exchange, name)));
  const [first = ''] = supportedExchanges;
  const isFixed = typeof on === 'string';
  const exchangeField = columns<{ values: MarketAsked }>()({
    exchange: [
      isFixed ? s.literal(on, 'Exchange id.') : s.exchange,
      ({ values }) => values.exchange,
    ],
  });
  return {
    isAnswered: supportedExchanges.length > 0,
    names,
    params: isFixed ? {} : { exchange: params.exchangeOrUsual(supportedExchanges) },
    head: joined<Result<N, MarketAsked>>(symbolField, exchangeField, idFields[id]),
    what: ({ symbol, exchange }) => `${what} of ${symbol} on ${exchange}`,
    resolve(values: V & { symbol: string; exchange?: string }) {
      const { exchange = first } = values;
      const refused = subject.refuse?.(exchange, values) ?? null;
      if (refused !== null) return refused;
      const wanted = typeof kind === 'function' ? kind(values) : kind;
      const name = subject.nameOf?.(values.symbol) ?? values.symbol;
      const found = markets.resolve(name, { kind: wanted, exchanges: [exchange] });
      if (isApiError(found)) return found;
      return { symbol: found.symbol, exchange, market: found.market, kind: wanted };
    },
    ask: (values) => ({
      source: values.exchange,
      name: names.find((name) => has(values.exchange, name)) ?? names[0],
      params: subject.params(values, values),
      ...further?.(values, values),
    }),
  };
}

/** Some points of a market. */
export const pointsOf = (
  { market, kind }: Pick<MarketAsked, 'market' | 'kind'>,
  { limit, from, to }: PointValues,
) => ({ market, kind, limit, from, to });

/** The same of a history in intervals. */
export const stepsOf = (asked: Pick<MarketAsked, 'market' | 'kind'>, values: StepValues) => ({
  ...pointsOf(asked, values),
  interval: values.interval,
});
