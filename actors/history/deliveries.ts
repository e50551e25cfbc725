/** Attempts to deliver what alerts have fired, as a row of a table: the columns that both stores have. */
import type { AlertDelivery } from '../topics/index.ts';

export interface DeliveryRow {
  alert_id: string;
  /** Unix ms. */
  at: number;
  /** Unique within its alert and time. */
  key: string;
  /** JSON. */
  details: string;
}

export function deliveryRowOf(delivery: AlertDelivery): DeliveryRow {
  const { alert_id, at, ...rest } = delivery;
  const { event_id, receiver, target, attempt } = rest;
  const key = `${event_id} ${receiver} ${target} ${attempt}`;
  return { alert_id, at, key, details: JSON.stringify(rest) };
}

export function deliveryOf({ alert_id, at, details }: Omit<DeliveryRow, 'key'>): AlertDelivery {
  return { ...JSON.parse(details), alert_id, at };
}
