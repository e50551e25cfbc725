/** Liquidations of the last 24 hours: the newest events of each exchange, sums by minute, and when each feed was received. */
import * as topics from '../../actors/topics/index.ts';
import { day, minute } from '../../config/time.ts';
import * as liquidationSums from '../../indicators/derivatives/liquidation-sums.ts';
import { RecentKeys } from '../../indicators/derivatives/recent-keys.ts';
import { less } from '../../indicators/digits.ts';
import { stepAt } from '../../indicators/market/buckets.ts';
import { type Event, EventLog } from '../answers/event-log.ts';
import { Source } from '../answers/source.ts';
import { EventFeeds, type EventRecord } from './event-feeds.ts';

/** Cells of the sums that are kept: a busy day of the thirteen feeds has about a hundred thousand. */
const mostCells = 200_000;
/** Keys of events that are remembered, and for how long at least, ms: two processes may have published one event. */
const memory = { keep: 600_000, maxKeys: 50_000 };
/** How often the tables are made again, ms. */
const tableEvery = 10_000;
/** Which events are wanted. */
export interface EventsOf {
  exchange?: string | undefined;
  symbol?: string | undefined;
  side?: topics.Liquidation['side'] | undefined;
  /** Least value in US dollars. */
  min_usd?: number | undefined;
  limit: number;
}

export const isWanted = (
  event: Event,
  { exchange, symbol, side, min_usd = 0 }: EventsOf,
): boolean =>
  (exchange === undefined || event.exchange === exchange) &&
  (symbol === undefined || event.symbol === symbol) &&
  (side === undefined || event.side === side) &&
  less(event.value_usd, min_usd) >= 0;

/** Newest events of an exchange that are kept. */
const mostEvents = 2_000;

/** The newest events of one exchange by their time, ascending. */
class Newest {
  readonly events: Event[] = [];

  add(event: Event): void {
    const { events } = this;
    let at = events.length;
    while (at > 0 && (events[at - 1]?.timestamp ?? 0) > event.timestamp) at--;
    if (at === events.length) events.push(event);
    else events.splice(at, 0, event);
    if (events.length > 2 * mostEvents) events.splice(0, events.length - mostEvents);
  }
}

