/** What alerts have fired, as clients follow it: each event once, in the order of the log. */
import type { LogPosition } from '../../actors/bus/bus.ts';
import type { AlertEvent } from '../../actors/topics/index.ts';
import { FollowedLog } from './followed-log.ts';

/** Entries whose places are kept, and newest events, of all accounts and of one. */
const limits = { entries: 262_144, events: 65_536, own: 1_000 } as const;

export class AlertLog extends FollowedLog<AlertEvent> {
  /** The numbers of the entries of each account, the oldest first. */
  readonly #own = new Map<string, number[]>();

  /** `begin`: how the log is followed; called once, when a client wants it; resolves when it has been read. */
  constructor(begin: (log: AlertLog) => Promise<void>) {
    super(limits);
    this.begin = begin;
  }

  accept(event: AlertEvent, position: LogPosition): void {
    const place = this.placeAfterAll(position);
    if (place === null) return;
    const own = this.#own.get(event.account) ?? [];
    this.#own.set(event.account, own);
    own.push(this.end().next);
    const { base } = this;
    this.add(place, [event]);
    if (this.base > base) this.#forget();
    // The flood of one account pushes out events of its own alone.
    if (own.length > limits.own) this.empty(own.shift() ?? 0);
    this.announce();
  }

  /** Accounts of which entries are kept. */
  get accounts(): number {
    return this.#own.size;
  }

  /** Forgets the numbers of entries that are kept no more. */
  #forget(): void {
    for (const [account, own] of this.#own) {
      const first = own.findIndex((number) => number >= this.base);
      if (first < 0) this.#own.delete(account);
      else own.splice(0, first);
    }
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
