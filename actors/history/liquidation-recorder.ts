/** Records the log of liquidations: the events, their sums by minute, and for how long each stream was received. */
import { day } from '../../config/time.ts';
import type { Bus } from '../bus/bus.ts';
import type { Liquidations } from '../topics/index.ts';
import { combineTier } from './combine.ts';
import {
  eventsOf,
  heardOf,
  lateness,
  logPosition,
  placeOf,
  sumsOf,
  textOf,
} from './liquidation-rows.ts';
import { type LogOptions, LogRecorder } from './log-recorder.ts';
import * as logs from './logs.ts';
import { liquidationFeeds, liquidations } from './series/liquidations.ts';

/** How long events are kept, ms. */
const keep = 7 * day;
/** Hours that are combined at the first start: the log holds about a day. */
const firstHours = 48;

export interface LiquidationRecorderOptions extends LogOptions {
  bus: Pick<Bus, 'follow'>;
  /** Takes the number of stored events. */
  onStored?(events: number, at: number): void;
}

export function recordLiquidations(options: LiquidationRecorderOptions) {
  const { bus, store, clock, onStored } = options;
  const combine = hoursOf(options);
  return new LogRecorder<Liquidations>(
    {
      position: logPosition,
      warning: 'liquidations cannot be stored: they wait in the log',
      most: { batch: 5_000, waiting: 50_000 },
      rowsOf: ({ events }) => events.length,
      placeOf,
      follow: (from, take, onRestart) =>
        bus.follow(
          { liquidations: (_key, entry, at) => take(entry, at) },
          { ...(from && { from: { liquidations: { id: from.id, seq: from.seq } } }), onRestart },
        ),
      batch(entries, before) {
        const { writes, place } = heardOf(entries, placeOf(before));
        const events = { rows: eventsOf(entries), sums: sumsOf };
        return { writes, events, text: place && textOf(place) };
      },
      async stored(entries) {
        onStored?.(eventsOf(entries).length, clock.now());
        await combine(entries.at(-1)?.entry.at ?? 0);
      },
      prune: (now) => store.pruneLog(logs.events, now - keep),
    },
    options,
  );
}

/** Combines the hours that are complete by the time of the log. */
function hoursOf({ store }: Pick<LogOptions, 'store'>) {
  const [finer, tier] = liquidations.tiers;
  let combined = 0;
  return async (time: number) => {
    const ended = tier ? Math.floor((time - lateness) / tier.step) : 0;
    if (!tier || ended <= combined) return;
    const combining = { store, write: store.write.bind(store) };
    const settled = { time: time - lateness, before: firstHours };
    for (const series of [liquidations, liquidationFeeds])
      await combineTier(combining, series, { finer, tier }, settled);
    combined = ended;
  };
}
