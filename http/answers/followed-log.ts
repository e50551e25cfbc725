/** A log of Redis as clients follow it: it is read from the time at which one first wants it. */
import type { LogPosition } from '../../actors/bus/bus.ts';
import type { PositionEvent, PositionEvents } from '../../actors/topics/hyperliquid-wallets.ts';
import { type EntryPlace, NumberedLog, placeOf } from './numbered-log.ts';

const placeIn = ({ id, seq }: LogPosition): EntryPlace | null => placeOf(`${seq}.${id}`);

export abstract class FollowedLog<E> extends NumberedLog<E> {
  #ready: Promise<void> | null = null;

  /** How the log is followed: called once, when a client wants it; resolves when it has been read. */
  begin: (log: this) => Promise<void> = async () => {};

  async ready(): Promise<undefined> {
    this.#ready ??= this.begin(this);
    await this.#ready;
  }

  /** The place of an entry that comes after all that was accepted; null for any other. */
  protected placeAfterAll(position: LogPosition): EntryPlace | null {
    const place = placeIn(position);
    return place !== null && this.accepts(place) ? place : null;
  }

  /** The log goes on after an earlier place: a fail-over lost the entries that came behind it. Those that were given stay. */
  goBack(position: LogPosition): void {
    this.acceptAfter(placeIn(position));
  }
}

/** Newest entries, and events in them, that are kept. */
const mostPositions = { entries: 20_000, events: 20_000 } as const;

/** What tracked wallets open and close, each event once, in the order of the log. */
export class PositionLog extends FollowedLog<PositionEvent> {
  constructor() {
    super(mostPositions);
  }

  accept({ events }: PositionEvents, position: LogPosition): void {
    const place = this.placeAfterAll(position);
    if (place === null) return;
    this.add(place, events);
    this.announce();
  }
}
