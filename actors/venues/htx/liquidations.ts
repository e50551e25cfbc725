/** Every liquidation of HTX's linear swaps. https://www.htx.com/en-us/opend (subscribe liquidation order data) */
import { ShapeError } from '../../failure.ts';
import { field, isRecord, list, positive, required, text, time } from '../../read.ts';
import { closedBy, liquidationOf, liquidationStream, liquidationsOf } from '../liquidations.ts';

const opOf = (message: unknown): string => (isRecord(message) ? text(message.op) : '');

/** The error code of an acknowledgement; NaN where there is none. */
const codeOf = (message: unknown): number => required(field(message, 'err-code'));

/** The channel also has dated contracts, which no instrument list of this service holds. */
const isSwap = (row: unknown): boolean => !isRecord(row) || row.business_type !== 'futures';

/** Frames are gzip. `direction` is that of the order, `amount` is base, `trade_turnover` quote. */
export const liquidations = {
  linear: liquidationStream({
    url: 'wss://api.hbdm.com/linear-swap-notification',
    channels: () => ['{"op":"sub","cid":"1","topic":"public.*.liquidation_orders"}'],
    codec: 'gzip',
    reply: (message) =>
      isRecord(message) && message.op === 'ping'
        ? JSON.stringify({ op: 'pong', ts: message.ts })
        : null,
    silence: 30_000,
    acknowledges: (message) => (opOf(message) === 'sub' && codeOf(message) === 0 ? 1 : 0),
    channelIn: /"op":"(notify)"/,
    parse(message, { instruments }) {
      const op = opOf(message);
      if (op === '') throw new ShapeError('op: no text');
      if (codeOf(message) > 0) throw new ShapeError(`HTX error ${codeOf(message)}`);
      if (op !== 'notify') return null;
      const rows = list(field(message, 'data'), 'data').filter(isSwap);
      return liquidationsOf(rows, instruments, {
        id: (row) => text(row.contract_code),
        read(row, market) {
          const side = closedBy(row.direction);
          return [
            side &&
              liquidationOf(market, {
                side,
                price: positive(row.price),
                price_kind: 'order',
                // Base already: the size of a contract is not needed.
                quantity: positive(row.amount) / market.contract,
                value: positive(row.trade_turnover),
                timestamp: time(row.created_at),
              }),
          ];
        },
      });
    },
  }),
};
