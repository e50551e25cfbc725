/** The public trades of one market as clients follow them: each once, in the order of the exchange, and what is not known. */
import type { Bus } from '../../actors/bus/bus.ts';
import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import type { PublicTrade, RecentTradesParams, TradeTapeReply } from '../../actors/topics/index.ts';
import { type ApiError, apiError, fromFailure } from '../wire/errors.ts';
import { NumberedLog } from './numbered-log.ts';

/** Entries that are kept of a market. */
const maxEntries = 5_000;
/**
 * Pauses before the next question to the feed, ms: after one that brought something, so that the trades of a busy market come together; the least
 * time from one that brought nothing, since a feed with many followers does not let it wait for the next trade; and after one that failed.
 */
const pauses = { more: 20, nothing: 250, failed: 1_000 } as const;
/** The pause after a question that was answered in `took` ms, with more or with nothing; null for one that failed. */
export function pauseAfter(isMore: boolean | null, took: number): number {
  if (isMore === null) return pauses.failed;
  return isMore ? pauses.more : Math.max(pauses.more, pauses.nothing - took);
}
/** Longest wait for an answer, ms. */
const deadline = 3_000;
/** How long a log is followed that nobody listens to, ms. */
const idle = 10_000;
/** Markets that a process follows at most. */
const mostMarkets = 200;

/**
 * Why trades may be missing: the exchange's stream left some out or broke off (`stream`), this process has asked too late
 * (`overrun`), another feed process hears the market and has not heard the last trade (`feed`).
 */
export type Hole = 'stream' | 'overrun' | 'feed';

/** A trade with the quote asset of its market, or a hole: before the next trade others may be missing. */
export type TapeEvent = (PublicTrade & { quote: string }) | { hole: Hole };

interface TradeLogOptions {
  source: string;
  market: Pick<RecentTradesParams, 'market' | 'kind'>;
  clock: Clock;
  query: Bus['query'];
  /** It is not followed any more. */
  onIdle(): void;
}

export class TradeLog extends NumberedLog<TapeEvent> {
  readonly #options: TradeLogOptions;
  #ready: Promise<ApiError | undefined> | null = null;
  /** The tape that was read last, and the number of its next entry. */
  #tape: { began: number; next: number } | null = null;
  /** The exchange's id of the last trade. */
  #last: string | null = null;
  #used: number;
  #waiting: Cancel | null = null;

  constructor(options: TradeLogOptions) {
    super({ entries: maxEntries, events: maxEntries });
    this.#options = options;
    this.#used = options.clock.monotonic();
  }

  /** Begins to follow the market. */
  ready(): Promise<ApiError | undefined> {
    this.#used = this.#options.clock.monotonic();
    this.#ready ??= this.#poll();
    return this.#ready;
  }

  async #poll(): Promise<ApiError | undefined> {
    const { source, market, clock, query } = this.#options;
    this.#waiting = null;
    const params = { ...market, after: this.#tape };
    const asked = clock.monotonic();
    const reply = await query({ source, name: 'tradeTape', params }, { deadline });
    const isMore = reply.ok && this.accept(reply.value.value);
    const now = clock.monotonic();
    if (this.isHeard) this.#used = now;
    const isRefused = !reply.ok && this.#tape === null;
    if (isRefused || now - this.#used > idle) {
      this.#ready = null;
      this.#options.onIdle();
    } else {
      const pause = pauseAfter(reply.ok ? isMore : null, now - asked);
      this.#waiting ??= clock.after(pause, () => void this.#poll());
    }
    if (reply.ok || !isRefused) return undefined;
    const { failure } = reply;
    if (failure.code === 'not_given') return apiError('bad_parameter', failure.message);
    return fromFailure(failure, `the trades of ${market.market} on ${source}`);
  }

  /** Takes what a tape has more than before. Whether there was anything. */
  accept({ quote, began, first, entries }: TradeTapeReply): boolean {
    const known = this.#tape;
    const isSame = known?.began === began;
    const held = isSame ? 0 : this.#held(entries);
    if (isSame && first > known.next) this.#put(began, first - 1, { hole: 'overrun' });
    if (!isSame && known !== null && held === 0) this.#put(began, first - 1, { hole: 'feed' });
    for (const [i, trade] of entries.entries()) {
      if (i < held) continue;
      this.#put(began, first + i, trade === null ? { hole: 'stream' } : { ...trade, quote });
      this.#last = trade?.id ?? this.#last;
    }
    this.#tape = { began, next: first + entries.length };
    const isMore = entries.length > held;
    if (isMore) this.announce();
    return isMore;
  }

  /** How many entries of another tape are known already: those to the last trade, by its id. */
  #held(entries: TradeTapeReply['entries']): number {
    if (this.#last === null) return 0;
    return entries.findLastIndex((trade) => trade?.id === this.#last) + 1;
  }

  #put(began: number, number: number, event: TapeEvent): void {
    const place = { seq: number, ms: began, nth: number };
    if (this.accepts(place)) this.add(place, [event]);
  }
}

/** The logs of the markets that clients follow. */
export class TradeLogs {
  readonly #context: Pick<TradeLogOptions, 'clock' | 'query'>;
  readonly #logs = new Map<string, TradeLog>();

  constructor(context: Pick<TradeLogOptions, 'clock' | 'query'>) {
    this.#context = context;
  }

  /** The log of a market, which all of its clients share. */
  of(source: string, market: TradeLogOptions['market']): TradeLog | ApiError {
    const key = JSON.stringify([source, market.market, market.kind]);
    const known = this.#logs.get(key);
    if (known) return known;
    if (this.#logs.size >= mostMarkets)
      return apiError('overloaded', 'the trades of too many markets are followed at once');
    const onIdle = () => void this.#logs.delete(key);
    const log = new TradeLog({ ...this.#context, source, market, onIdle });
    this.#logs.set(key, log);
    return log;
  }
}
