/** Liquidations of Gate's perpetuals. https://www.gate.com/docs/developers/futures/ws/en (public liquidates) */
import { list, optional, positive, required, text, time, type WireRow } from '../../read.ts';
import type { PastEvents } from '../../sources/streams/stream.ts';
import { byPart } from '../../sources/venue.ts';
import type { Liquidation } from '../../topics/index.ts';
import {
  type Forced,
  type LiquidationReader,
  liquidationOf,
  liquidationStream,
  liquidationsOf,
} from '../liquidations.ts';
import { get } from './api.ts';
import { type Settle, settles } from './rows.ts';
import { connection, rowsOf, subscription } from './stream.ts';

const seconds = (ms: number): number => Math.floor(ms / 1_000);

/** What the stream and the list state differently. `size` is positive for a long. */
type Order = Pick<Forced, 'price' | 'price_kind' | 'timestamp'> & { size: number };

/** Liquidated orders of the stream or of the list. What was not filled has liquidated nothing. */
const readerOf = (orderOf: (row: WireRow) => Order): LiquidationReader => ({
  id: (row) => text(row.contract),
  read(row, market) {
    const { size, ...order } = orderOf(row);
    if (size === 0) return [];
    const side = size > 0 ? 'long' : 'short';
    return [liquidationOf(market, { ...order, side, quantity: Math.abs(size) })];
  },
});

/** `left` is what of `size` was not filled, with the sign of `size` or without any; the rest was filled at `fill_price`. */
function filled(row: WireRow): Order {
  const size = required(row.size);
  const left = Math.abs(optional(row.left) ?? 0);
  return {
    size: Math.sign(size) * Math.max(0, Math.abs(size) - left),
    price: positive(row.fill_price),
    price_kind: 'fill',
    timestamp: time(row.time, 1_000),
  };
}

/**
 * The list of liquidated orders, of all contracts and of the last hours. Its times are whole seconds, so what it states
 * of a second in which the stream was received cannot be distinguished from what the stream stated.
 */
const past = (settle: Settle): PastEvents<Liquidation> => ({
  resolution: 1_000,
  requests: (_instruments, { from, to }) => [
    get(settle, 'liq_orders', 'statistics', {
      from: seconds(from),
      to: seconds(to),
      limit: 1_000,
    }),
  ],
  parse: (body, { instruments }) =>
    liquidationsOf(list(body, 'liq_orders'), instruments, readerOf(filled)),
});

/**
 * `size` counts contracts, a text with a sign: positive is the size of a long. The documentation does not say so for this
 * channel; the list of liquidated orders counts that way.
 */
const stream = (settle: Settle) =>
  liquidationStream({
    ...connection('futures'),
    url: `wss://fx-ws.gateio.ws/v4/ws/${settle}`,
    channels: () => [subscription('futures.public_liquidates', ['!all'])],
    past: past(settle),
    rows: rowsOf,
    reader: readerOf((row) => ({
      size: required(row.size),
      price: positive(row.price),
      price_kind: 'order',
      timestamp: time(row.time_ms),
    })),
  });

export const liquidations = byPart(stream, ...settles);
