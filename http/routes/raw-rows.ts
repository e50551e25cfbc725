/** What exchanges state of their markets, as it is known here: instruments, and the newest rows of one exchange. */

import * as s from '../../actors/topics/schema.ts';
import { snapshotOf } from '../answers/snapshots.ts';
import { type Memory, unchanging } from '../answers/source.ts';
import { type Route, route } from '../endpoints/route.ts';
import { instrumentKinds, instrumentsAnswer } from '../views/instruments.ts';
import {
  fundingRowsAnswer,
  interestRowsAnswer,
  type MarketRows,
  type RowsAnswer,
} from '../views/market-rows.ts';
import { exchangeDetail } from '../views/market-schemas.ts';
import { isApiError, warmingUp } from '../wire/errors.ts';
import type { RoutesContext } from './context.ts';
import * as params from './params.ts';

type Context = Pick<
  RoutesContext,
  'instruments' | 'markets' | 'fundingRows' | 'interestRows' | 'registry'
>;

const common = { method: 'GET', group: 'Markets of an exchange', access: 'key' } as const;

const symbol = {
  type: 'string',
  maxLength: 64,
  description:
    "Base asset, a pair in a usual spelling (`BTC/USDT`, `BTC-USDT`), or an exchange's own symbol. All when absent.",
  example: 'BTC',
} as const;

const instrumentsRoute = ({ instruments, registry }: Context): Route =>
  route({
    ...common,
    path: '/v1/instruments',
    summary: 'Every market of every exchange: its own symbol, base, quote, contract, unified name',
    params: {
      exchange: params.exchange(registry.map(({ id }) => id)),
      symbol,
      kind: { type: 'string', enum: instrumentKinds, description: 'All kinds when absent.' },
    },
    answer: instrumentsAnswer,
    from: { answers: instruments.read },
  });

function exchangesRoute({ registry }: Context): Route {
  const snapshot = snapshotOf({ count: registry.length, exchanges: registry });
  return route({
    ...common,
    path: '/v2/exchanges',
    summary: 'The exchanges there are, and how each capability of theirs is had',
    params: {},
    answer: s.object({ count: s.count, exchanges: s.list(exchangeDetail, 'One row an exchange.') }),
    access: 'open',
    undated: true,
    from: unchanging(snapshot),
  });
}

/** The parameters of a row about the exchanges with a capability. */
const paramsOf = ({ registry }: Context, capability: string) => {
  const able = registry.filter(({ capabilities }) => capability in capabilities);
  return {
    exchange: { ...params.exchange(able.map(({ id }) => id)), required: true },
    symbol,
  } as const;
};

interface RowsQuery {
  exchange: string;
  symbol?: string | undefined;
}

/** The rows of one exchange: those of a base asset, that of a market, or all. */
function rowsOf<T>(
  { markets }: Context,
  rows: Pick<MarketRows<never, T>, 'answers'>,
): Memory<RowsQuery, RowsAnswer<T>> {
  const wantedOf = ({ exchange, symbol: name }: RowsQuery) => ({
    symbol: name?.toUpperCase(),
    market: name && markets.find(exchange, name, 'perpetual')?.market,
  });
  return {
    view(values) {
      const { exchange, symbol: name = '' } = values;
      const found = rows.answers(exchange)(wantedOf(values)) ?? warmingUp;
      const isUnknown = isApiError(found) && found.error === 'unknown_symbol';
      return isUnknown ? markets.unknown(exchange, name) : found;
    },
    listen: (values, listener) => rows.answers(values.exchange).listen(wantedOf(values), listener),
  };
}

const fundingRoute = (context: Context): Route =>
  route({
    ...common,
    path: '/v2/funding-rates',
    summary: 'Funding rates, mark and index prices of the perpetuals of one exchange',
    params: paramsOf(context, 'derivatives'),
    answer: fundingRowsAnswer,
    from: rowsOf(context, context.fundingRows),
  });

const interestRoute = (context: Context): Route =>
  route({
    ...common,
    path: '/v2/open-interest',
    summary: 'Open interest of the perpetuals of one exchange',
    params: paramsOf(context, 'open_interest'),
    answer: interestRowsAnswer,
    from: rowsOf(context, context.interestRows),
  });

export const rawRowRoutes = (context: Context): Route[] => [
  instrumentsRoute(context),
  exchangesRoute(context),
  fundingRoute(context),
  interestRoute(context),
];
