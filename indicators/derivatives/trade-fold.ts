/**
 * Public trades of one market folded by minute: what takers bought and sold in each price bucket. Pure. It is known which minutes
 * are whole, the others are not handed over: most exchanges number the trades of a market one by one; without numbers every
 * trade is there while the connection stands.
 */
import { hour, minute } from '../../config/time.ts';
import { stepAt } from '../market/buckets.ts';
import { bucketAt, roundStep } from '../market/round-step.ts';

/** One trade of a taker with the order book. Times are Unix ms. */
export interface Trade {
  market: string;
  /** That of the trade before, of the same market, plus `count`; null where the exchange does not number them so. */
  id: number | null;
  /** How many numbers it stands for, the last of which is `id`; 1 when absent. */
  count?: number;
  /** The exchange's id of the trade where that is no number. */
  name?: string;
  timestamp: number;
  /** Of one canonical unit, US dollars. */
  price: number;
  /** Canonical base units. */
  quantity: number;
  /** Whether the taker bought; else the taker sold. */
  bought: boolean;
}

/** What takers bought and sold, base units and US dollars. */
export interface TakerSums {
  buy_base: number;
  sell_base: number;
  buy_usd: number;
  sell_usd: number;
}

/** The trades of one minute. */
export interface FoldedMinute {
  /** Start of the minute, Unix ms. */
  timestamp: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** Width of a bucket. */
  step: number;
  /** Number of the lowest bucket: it begins at `first` x `step`. */
  first: number;
  /** Rows of trades, as the exchange sends them. */
  trades: number;
  /** From the lowest price to the highest one, `mostBuckets` at most; none of a minute without a trade. */
  buckets: readonly TakerSums[];
}

/** Buckets of a minute at most: a minute with a wider range has wider ones. */
export const mostBuckets = 16;
/** Width of a bucket as a fraction of the price, before it is rounded. */
const width = 0.0001;
/** Buckets while the minute runs at most. */
const mostOpen = 512;

const empty = (): TakerSums => ({ buy_base: 0, sell_base: 0, buy_usd: 0, sell_usd: 0 });

/** The trades of the minute that runs. */
class OpenMinute {
  readonly #open: number;
  #high: number;
  #low: number;
  #close: number;
  #trades = 0;
  #step: number;
  /** By number. */
  #buckets = new Map<number, TakerSums>();

  constructor(price: number) {
    this.#open = price;
    this.#high = price;
    this.#low = price;
    this.#close = price;
    this.#step = roundStep(price * width);
  }

