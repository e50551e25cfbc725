/** A log that one client follows: each event once, none left out. */
import type { Cancel } from '../../actors/kernel/clock.ts';
import { jsonOf } from '../answers/json.ts';
import {
  follows,
  type LogEntry,
  type LogQuery,
  type LogStart,
  type NumberedLog,
  positionOf,
} from '../answers/numbered-log.ts';
import { type Id, Message } from './message.ts';
import {
  guarded,
  type Receiver,
  type Subscribed,
  type SubscriptionOptions,
} from './subscription.ts';

/** Most events of one message, and entries that are looked at for it and for the past events of a new client. */
const limits = { events: 200, entries: 5_000 } as const;
/** Units of looking at one event. */
const ofEvent = 0.05;

const unitsOf = ({ events }: LogEntry): number => ofEvent * Math.max(1, events.length);

/** Like how many requests a subscription counts: one more for each 5,000 entries that it begins with. */
export const requestsOf = (log: NumberedLog<object>, from: LogStart | null): number =>
  1 + (from === null ? 0 : Math.floor((log.end().next - from.next) / limits.entries));

/** Where the log begins for a client without a position: this many of the wanted events before its end. */
function* newest({ log, limit, item }: LogQuery): Generator<number, number> {
  const end = log.end().next;
  let [first, found] = [end, 0];
  for (let at = end - 1; at >= end - limits.entries && found < limit; at--) {
    const entry = at < log.base ? null : log.read(at);
    if (!entry) break;
    const wanted = entry.events.filter((event) => item(event) !== null).length;
    if (found > 0 && found + wanted > limit) break;
    if (wanted > 0) first = at;
    found += wanted;
    yield unitsOf(entry);
  }
  return first;
}

/** Of a client that reads slowly only its place in the log is kept. */
export class LogSubscription implements Subscribed {
  readonly id: Id;
  readonly options: SubscriptionOptions;
  readonly weight = 1;
  readonly #query: LogQuery;
  readonly #receiver: Receiver;
  #stop: Cancel = () => {};
  #position: string;
  /** The position of a client that has read further than this process; null once a later entry has come. */
  #has: string | null;
  /** The next entry; null until the past events of a new client have been found. */
  #next: number | null;
  /** Said with the first message. */
  #recovered: boolean | null;
  #isFirst = true;
  #waiting: Cancel | null = null;
  /** Before it no further message is sent, Unix ms. */
  #due = 0;
  #isSending = true;
  #isOver = false;

  /** `from` is where a client that comes back goes on. */
  constructor(
    query: LogQuery,
    around: { id: Id; options: SubscriptionOptions; receiver: Receiver; from: LogStart | null },
  ) {
    this.#query = query;
    this.id = around.id;
    this.options = around.options;
    this.#receiver = around.receiver;
    this.#recovered = around.from?.recovered ?? null;
    this.#next = around.from?.next ?? null;
    const { resume = null } = around.options;
    this.#has = around.from?.isAhead ? resume : null;
    this.#position = (around.from && resume) ?? query.log.end().position;
  }

  /** Sends the first message, in the next turns. */
  start(): void {
    this.#stop = this.#query.log.listen(() => this.flush());
    this.#receiver.work(guarded(this, this.#receiver, this.#sendAll()));
  }

  flush(): void {
    if (this.#waiting !== null || this.#isSending) return;
    const { clock } = this.#receiver;
    const wait = this.#due - clock.monotonic();
    if (this.options.every > 0 && wait > 0) {
      this.#waiting = clock.after(wait, () => {
        this.#waiting = null;
        this.flush();
      });
      return;
    }
    this.#isSending = true;
    this.#receiver.work(guarded(this, this.#receiver, this.#sendAll()));
  }

  stop(): void {
    this.#isOver = true;
    this.#waiting?.();
    this.#waiting = null;
    this.#stop();
  }

  *#sendAll(): Generator<number, void> {
    if (this.#isOver) return;
    this.#next ??= yield* newest(this.#query);
    while (!this.#isOver && !this.#receiver.full) {
      if (!(yield* this.#sendNext(this.#next))) break;
    }
    this.#isSending = false;
  }

  /** Sends the next events. Whether there may be more. */
  *#sendNext(from: number): Generator<number, boolean> {
    const items: object[] = [];
    const end = from + limits.entries;
    let next = from;
    for (; items.length < limits.events && next < end; next++) {
      const entry = this.#query.log.read(next);
      if (entry === null) {
        this.#receiver.lost();
        return false;
      }
      if (entry === undefined) break;
      items.push(...this.#itemsOf(entry));
      yield unitsOf(entry);
    }
    this.#next = next;
    if (this.#isOver) return false;
    if (items.length > 0 || this.#isFirst) {
      this.#send(items);
      yield 1;
    }
    return next > from;
  }

  /** The matching events of an entry; none where the client has it. */
  #itemsOf({ place, events }: LogEntry): object[] {
    const position = positionOf(place);
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
    const rest = `${recovered},"events":${jsonOf(events)}`;
    const about = { event: 'events', version: this.#position } as const;
    const made = this.#receiver.clock.now();
    this.#due = this.#receiver.clock.monotonic() + this.options.every;
    this.#receiver.send(this, new Message({ ...about, rest, made }), null);
  }
}
