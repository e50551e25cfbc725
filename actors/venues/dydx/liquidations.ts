/** Trades on dYdX that liquidate a position. https://docs.dydx.xyz/indexer-client/websockets */
import { ShapeError } from '../../failure.ts';
import { field, isRecord, list, positive, text, type WireRow } from '../../read.ts';
import type { Instrument } from '../../topics/index.ts';
import { timeOf } from '../iso.ts';
import {
  closedBy,
  liquidationOf,
  liquidationStream,
  liquidationsOf,
  perpetualsOf,
} from '../liquidations.ts';

/** `side` is that of the taker, who is liquidated; `size` is base. */
function read(row: WireRow, market: Instrument) {
  return [
    liquidationOf(market, {
      side: closedBy(row.side),
      price: positive(row.price),
      price_kind: 'fill',
      quantity: positive(row.size),
      timestamp: timeOf(row.createdAt),
      id: text(row.id),
    }),
  ];
}

const isLiquidation = (row: unknown): boolean => isRecord(row) && row.type === 'LIQUIDATED';

/** Messages about trades: with the newest ones before the subscription, then each. */
const dataTypes: ReadonlySet<string> = new Set(['subscribed', 'channel_data']);

/** A connection takes 32 subscriptions to trades. */
export const liquidations = {
  perp: liquidationStream({
    url: 'wss://indexer.dydx.trade/v4/ws',
    channels: (instruments) =>
      perpetualsOf(instruments).map((id) =>
        JSON.stringify({ type: 'subscribe', channel: 'v4_trades', id, batched: false }),
      ),
    perConnection: 32,
    pace: 100,
    silence: 120_000,
    concerns: (frame) => frame.includes('"LIQUIDATED"') || !frame.includes('"channel_data"'),
    numberIn: /"message_id":(\d{1,15})/,
    acknowledges: (message) => (isRecord(message) && message.type === 'subscribed' ? 1 : 0),
    parse(message, { instruments }) {
      const type = text(field(message, 'type'));
      if (type === '') throw new ShapeError('type: no text');
      if (type === 'error') throw new ShapeError(`refused: ${text(field(message, 'message'))}`);
      if (!dataTypes.has(type)) return null;
      const market = text(field(message, 'id'));
      const trades = list(field(field(message, 'contents'), 'trades'), 'trades');
      return liquidationsOf(trades.filter(isLiquidation), instruments, { id: () => market, read });
    },
  }),
};
