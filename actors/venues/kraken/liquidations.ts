/** Trades on Kraken Futures that liquidate a position. https://docs.kraken.com/api/docs/futures-api/websocket/trade */
import { asRow, field, isRecord, list, positive, text, time, type WireRow } from '../../read.ts';
import type { PastEvents } from '../../sources/streams/stream.ts';
import type { Instrument, Liquidation } from '../../topics/index.ts';
import { timeOf, timeText } from '../iso.ts';
import {
  closedBy,
  largestOf,
  liquidationOf,
  liquidationStream,
  liquidationsOf,
  perpetualsOf,
} from '../liquidations.ts';
import type { Ask } from './api.ts';
import { connection, feedOf, subscriptions } from './stream.ts';

/** `side` is that of the taker, who is liquidated; `qty` is base (`PF_`) or USD (`PI_`). */
function read(row: WireRow, market: Instrument) {
  return [
    liquidationOf(market, {
      side: closedBy(row.side),
      price: positive(row.price),
      price_kind: 'fill',
      quantity: positive(row.qty),
      timestamp: time(row.time),
      id: text(row.uid),
    }),
  ];
}

const isLiquidation = (row: unknown): boolean => isRecord(row) && row.type === 'liquidation';

const tradesUntil = (symbol: string, end: number): Ask => ({
  ...{ api: 'futures', path: '/derivatives/api/v3/history' },
  query: { symbol, lastTime: timeText(Math.ceil(end / 1_000) * 1_000) },
});

const historyOf = (body: unknown) => list(field(body, 'history'), 'history').map(asRow);

/** Trades of large assets, a hundred an answer; they have the names and units of the stream but for these. */
const past: PastEvents<Liquidation> = {
  requests: (instruments, { to }) =>
    largestOf(instruments).map((market) => ({ ...tradesUntil(market, to), market })),
  parse(body, { instruments }, { market = '' }) {
    const trades = historyOf(body).map(({ time: at, size: qty, ...row }) => ({
      ...{ ...row, qty, time: timeOf(at), product_id: market },
    }));
    return liquidationsOf(trades.filter(isLiquidation), instruments, { id: () => market, read });
  },
  before(request, body, { from }) {
    const times = historyOf(body).map((row) => timeOf(row.time) ?? Infinity);
    const oldest = Math.min(...times);
    const isMore = oldest > from && oldest < Infinity;
    return isMore && request.market !== undefined
      ? { ...tradesUntil(request.market, oldest), market: request.market }
      : null;
  },
};

/** The trades of a message: one, or the hundred before the subscription. Null for a message that is about none. */
function tradesOf(message: unknown): readonly unknown[] | null {
  const feed = feedOf(message);
  if (feed === 'trade') return [message];
  return feed === 'trade_snapshot' ? list(field(message, 'trades'), 'trades') : null;
}

export const liquidations = {
  futures: liquidationStream({
    ...connection('trade'),
    channels: (instruments) => subscriptions('trade', perpetualsOf(instruments)),
    past,
    concerns: (frame) => frame.includes('"liquidation"') || frame.includes('"event"'),
    parse(message, { instruments }) {
      const trades = tradesOf(message);
      if (trades === null) return null;
      return liquidationsOf(trades.filter(isLiquidation), instruments, {
        id: (row) => text(row.product_id),
        read,
      });
    },
  }),
};
