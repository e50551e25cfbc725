/** The log of liquidations as the clients that follow it get it: each event once, in the order of the log. */
import type { LogPosition } from '../../actors/bus/bus.ts';
import { type Liquidation, type Liquidations, liquidationKey } from '../../actors/topics/index.ts';
import { RecentKeys } from '../../indicators/derivatives/recent-keys.ts';
import { FollowedLog } from './followed-log.ts';

/** Newest entries with events, and events in them, that are kept: about a day of a busy market. */
const limits = { entries: 65_536, events: 100_000 } as const;
/** Keys of events that are remembered, and for how long at least, ms: two processes may have published one event. */
const memory = { keep: 600_000, maxKeys: 50_000 };

/** A liquidation with its exchange. */
export type Event = Liquidation & { exchange: string };

export class EventLog extends FollowedLog<Event> {
  readonly #known = new RecentKeys(memory);

  constructor() {
    super(limits);
  }

  accept({ source, at, events }: Liquidations, position: LogPosition): void {
    const place = this.placeAfterAll(position);
    if (place === null) return;
    const fresh = events
      .filter((event) => this.#known.add(`${source}|${liquidationKey(event)}`, at))
      .map((event): Event => ({ exchange: source, ...event }));
    if (fresh.length === 0) return;
    this.add(place, fresh);
    this.announce();
  }
}