/** The log of liquidations as answers. Events answer at once, tables every ten seconds. */
export class LiquidationsView {
  /** Exchanges with a feed of liquidations. */
  readonly exchanges: readonly string[];
  /** Each event once, for clients that follow them. */
  readonly log = new EventLog();
  readonly #feeds: EventFeeds;
  readonly #events = new Map<string, Newest>();
  readonly #sums = new liquidationSums.LiquidationSums(mostCells);
  readonly #known = new RecentKeys(memory);
  /** Of answers made of events. */
  readonly newest = new Source(() => this.#received());
  /** Of answers made of sums: it changes every ten seconds. */
  readonly tables = new Source(() => this.#received());
  /** The sums of `recent`, by exchange. */
  readonly #recent = new Map<string, ReadonlyMap<string, liquidationSums.WindowTotals>>();
  #now: number;
  /** When the newest entry was received, Unix ms. */
  #last = 0;
  #tabled = 0;
  #state = '';

  /** `parts`: by exchange its streams; `now` is Unix ms. */
  constructor(parts: ReadonlyMap<string, readonly string[]>, now: number) {
    this.#feeds = new EventFeeds(parts, now);
    this.exchanges = this.#feeds.exchanges;
    this.#now = now;
    for (const exchange of this.exchanges) this.#events.set(exchange, new Newest());
  }

  /** Takes an entry of the log; those of streams that are not followed here are ignored. */
  accept(entry: topics.Liquidations): void {
    if (!this.#feeds.accept(entry)) return;
    const { source, at, events } = entry;
    this.#last = Math.max(this.#last, at);
    for (const event of events) {
      if (!this.#known.add(`${source}|${topics.liquidationKey(event)}`, at)) continue;
      this.#sums.add(source, event);
      this.#events.get(source)?.add({ exchange: source, ...event });
    }
    if (events.length > 0) this.newest.change();
  }

  /** The log is read from its beginning: what was taken of it is left out. */
  restart(): void {
    this.#feeds.repeat();
  }

  /** The question to the history. */
  question(now: number): topics.LiquidationStateParams {
    return { exchanges: this.exchanges, from: stepAt(now - day, minute) };
  }

  /** Takes what is stored in the place of all that is known. What follows it in the log is to be accepted after that. */
  restore(state: topics.LiquidationState): void {
    const { sums, events } = state;
    this.#feeds.restore(state);
    this.#sums.clear();
    this.#known.clear();
    this.#recent.clear();
    for (const { key, times, columns } of sums) {
      const [exchange = '', symbol = ''] = key.split('/');
      const [long, short, count, largest] = columns;
      for (const [at, timestamp] of times.entries()) {
        const both = { long: long?.[at] ?? 0, short: short?.[at] ?? 0 };
        const others = { count: count?.[at] ?? 0, largest: largest?.[at] ?? 0 };
        this.#sums.addTo({ exchange, symbol, timestamp }, { ...both, ...others });
      }
    }
    for (const id of this.exchanges) this.#events.set(id, new Newest());
    for (const event of events.toReversed()) {
      const { exchange, timestamp } = event;
      this.#known.add(`${exchange}|${topics.liquidationKey(event)}`, timestamp);
      this.#events.get(exchange)?.add(event);
    }
    this.newest.change();
    this.tables.change();
  }

  /** Makes tables again when they are due, and answers when a feed is lost or back. Call it about every second. */
  expire(now: number): void {
    this.#now = now;
    this.#feeds.expire(now);
    const state = this.#feeds.disconnected().join();
    if (state !== this.#state) this.newest.change();
    if (state !== this.#state || now - this.#tabled >= tableEvery) {
      this.#tabled = now;
      this.#sums.expire(now);
      this.#recent.clear();
      this.#feeds.forget();
      this.tables.change();
    }
    this.#state = state;
  }

  /** The newest of the events that are wanted, newest first. */
  events(query: EventsOf): Event[] {
    const { exchange, limit } = query;
    const wanted = (event: Event) => isWanted(event, query);
    return this.#among(exchange)
      .flatMap((id) => newestOf(this.#events.get(id)?.events ?? [], wanted, limit))
      .sort((a, b) => b.timestamp - a.timestamp)
      .slice(0, limit);
  }

  /** Totals of 1, 4, 12 and 24 hours by symbol or by exchange. */
  totals(wanted: liquidationSums.SumsOf): Map<string, liquidationSums.WindowTotals> {
    return this.#sums.totals(wanted, this.#now);
  }

  /**
   * Totals by symbol, or by exchange, as of the tables, which are made every ten seconds. Null where no feed was ever received:
   * of the exchange, or of all.
   */
  recent(
    by: liquidationSums.SumsOf['by'],
    exchange?: string,
  ): ReadonlyMap<string, liquidationSums.WindowTotals> | null {
    if (this.#feeds.isEmpty(exchange)) return null;
    const key = `${by} ${exchange}`;
    const found = this.#recent.get(key) ?? this.totals({ by, exchange });
    this.#recent.set(key, found);
    return found;
  }

  /** The record of `hours` of one exchange or of all. */
  record(exchange: string | undefined, hours: number): EventRecord {
    return this.#feeds.record(exchange, hours);
  }

  /** The streams of one exchange or of all, as `exchange/stream`. */
  streamsOf(exchange: string | undefined): string[] {
    return this.#feeds.namesOf(exchange);
  }

  #received(): number | null {
    return this.#last > 0 ? this.#last : null;
  }

  #among(exchange: string | undefined): readonly string[] {
    return exchange === undefined ? this.exchanges : [exchange];
  }
}

/** The newest of the wanted events of an ascending list, newest first. */
function newestOf(
  events: readonly Event[],
  wanted: (event: Event) => boolean,
  limit: number,
): Event[] {
  const found: Event[] = [];
  for (let at = events.length - 1; at >= 0 && found.length < limit; at--) {
    const event = events[at];
    if (event && wanted(event)) found.push(event);
  }
  return found;
}
