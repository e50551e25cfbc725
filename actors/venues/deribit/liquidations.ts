/** Trades on Deribit that liquidate a position. https://docs.deribit.com/subscriptions/trades/tradeskindcurrencyinterval */
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, list, positive, text, time, type WireRow } from '../../read.ts';
import type { Instrument } from '../../topics/index.ts';
import { closedBy, liquidationOf, liquidationStream, liquidationsOf } from '../liquidations.ts';

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

/** The server asks whether we live, and closes when it gets no answer. */
const stream = (currencies: readonly string[]) =>
  liquidationStream({
    url: 'wss://www.deribit.com/ws/api/v2',
    channels: () => [
      '{"jsonrpc":"2.0","id":1,"method":"public/set_heartbeat","params":{"interval":30}}',
      JSON.stringify({
        ...{ jsonrpc: '2.0', id: 2, method: 'public/subscribe' },
        params: { channels: currencies.map((currency) => `trades.future.${currency}.100ms`) },
      }),
    ],
    reply(message) {
      const isTest =
        isRecord(message) &&
        message.method === 'heartbeat' &&
        asRow(message.params).type === 'test_request';
      return isTest ? '{"jsonrpc":"2.0","id":3,"method":"public/test"}' : null;
    },
    silence: 90_000,
    concerns: (frame) => frame.includes('"liquidation"') || !frame.includes('"subscription"'),
    acknowledges: (message) =>
      isRecord(message) && message.id === 2 && Array.isArray(message.result)
        ? message.result.length
        : 0,
    channelIn: /"channel":"(trades\.[^"]+)"/,
    parse(message, { instruments }) {
      const error = field(message, 'error');
      if (error !== undefined) throw new ShapeError(`refused: ${text(asRow(error).message)}`);
      const method = field(message, 'method');
      if (method === 'heartbeat' || field(message, 'result') !== undefined) return null;
      if (method !== 'subscription') throw new ShapeError('method: unknown');
      const trades = list(field(field(message, 'params'), 'data'), 'data');
      return liquidationsOf(trades.filter(isLiquidation), instruments, {
        id: (row) => text(row.instrument_name),
        read,
      });
    },
  });

/** Linear contracts settle in USDC or USDT; the currencies of the others are their own. */
export const liquidations = { linear: stream(['USDC', 'USDT']), inverse: stream(['BTC', 'ETH']) };
