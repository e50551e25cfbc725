/** What exchanges state of their markets, as it is known here: instruments, and the newest rows of one exchange. */
import * as s from '../../actors/topics/schema.ts';
import { type ApiError, isApiError, warmingUp } from '../errors.ts';
import { type Snapshot, snapshotOf } from '../snapshots.ts';
import { instrumentKinds, instrumentsAnswer } from '../views/instruments.ts';
import {
  fundingRowsAnswer,
  interestRowsAnswer,
  type MarketRows,
  type RowsAnswer,
} from '../views/market-rows.ts';
import { exchangeDetail } from '../views/market-schemas.ts';
import type { RoutesContext } from './context.ts';
import * as params from './params.ts';
import { type Route, route } from './route.ts';

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
    from: { view: (wanted) => instruments.read(wanted) ?? warmingUp },
  });

function exchangesRoute({ registry }: Context): Route {
  const snapshot = snapshotOf({ count: registry.length, exchanges: registry });
  return route({
    ...common,
    path: '/v2/exchanges',
    summary: 'The exchanges there are, and how each capability of theirs is had',
    params: {},
    answer: s.object({ count: s.integer(), exchanges: s.list(exchangeDetail) }),
    access: 'open',
    undated: true,
    from: { view: () => snapshot },
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

interface Asked {
  exchange: string;
  symbol?: string | undefined;
}

/** The rows of one exchange: those of a base asset, that of a market, or all. */
const rowsOf =
  <T>({ markets }: Context, view: Pick<MarketRows<never, T>, 'read'>) =>
  ({ exchange, symbol: name }: Asked): Snapshot<RowsAnswer<T>> | ApiError => {
    const market = name && markets.find(exchange, name, { kind: 'perpetual' })?.market;
    const wanted = name === undefined ? null : { symbol: name.toUpperCase(), market };
    const found = view.read(exchange, wanted) ?? warmingUp;
    const isUnknown = isApiError(found) && found.error === 'unknown_symbol';
    return isUnknown ? markets.unknown(exchange, name ?? '') : found;
  };

const fundingRoute = (context: Context): Route =>
  route({
    ...common,
    path: '/v2/funding-rates',
    summary: 'Funding rates, mark and index prices of the perpetuals of one exchange',
    params: paramsOf(context, 'derivatives'),
    answer: fundingRowsAnswer,
    from: { view: rowsOf(context, context.fundingRows) },
  });

const interestRoute = (context: Context): Route =>
  route({
    ...common,
    path: '/v2/open-interest',
    summary: 'Open interest of the perpetuals of one exchange',
    params: paramsOf(context, 'open_interest'),
    answer: interestRowsAnswer,
    from: { view: rowsOf(context, context.interestRows) },
  });

export const rawRowRoutes = (context: Context): Route[] => [
  instrumentsRoute(context),
  exchangesRoute(context),
  fundingRoute(context),
  interestRoute(context),
];
