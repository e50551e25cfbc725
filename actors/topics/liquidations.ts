/** Forced closings of positions, as exchanges with a public feed state them. */

/**
 * Which price an exchange states: the average at which the order was filled, the price at which the margin is used up,
 * that of the order, or that of one fill.
 */
export const priceKinds = ['average', 'bankruptcy', 'order', 'fill'] as const;

/** One liquidation. */
export interface Liquidation {
  symbol: string;
  /** The exchange's own id of the market. */
  contract: string;
  /** The side of the position that was closed, never that of the order. */
  side: 'long' | 'short';
  /** Of one canonical unit, in quote. */
  price: number;
  price_kind: (typeof priceKinds)[number];
  /** Canonical base units. */
  quantity_base: number;
  /** US dollars; stablecoins count as one dollar each. */
  value_usd: number;
  /** Unix ms, as the exchange states it. */
  timestamp: number;
  /** The exchange's id of the trade; absent where it states none. */
  id?: string;
  /** The order that closed the position, where the exchange states it. Prices of one canonical unit. */
  order?: {
    price: number;
    average_price: number;
    type: string;
    time_in_force: string;
    status: string;
  };
  /** Quantity as the exchange counts it, where it counts contracts and states the cost of a bankruptcy. */
  quantity_contracts?: number;
  /** Loss beyond the margin; null where the exchange states none. */
  bankruptcy_loss?: number | null;
}

/** An entry of a log: the events that one stream of an exchange brought. */
export interface StreamEvents<Event> {
  /** Id of the exchange. */
  source: string;
  /** The stream: the part of the exchange's markets that it is about. */
  part: string;
  /** When the entry was written, Unix ms. */
  at: number;
  /** All connections of the stream have been open from then, without a gap, until `at`, Unix ms; null when they are not. */
  since: number | null;
  events: readonly Event[];
}

export type Liquidations = StreamEvents<Liquidation>;

/** The same for an event that is sent twice. Of an exchange that states no id of the trade, equal events are one. */
export const liquidationKey = (event: Liquidation): string =>
  event.id === undefined
    ? `${event.contract}|${event.timestamp}|${event.side}|${event.price}|${event.quantity_base}`
    : `${event.contract}|${event.id}`;

/** The stored part of the log: the newest events, and the sums of minutes. */
export interface LiquidationStateParams {
  /** Exchanges whose newest events are wanted, however old within the range. */
  exchanges: readonly string[];
  /** Unix ms. */
  from: number;
}

/** Values of one key by minute. */
export interface MinuteRows {
  key: string;
  /** Starts of minutes, Unix ms. */
  times: readonly number[];
  /** In the order of the columns of the series. */
  columns: readonly (readonly (number | null)[])[];
}

/** The effect of the log from its beginning to one entry, that entry included. */
export interface LiquidationState {
  /** The place of the entry. */
  id: string;
  seq: number;
  /** Time of the last entry of each stream, Unix ms, by `exchange/stream`. */
  heard: Readonly<Record<string, number>>;
  /** For how long the streams were received, ms, by `exchange/stream`. */
  feeds: readonly MinuteRows[];
  /** `liquidations`, by `exchange/symbol`. */
  sums: readonly MinuteRows[];
  /** Newest first. */
  events: readonly (Liquidation & { exchange: string })[];
}
