/** The fields of a stored liquidation that only some exchanges state: one text in JSON, null without any. */
import { type Liquidation, liquidationKey } from '../topics/index.ts';
import type { StoredEvent } from './store.ts';

type Details = Pick<Liquidation, 'id' | 'order' | 'quantity_contracts' | 'bankruptcy_loss'>;

/** A stored event as a row of a table: the columns that both stores have. */
export interface EventRow extends Omit<StoredEvent, keyof Details> {
  /** `liquidationKey`: unique within its exchange and time. */
  key: string;
  details: string | null;
}

export function eventRowOf(event: StoredEvent): EventRow {
  const { id, order, quantity_contracts, bankruptcy_loss, ...row } = event;
  const details = JSON.stringify({ id, order, quantity_contracts, bankruptcy_loss });
  return { ...row, key: liquidationKey(event), details: details === '{}' ? null : details };
}

export function eventOf({ key: _, details, ...row }: EventRow): StoredEvent {
  const more: Details = details === null ? {} : JSON.parse(details);
  return { ...row, ...more };
}

/** The same for an event that is stored already. */
export const eventIdOf = ({
  exchange,
  timestamp,
  key,
}: Pick<EventRow, 'exchange' | 'timestamp' | 'key'>): string => `${exchange}|${timestamp}|${key}`;
