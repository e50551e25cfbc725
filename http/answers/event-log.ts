/** Logs of the events of streams as the clients that follow them get them: each event once, in the order of the log. */
import type { LogPosition } from '../../actors/bus/bus.ts';
import { type Liquidation, liquidationKey, type StreamEvents } from '../../actors/topics/index.ts';
import { RecentKeys } from '../../indicators/derivatives/recent-keys.ts';
import { FollowedLog } from './followed-log.ts';

/** Newest entries with events, and events in them, that are kept: about a day of a busy market. */
const limits = { entries: 65_536, events: 100_000 } as const;
/** Keys of events that are remembered, and for how long at least, ms: two processes may have published one event. */
const memory = { keep: 600_000, maxKeys: 50_000 };

/** An event with its exchange. */
export type Sourced<E> = E & { exchange: string };
/** A liquidation with its exchange. */
export type Event = Sourced<Liquidation>;

/** `keyOf` is the same for an event of an exchange that is sent twice. */
export class StreamLog<E extends object> extends FollowedLog<Sourced<E>> {
  readonly #known = new RecentKeys(memory);
  readonly #keyOf: (event: E) => string;

  constructor(keyOf: (event: E) => string) {
    super(limits);
    this.#keyOf = keyOf;
  }

  accept({ source, at, events }: StreamEvents<E>, position: LogPosition): void {
    const place = this.placeAfterAll(position);
    if (place === null) return;
    const fresh = events
      .filter((event) => this.#known.add(`${source}|${this.#keyOf(event)}`, at))
      .map((event): Sourced<E> => ({ exchange: source, ...event }));
    if (fresh.length === 0) return;
    this.add(place, fresh);
    this.announce();
  }
}

/** The log of liquidations. */
export class EventLog extends StreamLog<Liquidation> {
  constructor() {
    super(liquidationKey);
  }
}
