/** A log that one client follows: each event once, none left out. */
import type { Cancel } from '../../actors/kernel/clock.ts';
import type { Event } from '../views/liquidation-streams.ts';
import { type EventLog, follows, type LogEntry, type LogStart } from './event-log.ts';
import { type Id, Message } from './message.ts';
import type { Receiver, Subscribed, Wishes } from './subscription.ts';

/** The events of a log that a client wants. */
export interface LogQuery {
  log: EventLog;
  /** How many past events a client without a position gets at most. */
  limit: number;
  /** An event as the client sees it; null for one that is not wanted. */
  item(event: Event): object | null;
}

/** Most events of one message, and entries that are looked at in one go. */
const most = { events: 200, entries: 5_000 } as const;

/** Where the log begins for a client without a position: this many of the wanted events before its end. */
function newest({ log, limit, item }: LogQuery): LogStart {
  let { next } = log.end();
  for (let found = 0; found < limit; next--) {
    const entry = next > log.base ? log.read(next - 1) : null;
    if (!entry) break;
    const wanted = entry.events.filter((event) => item(event) !== null).length;
    if (found > 0 && found + wanted > limit) break;
    found += wanted;
  }
  return { next, recovered: false };
}

/** Of a client that reads slowly only its place in the log is kept. */
export class LogSubscription implements Subscribed {
  readonly id: Id;
  readonly wishes: Wishes;
  readonly weight = 1;
  readonly #query: LogQuery;
  readonly #receiver: Receiver;
  #stop: Cancel = () => {};
  #position: string;
  /** The position of the client; null once a later entry has come: this process may be behind another one. */
  #has: string | null;
  #next: number;
  /** Said with the first message. */
  #recovered: boolean | null;
  #isFirst = true;
  #waiting: Cancel | null = null;
  #due = 0;

  /** `from` is where a client that comes back goes on. */
  constructor(
    query: LogQuery,
    around: { id: Id; wishes: Wishes; receiver: Receiver; from: LogStart | null },
  ) {
    this.#query = query;
    this.id = around.id;
    this.wishes = around.wishes;
    this.#receiver = around.receiver;
    this.#recovered = around.from?.recovered ?? null;
    this.#next = (around.from ?? newest(query)).next;
    this.#has = around.from === null ? null : (around.wishes.resume ?? null);
    this.#position = this.#has ?? query.log.end().position;
  }

  /** Sends the first message. */
  start(): void {
    this.#stop = this.#query.log.listen(() => this.flush());
    this.flush();
  }

  flush(): void {
    if (this.#waiting !== null) return;
    const { clock } = this.#receiver;
    const wait = this.#due - clock.now();
    if (this.wishes.every > 0 && wait > 0) {
      this.#waiting = clock.after(wait, () => {
        this.#waiting = null;
        this.flush();
      });
      return;
    }
    this.#due = clock.now() + this.wishes.every;
    while (!this.#receiver.full && this.#sendNext());
  }

  stop(): void {
    this.#waiting?.();
    this.#waiting = null;
    this.#stop();
  }

  /** Sends the next events. Whether there may be more. */
  #sendNext(): boolean {
    const items: object[] = [];
    let looked = 0;
    while (items.length < most.events && looked < most.entries) {
      const entry = this.#query.log.read(this.#next);
      if (entry === null) {
        this.#receiver.lost();
        return false;
      }
      if (entry === undefined) break;
      this.#next += 1;
      looked += 1;
      items.push(...this.#itemsOf(entry));
    }
    if (items.length > 0 || this.#isFirst) this.#send(items);
    return looked > 0;
  }

  /** The matching events of an entry; none where the client has it. */
  #itemsOf({ position, events }: LogEntry): object[] {
    if (this.#has !== null && !follows(position, this.#has)) return [];
    this.#has = null;
    this.#position = position;
    const { item } = this.#query;
    return events.flatMap((event) => item(event) ?? []);
  }

  #send(events: readonly object[]): void {
    const recovered = this.#recovered === null ? '' : `,"recovered":${this.#recovered}`;
    this.#recovered = null;
    this.#isFirst = false;
    const rest = `${recovered},"events":${JSON.stringify(events)}`;
    const about = { event: 'events', version: this.#position } as const;
    const message = new Message({ ...about, rest, made: this.#receiver.clock.now() });
    this.#receiver.send(this, message, null);
  }
}
