/** What happens once and is kept for a while, as rows of a table: docs/history.md has the columns, which both stores have. */
import { type AlertDelivery, type Liquidation, liquidationKey } from '../topics/index.ts';

/** A row by column name; `time` is Unix ms, of a column `json` the text. */
export type LogRow = Readonly<Record<string, string | number | null>>;

/** A liquidation with its exchange. */
export interface StoredEvent extends Liquidation {
  exchange: string;
}

/** A table of `T`. */
export interface LogTable<T> {
  name: string;
  /** Those besides `time`. */
  columns: Readonly<Record<string, 'text' | 'number' | 'json'>>;
  /** The columns that tell two rows apart. */
  key: readonly string[];
  /** The column of which one value can be asked for. */
  owner: string;
  /** In PostgreSQL by day: its rows go with their day. */
  isPartitioned: boolean;
  rowOf(one: T): LogRow;
  /** The reverse of `rowOf`: the database gives what was written. */
  of(row: LogRow): T;
}

/** Rows within a range of time, of one owner or of all, newest first. */
export interface LogRange {
  /** Unix ms, inclusive. */
  from: number;
  to: number;
  owner?: string | undefined;
  limit: number;
}

/** The fields of a liquidation that only some exchanges state: one text in JSON, null without any. */
type Details = Pick<Liquidation, 'id' | 'order' | 'quantity_contracts' | 'bankruptcy_loss'>;

export const events: LogTable<StoredEvent> = {
  name: 'liquidation_events',
  columns: {
    exchange: 'text',
    key: 'text',
    symbol: 'text',
    contract: 'text',
    side: 'text',
    price: 'number',
    price_kind: 'text',
    quantity_base: 'number',
    value_usd: 'number',
    details: 'text',
  },
  key: ['time', 'exchange', 'key'],
  owner: 'exchange',
  isPartitioned: true,
  rowOf(event) {
    const { id, order, quantity_contracts, bankruptcy_loss, timestamp: time, ...row } = event;
    const details = JSON.stringify({ id, order, quantity_contracts, bankruptcy_loss });
    return { ...row, time, key: liquidationKey(event), details: details === '{}' ? null : details };
  },
  of({ key: _, time, details, ...row }) {
    const more: Details = typeof details === 'string' ? JSON.parse(details) : {};
    return { ...row, timestamp: time, ...more } as StoredEvent;
  },
};

/** Attempts to deliver what alerts have fired. */
export const deliveries: LogTable<AlertDelivery> = {
  name: 'alert_deliveries',
  columns: { alert_id: 'text', key: 'text', details: 'json' },
  key: ['alert_id', 'time', 'key'],
  owner: 'alert_id',
  isPartitioned: false,
  rowOf({ alert_id, at: time, ...rest }) {
    const { event_id, receiver, target, attempt } = rest;
    const key = `${event_id} ${receiver} ${target} ${attempt}`;
    return { alert_id, time, key, details: JSON.stringify(rest) };
  },
  of: ({ alert_id, time, details }) => ({ ...JSON.parse(`${details}`), alert_id, at: time }),
};
