/** Records the log of deliveries of alerts, and answers questions about them. */
import { day, minute } from '../../config/time.ts';
import type { Bus } from '../bus/bus.ts';
import type { Clock } from '../kernel/clock.ts';
import type { AlertDeliveriesParams, AlertDelivery } from '../topics/index.ts';
import { type LogOptions, LogRecorder } from './log-recorder.ts';
import * as logs from './logs.ts';
import { replyOf } from './reply.ts';
import type { Store } from './store.ts';

/** How long attempts are kept, ms. */
const keep = 30 * day;
/** Most attempts of one answer. */
const mostAnswered = 500;

export const recordDeliveries = ({ bus, ...options }: LogOptions & { bus: Pick<Bus, 'follow'> }) =>
  new LogRecorder<AlertDelivery>(
    {
      position: 'log:alert-deliveries',
      warning: 'deliveries of alerts cannot be stored: they wait in the log',
      most: { batch: 1_000, waiting: 20_000 },
      rowsOf: () => 1,
      placeOf(text) {
        const [seq, id] = text?.split(' ') ?? [];
        return id ? { id, seq: Number(seq) } : null;
      },
      follow: (from, take) =>
        bus.follow(
          { alertDeliveries: (_key, delivery, at) => take(delivery, at) },
          from === null ? {} : { from: { alertDeliveries: from } },
        ),
      batch(entries, before) {
        const last = entries.at(-1)?.at;
        const text = last ? `${last.seq} ${last.id}` : before;
        return { writes: [], deliveries: entries.map(({ entry }) => entry), text };
      },
      prune: (now) => options.store.pruneLog(logs.deliveries, now - keep),
    },
    options,
  );

/** The handler of the bus, by the name of the query. */
export const deliveryAnswers = (store: Pick<Store, 'log'>, clock: Clock) => ({
  alertDeliveries({ alert_id: owner, limit }: AlertDeliveriesParams) {
    const now = clock.now();
    const wanted = {
      from: now - keep,
      to: now + minute,
      owner,
      limit: Math.min(limit, mostAnswered),
    };
    return replyOf({ received: now }, () => store.log(logs.deliveries, wanted));
  },
});
