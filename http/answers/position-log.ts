/** What tracked wallets open and close, as clients follow it: each event once, in the order of the log. */
import type { LogPosition } from '../../actors/bus/bus.ts';
import type { PositionEvent, PositionEvents } from '../../actors/topics/hyperliquid-wallets.ts';
import { FollowedLog } from './followed-log.ts';

/** Newest entries, and events in them, that are kept. */
const limits = { entries: 20_000, events: 20_000 } as const;

export class PositionLog extends FollowedLog<PositionEvent> {
  constructor() {
    super(limits);
  }

  accept({ events }: PositionEvents, position: LogPosition): void {
    const place = this.placeAfterAll(position);
    if (place === null) return;
    this.add(place, events);
    this.announce();
  }
}
