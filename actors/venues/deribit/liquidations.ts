/** Trades on Deribit that liquidate a position. https://docs.deribit.com/subscriptions/trades/tradeskindcurrencyinterval */
import { isRecord, list, positive, text, time, type WireRow } from '../../read.ts';
import type { Instrument } from '../../topics/index.ts';
import { closedBy, liquidationOf, liquidationStream, liquidationsOf } from '../liquidations.ts';
import { connection, dataOf, subscription } from './stream.ts';

const opposite = { long: 'short', short: 'long' } as const;

/**
 * `liquidation` says who is liquidated: T the taker, whose side `direction` is, M the maker, MT both. `amount` is USD of
 * inverse and base of linear contracts.
 */
function read(row: WireRow, market: Instrument) {
  const [who, id] = [text(row.liquidation), text(row.trade_id)];
  const taker = closedBy(row.direction);
  if (who !== '' && !taker) return [null];
  const [price, quantity, timestamp] = [
    positive(row.price),
    positive(row.amount),
    time(row.timestamp),
  ];
  const forced = { price, price_kind: 'fill', quantity, timestamp } as const;
  return [...who].map((one) => {
    if (!taker) return null;
    const side = one === 'T' ? taker : opposite[taker];
    return liquidationOf(market, { side, ...forced, id: id && `${id}${one}` });
  });
}

const isLiquidation = (row: unknown): boolean => !isRecord(row) || text(row.liquidation) !== '';

const stream = (currencies: readonly string[]) =>
  liquidationStream({
    ...connection,
    channels: () => [subscription(currencies.map((currency) => `trades.future.${currency}.100ms`))],
    concerns: (frame) => frame.includes('"liquidation"') || !frame.includes('"subscription"'),
    parse(message, { instruments }) {
      const data = dataOf(message);
      if (data === undefined) return null;
      return liquidationsOf(list(data, 'data').filter(isLiquidation), instruments, {
        id: (row) => text(row.instrument_name),
        read,
      });
    },
  });

/** Linear contracts settle in USDC or USDT; the currencies of the others are their own. */
export const liquidations = { linear: stream(['USDC', 'USDT']), inverse: stream(['BTC', 'ETH']) };
