/** Every liquidation on Bitfinex, of margin and of perpetuals. https://docs.bitfinex.com/reference/ws-public-status */
import { ShapeError } from '../../failure.ts';
import { isRecord, list, positive, required, text, time, type WireRow } from '../../read.ts';
import type { PastEvents } from '../../sources/streams/stream.ts';
import type { Instrument, Liquidation } from '../../topics/index.ts';
import { liquidationOf, liquidationStream, liquidationsOf } from '../liquidations.ts';
import { get } from './api.ts';

/**
 * `['pos', id, ms, , pair, amount, base price, , is match, sold in the market, , price acquired]`: the amount is that of
 * the position, positive for a long. A match is a later fill of a liquidation that was sent already.
 */
function read(row: WireRow, market: Instrument) {
  if (required(row[8]) !== 0) return [];
  const amount = required(row[5]);
  const forced = {
    side: amount > 0 ? 'long' : 'short',
    price: positive(row[6]),
    price_kind: 'order',
    quantity: Math.abs(amount),
    timestamp: time(Math.floor(required(row[2]))),
  } as const;
  return [liquidationOf(market, forced)];
}

const isLiquidation = (row: unknown): boolean => !Array.isArray(row) || row[0] === 'pos';

/** The newest 500 of a range. https://docs.bitfinex.com/reference/rest-public-liquidations */
const past: PastEvents<Liquidation> = {
  requests: (_instruments, { from, to }) => [
    get('liquidations', 'liquidations/hist', { start: from, end: to, limit: 500, sort: -1 }),
  ],
  parse(body, { instruments }) {
    const rows = list(body, 'liquidations').flatMap((one) => list(one, 'liquidation'));
    return liquidationsOf(rows.filter(isLiquidation), instruments, {
      id: (row) => text(row[4]),
      read,
    });
  },
};

/** Data are arrays under the number of the channel, of which there is one; `hb` comes every 15 s. */
export const liquidations = {
  all: liquidationStream({
    url: 'wss://api-pub.bitfinex.com/ws/2',
    channels: () => ['{"event":"subscribe","channel":"status","key":"liq:global"}'],
    silence: 60_000,
    past,
    // The server is about to stop, and asks for a new connection.
    ends: (message) => isRecord(message) && message.event === 'info' && message.code === 20_051,
    acknowledges: (message) => (isRecord(message) && message.event === 'subscribed' ? 1 : 0),
    parse(message, { instruments }) {
      if (isRecord(message)) {
        if (text(message.event) === '') throw new ShapeError('event: no text');
        if (message.event === 'error') throw new ShapeError(`refused: ${text(message.msg)}`);
        return null;
      }
      const [, rows] = list(message, 'message');
      if (rows === 'hb') return null;
      return liquidationsOf(list(rows, 'rows').filter(isLiquidation), instruments, {
        id: (row) => text(row[4]),
        read,
      });
    },
  }),
};
