/** The newest liquidations: of all exchanges, of Binance and of OKX in their own fields. */
import { priceKinds } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import type { Event, LogQuery } from '../../answers/event-log.ts';
import type { Answers } from '../../answers/source.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { type EventsOf, isWanted, type LiquidationsView } from '../../views/liquidations.ts';
import type { ApiError } from '../../wire/errors.ts';
import {
  assetFor,
  common,
  contract,
  count,
  eventParams,
  exchangeOrAll,
  type LiquidationContext,
  quantity_base,
  recordFields,
  recordOf,
  severalFields,
  severalOf,
  side,
  symbol,
  timestamp,
  value_usd,
} from './common.ts';

const price_kind = s.oneOf(
  priceKinds,
  'Average of the fills, price at which the margin was used up, price of the order, or of one fill.',
);
const price = s.number('Of one unit of the base asset, in the quote of the contract.');

const order = s.object({
  ...{ exchange: s.exchange, symbol, contract, side },
  ...{ price, price_kind, quantity_base, value_usd, timestamp },
});
const ordersAnswer = s.object({
  count,
  orders: s.list(order, 'Newest first.'),
  ...severalFields,
});
type Orders = s.Static<typeof ordersAnswer>;

const binanceOrder = s.object({
  symbol,
  pair: contract,
  side,
  order_side: s.oneOf(['buy', 'sell'], 'Of the order that closed the position.'),
  price: s.number('Of the order, for one unit of the base asset, in quote.'),
  average_price: s.number('At which it was filled, in quote; 0 where the exchange states none.'),
  quantity_base,
  value_usd,
  order_type: s.string('As the exchange states it: `LIMIT`.'),
  time_in_force: s.string('As the exchange states it: `IOC`.'),
  status: s.string('Of the order, as the exchange states it: `FILLED`.'),
  timestamp,
});
const binanceAnswer = s.object({
  exchange: s.literal('binance', 'Exchange id.'),
  count,
  sampled: s.literal(true, 'The largest liquidation of a contract and second only.'),
  orders: s.list(binanceOrder, 'Newest first.'),
  ...recordFields,
});
type Binance = s.Static<typeof binanceAnswer>;

const okxOrder = s.object({
  ...{ symbol, contract, side },
  price: s.number('At which the margin was used up, for one unit of the base asset, in quote.'),
  price_kind: s.literal('bankruptcy', 'The price at which the margin was used up.'),
  quantity_contracts: s.number('Contracts.'),
  quantity_base,
  value_usd,
  bankruptcy_loss: s.numberOrNull(
    'Loss beyond the margin, in a unit that the exchange does not document; null where it states none.',
  ),
  timestamp,
});
const okxAnswer = s.object({
  exchange: s.literal('okx', 'Exchange id.'),
  count,
  orders: s.list(okxOrder, 'Newest first.'),
  ...recordFields,
});
type Okx = s.Static<typeof okxAnswer>;

/** The fields of an event that every exchange has. */
const orderOf = (event: Event): s.Static<typeof order> => ({
  exchange: event.exchange,
  symbol: event.symbol,
  contract: event.contract,
  side: event.side,
  price: event.price,
  price_kind: event.price_kind,
  quantity_base: event.quantity_base,
  value_usd: event.value_usd,
  timestamp: event.timestamp,
});

function binanceOrderOf(event: Event): s.Static<typeof binanceOrder>[] {
  if (event.order === undefined) return [];
  const { price, average_price, type, time_in_force, status } = event.order;
  const { symbol, contract, side, quantity_base, value_usd, timestamp } = event;
  return [
    {
      ...{ symbol, pair: contract, side, order_side: side === 'long' ? 'sell' : 'buy' },
      ...{ price, average_price, quantity_base, value_usd },
      ...{ order_type: type, time_in_force, status, timestamp },
    },
  ];
}

function okxOrderOf(event: Event): s.Static<typeof okxOrder>[] {
  const { symbol, contract, side, price, quantity_contracts, bankruptcy_loss = null } = event;
  if (quantity_contracts === undefined) return [];
  const { quantity_base, value_usd, timestamp } = event;
  return [
    {
      ...{ symbol, contract, side, price, price_kind: 'bankruptcy', quantity_contracts },
      ...{ quantity_base, value_usd, bankruptcy_loss, timestamp },
    },
  ];
}

const variantOf = ({ exchange, symbol, side, min_usd, limit }: EventsOf): string =>
  JSON.stringify([exchange, symbol, side, min_usd, limit]);

/** The events of one exchange, and its record. */
function ofExchange<T>(
  view: LiquidationsView,
  wanted: EventsOf & { exchange: string },
  itemOf: (event: Event) => T[],
) {
  const orders = view.events(wanted).flatMap(itemOf);
  return { count: orders.length, orders, ...recordOf(view.record(wanted.exchange, 24)) };
}

/** The origin of a row about events of all exchanges, or of one: the symbol is looked for first. */
function originOf<T, I extends object>(
  context: LiquidationContext,
  answers: Answers<EventsOf, T>,
  { itemOf, only }: { itemOf(event: Event): I[]; only?: string },
) {
  const query = (values: EventsOf): EventsOf | ApiError => {
    const exchange = only ?? values.exchange;
    const symbol = assetFor(context, exchange, values.symbol);
    return typeof symbol === 'object' ? symbol : { ...values, exchange, symbol };
  };
  const log = (values: EventsOf): LogQuery | ApiError => {
    const wanted = query(values);
    if ('error' in wanted) return wanted;
    const item = (event: Event) => (isWanted(event, wanted) ? (itemOf(event)[0] ?? null) : null);
    return { log: context.liquidations.log, limit: wanted.limit, item };
  };
  return { answers, query, log };
}

export function eventRoutes(context: LiquidationContext): Route[] {
  const { liquidations } = context;
  const orders = liquidations.answers<EventsOf, Orders>(variantOf, (view, query) => {
    const found = view.events(query).map(orderOf);
    return { count: found.length, orders: found, ...severalOf(context, query.exchange, 24) };
  });
  const binance = liquidations.answers<EventsOf, Binance>(variantOf, (view, query) => ({
    exchange: 'binance',
    sampled: true,
    ...ofExchange(view, { ...query, exchange: 'binance' }, binanceOrderOf),
  }));
  const okx = liquidations.answers<EventsOf, Okx>(variantOf, (view, query) => ({
    exchange: 'okx',
    ...ofExchange(view, { ...query, exchange: 'okx' }, okxOrderOf),
  }));
  return [
    route({
      ...common,
      immediate: true,
      path: '/v1/liquidations/orders',
      summary: 'The newest liquidations of all exchanges with a public feed',
      params: { ...eventParams(50), exchange: exchangeOrAll(liquidations.exchanges) },
      answer: ordersAnswer,
      from: originOf(context, orders, { itemOf: (event) => [orderOf(event)] }),
    }),
    route({
      ...common,
      immediate: true,
      path: '/v1/liquidations/feed',
      summary: 'The newest liquidation orders of Binance',
      params: eventParams(50),
      answer: binanceAnswer,
      from: originOf(context, binance, { itemOf: binanceOrderOf, only: 'binance' }),
    }),
    route({
      ...common,
      immediate: true,
      path: '/v1/analytics/okx/liquidations',
      summary: 'The newest liquidation orders of OKX',
      params: eventParams(100),
      answer: okxAnswer,
      from: originOf(context, okx, { itemOf: okxOrderOf, only: 'okx' }),
    }),
  ];
}
