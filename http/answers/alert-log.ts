/** What alerts have fired, as clients follow it: each event once, in the order of the log. */
import type { LogPosition } from '../../actors/bus/bus.ts';
import type { AlertEvent } from '../../actors/topics/index.ts';
import { NumberedLog, placeOf } from './numbered-log.ts';

/** Newest events that are kept, of all accounts. */
const most = { entries: 16_384, events: 16_384 } as const;

export class AlertLog extends NumberedLog<AlertEvent> {
  readonly #begin: (log: AlertLog) => Promise<void>;
  #ready: Promise<void> | null = null;

  /** `begin`: how the log is followed; called once, when a client wants it; resolves when it has been read. */
  constructor(begin: (log: AlertLog) => Promise<void>) {
    super(most);
    this.#begin = begin;
  }

  async ready(): Promise<undefined> {
    this.#ready ??= this.#begin(this);
    await this.#ready;
  }

  accept(event: AlertEvent, { id, seq }: LogPosition): void {
    const place = placeOf(`${seq}.${id}`);
    if (place === null || !this.accepts(place)) return;
    this.add(place, [event]);
    this.announce();
  }

  /** The log goes on after an earlier place: a fail-over lost the entries that came behind it. */
  goBack({ id, seq }: LogPosition): void {
    this.acceptAfter(placeOf(`${seq}.${id}`));
  }

  /** The newest events that are wanted, the newest first. */
  newest(limit: number, isWanted: (event: AlertEvent) => boolean): AlertEvent[] {
    const found: AlertEvent[] = [];
    for (let at = this.end().next - 1; at >= this.base && found.length < limit; at--) {
      for (const event of this.read(at)?.events ?? []) if (isWanted(event)) found.push(event);
    }
    return found;
  }
}
