/** Trades of options of the last 24 hours, as far as they were heard. */
import type { LogPosition } from '../../actors/bus/bus.ts';
import { type OptionTrade, type OptionTrades, optionTradeKey } from '../../actors/topics/index.ts';
import { minute } from '../../config/time.ts';
import { less } from '../../indicators/digits.ts';
import { dateOf } from '../../indicators/market/days.ts';
import { type Sourced, StreamLog } from '../answers/event-log.ts';
import { EventFeeds, type EventRecord } from './event-feeds.ts';
import { View } from './view.ts';

/** A trade with its exchange. */
export type Trade = Sourced<OptionTrade>;

/** Which trades are wanted. */
export interface TradesOf {
  exchange?: string | undefined;
  symbol?: string | undefined;
  /** Day of expiry, `YYYY-MM-DD`. */
  expiry?: string | undefined;
  type?: Trade['type'] | undefined;
  side?: Trade['side'] | undefined;
  /** Least premium, US dollars. */
  min_premium_usd?: number | undefined;
}

/** What was paid for the options, US dollars. */
export const premiumOf = ({ price, quantity }: Trade): number => price * quantity;

export const isWantedTrade = (
  trade: Trade,
  { exchange, symbol, expiry, type, side, min_premium_usd = 0 }: TradesOf,
): boolean =>
  (exchange === undefined || trade.exchange === exchange) &&
  (symbol === undefined || trade.symbol === symbol) &&
  (expiry === undefined || dateOf(trade.expiry) === expiry) &&
  (type === undefined || trade.type === type) &&
  (side === undefined || trade.side === side) &&
  less(premiumOf(trade), min_premium_usd) >= 0;

/** The log of trades of options as answers, which change with each trade, and when a stream is lost or back. */
export class OptionTradesView extends View {
  /** Exchanges whose trades are heard. */
  readonly exchanges: readonly string[];
  /** Each trade once, for clients that follow them. */
  readonly log = new StreamLog(optionTradeKey);
  readonly #feeds: EventFeeds;
  /** When the newest entry was written, Unix ms. */
  #last = 0;
  #lost = '';

  /** `parts`: by exchange its streams; `now` is Unix ms. */
  constructor(parts: ReadonlyMap<string, readonly string[]>, now: number) {
    super(() => (this.#last > 0 ? this.#last : null));
    this.#feeds = new EventFeeds(parts, now);
    this.exchanges = this.#feeds.exchanges;
  }

  /** Takes an entry of the log; those of streams that are not followed here are ignored. */
  accept(entry: OptionTrades, position: LogPosition): void {
    if (!this.#feeds.accept(entry)) return;
    this.#last = Math.max(this.#last, entry.at);
    this.log.accept(entry, position);
    if (entry.events.length > 0) this.source.change();
  }

  /** The log is read from its beginning: what was taken of it is left out. */
  restart(): void {
    this.#feeds.repeat();
  }

  override expire(now: number): void {
    super.expire(now);
    this.#feeds.expire(now);
    this.#feeds.forget();
    const lost = this.#feeds.disconnected().join();
    if (lost !== this.#lost) this.source.change();
    this.#lost = lost;
  }

  /** The trades that are wanted of the last `hours`, newest first. */
  trades(wanted: TradesOf, hours: number): Trade[] {
    const { now } = this.source;
    const from = now - hours * 60 * minute;
    // Trades become too old by themselves.
    this.source.holdsUntil(now + minute);
    const found: Trade[] = [];
    const { next } = this.log.end();
    for (let at = this.log.base; at < next; at++)
      for (const trade of this.log.read(at)?.events ?? [])
        if (trade.timestamp >= from && isWantedTrade(trade, wanted)) found.push(trade);
    return found.sort((a, b) => b.timestamp - a.timestamp);
  }

  /** The record of `hours` of one exchange or of all. */
  record(exchange: string | undefined, hours: number): EventRecord {
    return this.#feeds.record(exchange, hours);
  }
}
