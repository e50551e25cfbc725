/** The newest liquidations: of all exchanges, of Binance and of OKX in their own fields. */
import { priceKinds } from '../../../actors/topics/index.ts';
import type { Event } from '../../answers/event-log.ts';
import type { LogQuery } from '../../answers/numbered-log.ts';
import { type EventsOf, isWanted } from '../../views/liquidations.ts';
import { kit, params, s } from '../kit.ts';
import * as shared from './common.ts';

const price_kind = s.oneOf(
  priceKinds,
  'Average of the fills, price at which the margin was used up, price of the order, or of one fill.',
);

const order = kit.columns<Event>()({
  exchange: s.exchange,
  symbol: shared.symbol,
  contract: shared.contract,
  side: shared.side,
  price: s.number('Price of one base asset, in the quote of the contract.'),
  price_kind,
  quantity_base: shared.quantity_base,
  value_usd: shared.value_usd,
  timestamp: shared.timestamp,
});

type BinanceEvent = Event & { order: NonNullable<Event['order']> };

const binanceOrder = kit.columns<BinanceEvent>()({
  symbol: shared.symbol,
  pair: [shared.contract, 'contract'],
  side: shared.side,
  order_side: [
    s.oneOf(['buy', 'sell'], 'Side of the order that closed the position.'),
    (event) => (event.side === 'long' ? 'sell' : 'buy'),
  ],
  price: [s.number('Of the order, for one base asset, in quote.'), (event) => event.order.price],
  average_price: [
    s.number('At which it was filled, in quote; 0 where the exchange states none.'),
    (event) => event.order.average_price,
  ],
  quantity_base: shared.quantity_base,
  value_usd: shared.value_usd,
  order_type: [s.string('As the exchange states it: `LIMIT`.'), (event) => event.order.type],
  time_in_force: [s.string('As the exchange has it: `IOC`.'), (event) => event.order.time_in_force],
  status: [s.string('State as the exchange has it: `FILLED`.'), (event) => event.order.status],
  timestamp: shared.timestamp,
});

type OkxEvent = Event & { quantity_contracts: number };

const okxOrder = kit.columns<OkxEvent>()({
  symbol: shared.symbol,
  contract: shared.contract,
  side: shared.side,
  price: s.number('At which the margin was used up, for one unit of the base asset, in quote.'),
  price_kind: kit.constant('bankruptcy', 'The price at which the margin was used up.'),
  quantity_contracts: s.number('Contracts.'),
  quantity_base: shared.quantity_base,
  value_usd: shared.value_usd,
  bankruptcy_loss: [
    s.numberOrNull('Beyond the margin, in a unit that the exchange does not document, or null.'),
    (event) => event.bankruptcy_loss ?? null,
  ],
  timestamp: shared.timestamp,
});

const isOfBinance = (event: Event): event is BinanceEvent => event.order !== undefined;
const isOfOkx = (event: Event): event is OkxEvent => event.quantity_contracts !== undefined;
const isAny = (_event: Event): _event is Event => true;

/** How a row shows events: which of them, and in which columns. */
interface Shown<E extends Event, P extends s.TProperties> {
  is(event: Event): event is E;
  columns: kit.Columns<E, P>;
}

/** The list and the log of the events that are wanted. `only` is the exchange of the row. */
function eventsOf<E extends Event, P extends s.TProperties, R extends object>(
  { liquidations }: shared.LiquidationContext,
  { is, columns }: Shown<E, P>,
  { only, record }: { only?: string; record(exchange: string | undefined): R },
) {
  const wantedOf = (values: EventsOf) => ({ ...values, exchange: only ?? values.exchange });
  return {
    answersBeforeData: true,
    list: 'orders',
    order: 'Newest first.',
    columns,
    source: liquidations.newest,
    find(values: EventsOf) {
      const wanted = wantedOf(values);
      return { ...record(wanted.exchange), rows: liquidations.events(wanted).filter(is) };
    },
    log(values: EventsOf): LogQuery {
      const wanted = wantedOf(values);
      const item = (event: Event) =>
        isWanted(event, wanted) && is(event) ? columns.read(event) : null;
      return { log: liquidations.log, limit: wanted.limit, item };
    },
  } as const;
}

export function eventRoutes(context: shared.LiquidationContext) {
  const { liquidations } = context;
  const recordOn = (id: string) => shared.recordOf(liquidations.record(id, 24));
  const all = { is: isAny, columns: order };
  const binance = { is: isOfBinance, columns: binanceOrder };
  const okx = { is: isOfOkx, columns: okxOrder };
  return [
    kit.table({
      ...eventsOf(context, all, {
        record: (exchange) => shared.coverageFieldsOf(context, exchange, 24),
      }),
      path: '/v1/liquidations/orders',
      summary: 'The newest liquidations of all exchanges with a public feed',
      params: {
        ...shared.eventParams(context, 50),
        exchange: params.exchangeOrAll(liquidations.exchanges),
      },
      fields: shared.coverageFields,
    }),
    kit.table({
      ...eventsOf(context, binance, {
        only: 'binance',
        record: () => ({ exchange: 'binance', sampled: true, ...recordOn('binance') }) as const,
      }),
      path: '/v1/liquidations/feed',
      summary: 'The newest liquidation orders of Binance',
      params: shared.eventParams(context, 50, 'binance'),
      fields: {
        exchange: s.literal('binance', 'Exchange id.'),
        sampled: s.literal(true, 'The largest liquidation of a contract and second only.'),
        ...shared.recordFields,
      },
    }),
    kit.table({
      ...eventsOf(context, okx, {
        only: 'okx',
        record: () => ({ exchange: 'okx', ...recordOn('okx') }) as const,
      }),
      path: '/v1/analytics/okx/liquidations',
      summary: 'The newest liquidation orders of OKX',
      params: shared.eventParams(context, 100, 'okx'),
      fields: { exchange: s.literal('okx', 'Exchange id.'), ...shared.recordFields },
    }),
  ];
}
