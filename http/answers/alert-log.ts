/** What alerts have fired, as clients follow it: each event once, in the order of the log. */
import type { LogPosition } from '../../actors/bus/bus.ts';
import type { AlertEvent } from '../../actors/topics/index.ts';
import { NumberedLog, placeOf } from './numbered-log.ts';

/** Entries whose places are kept, and newest events, of all accounts and of one. */
const limits = { entries: 262_144, events: 65_536, own: 1_000 } as const;

export class AlertLog extends NumberedLog<AlertEvent> {
  readonly #begin: (log: AlertLog) => Promise<void>;
  /** The numbers of the entries of each account, the oldest first. */
  readonly #own = new Map<string, number[]>();
  #ready: Promise<void> | null = null;

  /** `begin`: how the log is followed; called once, when a client wants it; resolves when it has been read. */
  constructor(begin: (log: AlertLog) => Promise<void>) {
    super(limits);
    this.#begin = begin;
  }

  async ready(): Promise<undefined> {
    this.#ready ??= this.#begin(this);
    await this.#ready;
  }

  accept(event: AlertEvent, { id, seq }: LogPosition): void {
    const place = placeOf(`${seq}.${id}`);
    if (place === null || !this.accepts(place)) return;
    const own = this.#own.get(event.account) ?? [];
    this.#own.set(event.account, own);
    own.push(this.end().next);
    this.add(place, [event]);
    // The flood of one account pushes out events of its own alone.
    if (own.length > limits.own) this.empty(own.shift() ?? 0);
    this.announce();
  }

  /** The log goes on after an earlier place: a fail-over lost the entries that came behind it. */
  goBack({ id, seq }: LogPosition): void {
    this.acceptAfter(placeOf(`${seq}.${id}`));
  }

  /** The newest events of an account that are wanted, the newest first. */
  newest(account: string, limit: number, isWanted: (event: AlertEvent) => boolean): AlertEvent[] {
    const own = this.#own.get(account) ?? [];
    const found: AlertEvent[] = [];
    for (let i = own.length - 1; i >= 0 && found.length < limit; i--) {
      const events = this.read(own[i] ?? 0)?.events ?? [];
      found.push(...events.filter((event) => event.account === account && isWanted(event)));
    }
    return found;
  }
}
