/** Histories of one market on one exchange, as that exchange keeps them. */
import type { Interval, Queries, QueryName } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { type ApiError, isApiError } from '../../wire/errors.ts';
import type { RoutesContext } from '../context.ts';
import * as params from '../params.ts';
import { columns } from './columns.ts';
import { type Asked, type Made, type Subject, symbolField } from './history.ts';

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

/** The values of a range. */
export interface RangeValues {
  limit: number;
  from?: number | undefined;
  to?: number | undefined;
}

/** Which market, and which of its points. */
export interface MarketValues extends RangeValues {
  symbol: string;
  exchange?: string | undefined;
}
export interface StepValues extends MarketValues {
  interval: Interval;
}

export type MarketContext = Pick<RoutesContext, 'markets' | 'exchanges'>;

interface MarketSubject<N extends MarketQuery, V> {
  /** The query; of several the first that the exchange answers. */
  names: readonly [N, ...N[]];
  kind: MarketAsked['kind'] | ((values: V) => MarketAsked['kind']);
  /** The exchange, or those of which a parameter chooses one: the first that answers the query is its default. */
  on: string | readonly string[];
  /** Subject of an error message: `the taker volume`. */
  what: string;
  /** The name under which the answer states the market. */
  id?: 'pair' | 'contract';
  /** The error of values that this exchange does not take together. */
  refuse?(exchange: string, values: V): ApiError | null;
  params(asked: MarketAsked, values: V): Queries[N]['params'];
  /** Further queries. */
  further?(asked: MarketAsked, values: V): Pick<Asked<N, MarketAsked>, 'also' | 'beside'>;
}

type About<N extends MarketQuery> = Made<N, MarketAsked>;

/** The head of an answer about a market. */
const headOf = <N extends MarketQuery>(id: 'pair' | 'contract', fixed: string | null) => {
  const exchange = fixed === null ? s.exchange : s.literal(fixed, 'Exchange id.');
  const first = columns<About<N>>(symbolField)({
    exchange: [exchange, ({ about }) => about.exchange],
  });
  return id === 'contract'
    ? columns<About<N>>(first)({
        contract: [s.string("The exchange's own id."), ({ about }) => about.market],
      })
    : columns<About<N>>(first)({
        pair: [
          s.string("The exchange's own id of the market."),
          ({ about, replies: [own] }) => own?.market ?? about.market,
        ],
      });
};

/** One market on one exchange. `exchange` is a parameter where there are several. */
export function ofMarket<
  N extends MarketQuery,
  V extends { symbol: string; exchange?: string | undefined },
>({ markets, exchanges }: MarketContext, subject: MarketSubject<N, V>): Subject<N, V, MarketAsked> {
  const { names, kind, on, what, id = 'pair', further } = subject;
  const has = (exchange: string, name: N) => exchanges[name]?.includes(exchange) === true;
  const fixed = typeof on === 'string' ? on : null;
  const able = [on].flat().filter((exchange) => names.some((name) => has(exchange, name)));
  const [first = ''] = able;
  return {
    isAnswered: able.length > 0,
    params: fixed === null ? { exchange: { ...params.exchange(able), default: first } } : {},
    fails: ['upstream_failed'],
    head: headOf<N>(id, fixed),
    what: ({ symbol: asset, exchange }) => `${what} of ${asset} on ${exchange}`,
    ask(values) {
      const { exchange = first } = values;
      const refused = subject.refuse?.(exchange, values) ?? null;
      if (refused !== null) return refused;
      const wanted = typeof kind === 'function' ? kind(values) : kind;
      const found = markets.resolve(values.symbol, { kind: wanted, exchanges: [exchange] });
      if (isApiError(found)) return found;
      const about = { symbol: found.symbol, exchange, market: found.market, kind: wanted };
      return {
        source: exchange,
        name: names.find((name) => has(exchange, name)) ?? names[0],
        params: subject.params(about, values),
        ...further?.(about, values),
        about,
      };
    },
  };
}

/** Some points of a market. */
export const pointsOf = (
  { market, kind }: Pick<MarketAsked, 'market' | 'kind'>,
  { limit, from, to }: RangeValues,
) => ({
  market,
  kind,
  limit,
  from,
  to,
});

/** The same of a history in intervals. */
export const stepsOf = (
  asked: Pick<MarketAsked, 'market' | 'kind'>,
  { interval, ...range }: RangeValues & { interval: Interval },
) => ({ ...pointsOf(asked, range), interval });
