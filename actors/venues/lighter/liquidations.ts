/** Liquidations on Lighter, beside the trades of each market. https://apidocs.lighter.xyz/docs/websocket-reference */
import { field, isRecord, list, positive, time, type WireRow } from '../../read.ts';
import type { Instrument } from '../../topics/index.ts';
import { liquidationOf, liquidationStream, liquidationsOf, perpetualsOf } from '../liquidations.ts';
import { checkedType, connection, idOf, typeOf } from './rows.ts';

/** The taker is liquidated, and has sold where the bid was the maker. `usd_amount` is the value. */
function read(row: WireRow, market: Instrument) {
  const { is_maker_ask: bought } = row;
  if (typeof bought !== 'boolean') return [null];
  const forced = {
    side: bought ? 'short' : 'long',
    price: positive(row.price),
    price_kind: 'fill',
    quantity: positive(row.size),
    value: positive(row.usd_amount),
    timestamp: time(row.timestamp),
    id: positive(row.trade_id) > 0 ? `${row.trade_id}` : '',
  } as const;
  return [liquidationOf(market, forced)];
}

const isLiquidation = (row: unknown): boolean => isRecord(row) && row.type === 'liquidation';

/** A hundred markets a connection; 200 messages a minute are allowed. */
export const liquidations = {
  all: liquidationStream({
    ...connection,
    channels: (instruments) =>
      perpetualsOf(instruments).map((id) =>
        JSON.stringify({ type: 'subscribe', channel: `trade/${id}` }),
      ),
    perConnection: 100,
    pace: 350,
    concerns: (frame) => frame.includes('"liquidation"') || !frame.includes('"update/trade"'),
    acknowledges: (message) => (typeOf(message) === 'subscribed/trade' ? 1 : 0),
    parse(message, { instruments }) {
      const type = checkedType(message);
      if (type !== 'subscribed/trade' && type !== 'update/trade') return null;
      const rows = list(field(message, 'liquidation_trades') ?? [], 'liquidation_trades');
      return liquidationsOf(rows.filter(isLiquidation), instruments, { id: idOf, read });
    },
  }),
};
