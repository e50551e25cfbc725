/** Asks the exchanges for the order books of tracked assets, and publishes what they add up to. */

import { minute } from '../../config/time.ts';
import { bandsOf } from '../../indicators/order-book/bands.ts';
import { laddersOf, midOf, reachOf } from '../../indicators/order-book/book.ts';
import { bucketsOf } from '../../indicators/order-book/buckets.ts';
import { floorOf, LargeOrders } from '../../indicators/order-book/large-orders.ts';
import { liquidityOf } from '../../indicators/order-book/liquidity.ts';
import type { Bus } from '../bus/bus.ts';
import { type Failure, failed } from '../failure.ts';
import type { JobContext, JobSource } from '../sources/context.ts';
import {
  askRound,
  type LeadingMarket,
  leadingMarkets,
  type RoundOutcome,
  roundsJob,
} from '../sources/leading-markets.ts';
import type { MarketState } from '../state/market-state.ts';
import { type BookSample, type LargeOrderRow, type OrderBook, topics } from '../topics/index.ts';

export interface BooksInputs {
  /** Instruments and prices of all exchanges. */
  market: MarketState;
  query: Bus['query'];
  /** Ids of the exchanges that give order books. */
  exchanges: readonly string[];
  /** How many assets are tracked. */
  assets: number;
}

const kinds = ['spot', 'perpetual'] as const;
type Kind = (typeof kinds)[number];

const sampleOf = (
  { symbol, market }: LeadingMarket,
  book: OrderBook,
  received: number,
): BookSample | null => {
  const mid = midOf(book);
  if (mid === null) return null;
  const { bids, asks } = bucketsOf(book, mid);
  // A quote counts as a dollar, and no exchange says whether it has sent the whole book.
  const liquidity = liquidityOf(book, { dollars: 1, isWhole: false });
  return {
    market,
    symbol,
    mid,
    bands: bandsOf(book, mid),
    bids,
    asks,
    reach: reachOf(book, mid),
    received,
    ...(liquidity !== null && { liquidity }),
  };
};

/** The samples of one exchange and kind. */
class Sampled {
  readonly #markets: number;
  readonly #samples = new Map<string, BookSample>();
  /** By market, the one that was looked at last at the end. */
  readonly #orders = new Map<string, { symbol: string; market: string; large: LargeOrders }>();

  /** `markets`: of how many the large orders are kept at most. */
  constructor(markets: number) {
    this.#markets = markets;
  }

  /** Takes over the large orders of an earlier process. */
  adopt(rows: readonly LargeOrderRow[]): void {
    for (const [market, own] of Map.groupBy(rows, (row) => row.market)) {
      const [first] = own;
      if (first === undefined) continue;
      const orders = own.map(({ market: _, symbol: _of, ...order }) => order);
      const large = new LargeOrders(floorOf(first.symbol), orders);
      this.#orders.set(market, { symbol: first.symbol, market, large });
    }
  }

  take(target: LeadingMarket, book: OrderBook, received: number): void {
    const { symbol, market } = target;
    const sample = sampleOf(target, book, received);
    if (sample === null) return;
    this.#samples.set(symbol, sample);
    // The process that keeps the live book follows its orders itself.
    const known = this.#orders.get(market);
    this.#orders.delete(market);
    if (book.source === 'live') return;
    const large = known?.large ?? new LargeOrders(floorOf(symbol));
    this.#orders.set(market, { symbol, market, large });
    large.take(laddersOf(book), received);
  }

  /** Samples that are young enough. */
  samples(now: number): BookSample[] {
    const since = now - topics.orderBooks.maxAge;
    for (const [symbol, { received }] of this.#samples) {
      if (received < since) this.#samples.delete(symbol);
    }
    return [...this.#samples.values()];
  }

  /** Also of markets that are not sampled any more, until these orders are too old. */
  orders(now: number): LargeOrderRow[] {
    for (const [market, { large }] of this.#orders) {
      large.expire(now);
      if (large.isEmpty || this.#orders.size > this.#markets) this.#orders.delete(market);
    }
    return [...this.#orders.values()].flatMap(({ symbol, market, large }) =>
      large.orders.map((order) => ({ ...order, symbol, market })),
    );
  }
}

class Books {
  readonly #inputs: BooksInputs;
  readonly #context: JobContext;
  /** By exchange and kind. */
  readonly #sampled = new Map<string, Sampled>();

  constructor(inputs: BooksInputs, context: JobContext) {
    this.#inputs = inputs;
    this.#context = context;
  }

  /** Takes over what an earlier process has published. */
  async adopt(): Promise<void> {
    for (const exchange of this.#inputs.exchanges) {
      for (const kind of kinds) {
        const key = `${exchange}/${kind}`;
        const last = await this.#context.last('largeOrders', key);
        if (last) this.#of(key).adopt(last.rows);
      }
    }
  }

  /** One sample of every book. `now` is Unix ms. */
  sample(now: number, signal: AbortSignal): Promise<RoundOutcome> {
    return askRound(leadingMarkets({ ...this.#inputs, kinds }, now), {
      clock: this.#context.clock,
      signal,
      ask: (exchange, target) => this.#ask(exchange, target),
      done: async (exchange, targets, began) => {
        for (const kind of new Set(targets.map((one) => one.kind)))
          await this.#publish(exchange, kind, began);
      },
    });
  }

  /** Takes one book; the failure that prevented it, or null. */
  async #ask(source: string, target: LeadingMarket): Promise<Failure | null> {
    const { kind, market } = target;
    const query = { source, name: 'fullBook', params: { market, kind } } as const;
    const reply = await this.#inputs.query(query);
    if (!reply.ok) return reply.failure;
    const { value, received, stale } = reply.value;
    if (value.suspect) return failed('shape', 'the book is far from all prices').failure;
    if (!stale) this.#of(`${source}/${kind}`).take(target, value, received);
    return null;
  }

  async #publish(source: string, part: Kind, asked: number): Promise<void> {
    const { clock, publish } = this.#context;
    const key = `${source}/${part}`;
    const sampled = this.#of(key);
    const received = clock.now();
    const about = { source, part, asked, received };
    await publish('orderBooks', key, { ...about, rows: sampled.samples(received) });
    await publish('largeOrders', key, { ...about, rows: sampled.orders(received) });
  }

  #of(key: string): Sampled {
    // The leading market of an asset changes now and then.
    const known = this.#sampled.get(key) ?? new Sampled(2 * this.#inputs.assets);
    this.#sampled.set(key, known);
    return known;
  }
}

/** Between two samples of all books, ms. */
const every = minute;

/** The source that samples the order books of tracked assets, and follows the large orders in them. */
export const booksSource = (inputs: BooksInputs): JobSource => ({
  id: 'order-books',
  jobs(context) {
    const books = new Books(inputs, context);
    const wait = async () => {
      await books.adopt();
      return 0;
    };
    const round = ({ now, signal }: { now: number; signal: AbortSignal }) =>
      books.sample(now, signal);
    return [roundsJob({ name: 'samples', every, wait, round })];
  },
});
