/** What tracked wallets open and close, as clients follow it: each event once, in the order of the log. */
import type { LogPosition } from '../../actors/bus/bus.ts';
import type { PositionEvent, PositionEvents } from '../../actors/topics/hyperliquid-wallets.ts';
import { NumberedLog, placeOf } from './numbered-log.ts';

/** Newest entries, and events in them, that are kept. */
const limits = { entries: 20_000, events: 20_000 } as const;

export class PositionLog extends NumberedLog<PositionEvent> {
  #ready: Promise<void> | null = null;

  /** How the log is followed: called once, when a client wants it; resolves when it has been read. */
  begin: (log: PositionLog) => Promise<void> = async () => {};

  constructor() {
    super(limits);
  }

  async ready(): Promise<undefined> {
    this.#ready ??= this.begin(this);
    await this.#ready;
  }

  accept({ events }: PositionEvents, { id, seq }: LogPosition): void {
    const place = placeOf(`${seq}.${id}`);
    if (place === null || !this.accepts(place)) return;
    this.add(place, events);
    this.announce();
  }

  /** The log goes on after an earlier place: a fail-over lost the entries that came behind it. */
  goBack({ id, seq }: LogPosition): void {
    this.acceptAfter(placeOf(`${seq}.${id}`));
  }
}