  add({ price, quantity, bought }: Trade): void {
    this.#high = Math.max(this.#high, price);
    this.#low = Math.min(this.#low, price);
    this.#close = price;
    this.#trades += 1;
    const number = bucketAt(price, this.#step);
    const known = this.#buckets.get(number);
    const bucket = known ?? empty();
    if (!known) this.#buckets.set(number, bucket);
    if (bought) {
      bucket.buy_base += quantity;
      bucket.buy_usd += quantity * price;
    } else {
      bucket.sell_base += quantity;
      bucket.sell_usd += quantity * price;
    }
    if (this.#buckets.size > mostOpen) this.#widen();
  }

  /** The minute that began at `timestamp` as it is now. */
  folded(timestamp: number): FoldedMinute {
    while (this.#span() > mostBuckets) this.#widen();
    const first = Math.min(...this.#buckets.keys());
    const buckets = Array.from(
      { length: this.#span() },
      (_, at) => this.#buckets.get(first + at) ?? empty(),
    );
    const prices = { open: this.#open, high: this.#high, low: this.#low, close: this.#close };
    return { timestamp, ...prices, step: this.#step, first, trades: this.#trades, buckets };
  }

  #span(): number {
    const numbers = [...this.#buckets.keys()];
    return Math.max(...numbers) - Math.min(...numbers) + 1;
  }

  /** Makes one bucket of neighbours, so that steps stay 1, 2 or 5 times a power of ten: 5 becomes 10, 10 becomes 50. */
  #widen(): void {
    const times = this.#step.toExponential().startsWith('5') ? 2 : 5;
    const wider = new Map<number, TakerSums>();
    for (const [number, sums] of this.#buckets) {
      const at = Math.floor(number / times);
      const into = wider.get(at) ?? empty();
      wider.set(at, into);
      into.buy_base += sums.buy_base;
      into.sell_base += sums.sell_base;
      into.buy_usd += sums.buy_usd;
      into.sell_usd += sums.sell_usd;
    }
    this.#buckets = wider;
    this.#step = Number((this.#step * times).toPrecision(12));
  }
}

/** A minute in which nothing was traded. */
const quiet = (timestamp: number, price: number): FoldedMinute => ({
  timestamp,
  ...{ open: price, high: price, low: price, close: price },
  step: roundStep(price * width),
  first: 0,
  trades: 0,
  buckets: [],
});

/**
 * `gap`: trades before it are missing; `repeated`: it was taken before; `late`: its minute has been handed over without it.
 */
export type Taken = 'taken' | 'gap' | 'repeated' | 'late';

/** Trades within this time count as one: they come in bursts. */
const burst = 1_000;
/** The mean time between trades follows a change over about so many. */
const smoothing = 16;
/** A pause of so many times the mean may be one of the stream: whether all was heard shows with the next trade, or not for an hour. */
const [times, longest] = [5, hour];

/** The trades of one market. */
export class TradeFold {
  #last: Trade | null = null;
  /** After it every trade is known, Unix ms. */
  #since = Number.POSITIVE_INFINITY;
  /** Whether the last trade is surely the newest one: it is not after the connection was lost, until the next trade that follows it. */
  #sure = false;
  /** Minutes before it are closed. */
  #closed = 0;
  readonly #minutes = new Map<number, OpenMinute>();
  /** The last price of the minute that was closed last. */
  #price: number | null = null;
  /** The mean time between trades, ms, over so many of them, the last of which came at `at`. */
  readonly #gaps = { mean: 0, count: 0, at: Number.NEGATIVE_INFINITY };

  take(trade: Trade): Taken {
    const last = this.#last;
    const known = last?.id ?? null;
    if (trade.id !== null && known !== null && trade.id <= known) return 'repeated';
    const isNext = trade.id === null ? this.#sure : trade.id - (trade.count ?? 1) === known;
    if (!isNext) this.#begin(trade.timestamp);
    this.#last = trade;
    this.#sure = true;
    this.#noteGap(trade.timestamp);
    const start = stepAt(trade.timestamp, minute);
    if (last === null) this.#closed = start;
    if (start < this.#closed) {
      // Minutes without a trade after it have its price.
      this.#price = trade.price;
      return 'late';
    }
    const running = this.#minutes.get(start);
    const open = running ?? new OpenMinute(trade.price);
    if (!running) this.#minutes.set(start, open);
    open.add(trade);
    return isNext || last === null ? 'taken' : 'gap';
  }

  /** The connection ended, or a trade could not be read: it is not known whether there were others. */
  lost(): void {
    this.#sure = false;
  }

  /** The trades that are taken next are those after the last one. */
  found(): void {
    this.#sure = true;
  }

  /** The last trade that was taken; null before the first. */
  get last(): Trade | null {
    return this.#last;
  }

  /**
   * Closes the minutes before `until`, the start of one (Unix ms), as far as it is known whether every trade of them was heard: a
   * stream that stops looks like a quiet market. Those of which every trade is known, ascending. `now`: Unix ms.
   */
  close(until: number, now = until): FoldedMinute[] {
    const whole: FoldedMinute[] = [];
    let at = this.#last === null ? until : this.#closed;
    for (; at < until; at += minute) {
      const isHeard = this.#isHeard(at, now);
      const mayBeWhole = this.#sure && at > this.#since;
      if (mayBeWhole && !isHeard && now - at < longest) break;
      const folded = this.#folded(at);
      if (folded && mayBeWhole && isHeard) whole.push(folded);
      this.#price = folded?.close ?? null;
      this.#minutes.delete(at);
    }
    if (!this.#sure) this.#since = Math.max(this.#since, until - 1);
    this.#closed = Math.max(this.#closed, at);
    return whole;
  }

  /**
   * Whether the stream still brought trades at the end of a minute: one came later, or the pause is a usual one. Where trades have no
   * numbers, which would show it afterwards, a minute without any needs the later one.
   */
  #isHeard(start: number, now: number): boolean {
    const { id = null, timestamp = 0 } = this.#last ?? {};
    if (timestamp >= start + minute) return true;
    if (id === null && !this.#minutes.has(start)) return false;
    return now - timestamp <= times * this.#gaps.mean;
  }

  #noteGap(time: number): void {
    const gaps = this.#gaps;
    const gap = time - gaps.at;
    if (gap < burst) return;
    if (gaps.count > 0) gaps.mean += (gap - gaps.mean) / Math.min(gaps.count, smoothing);
    gaps.count += 1;
    gaps.at = time;
  }

  #folded(at: number): FoldedMinute | null {
    const open = this.#minutes.get(at);
    if (open) return open.folded(at);
    return this.#price === null ? null : quiet(at, this.#price);
  }

  /** Trades are missing before this time: no minute that began before it is whole. */
  #begin(time: number): void {
    this.#since = time;
    this.#price = this.#last?.price ?? null;
  }
}
