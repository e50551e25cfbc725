/** Asks the exchanges for the order books of tracked assets, and publishes what they add up to. */

import { bandsOf } from '../../indicators/order-book/bands.ts';
import { laddersOf, midOf, reachOf } from '../../indicators/order-book/book.ts';
import { bucketsOf } from '../../indicators/order-book/buckets.ts';
import { floorOf, LargeOrders } from '../../indicators/order-book/large-orders.ts';
import type { Bus } from '../bus/bus.ts';
import { type Failure, failed } from '../failure.ts';
import { sleep } from '../kernel/clock.ts';
import type { JobContext } from '../sources/context.ts';
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

/** One market whose book is sampled. */
interface Target {
  kind: Kind;
  symbol: string;
  market: string;
}

/** The exchanges of an asset that are sampled: those with the largest turnover. */
const mostExchanges = 10;
/** Between two questions to one exchange, ms: clients ask within the same budget. A round takes its time at most. */
const pace = { each: 1_500, round: 45_000 };
/** An exchange that has failed so often in a round is asked again in the next one. */
const mostFailures = 3;

/** The outcome of a round. */
interface Round {
  /** Books that were asked for. */
  asked: number;
  /** Why there is none at all; null where there is any, or none was asked for. */
  failure: Failure | null;
}

const sampleOf = (
  { symbol, market }: Target,
  book: OrderBook,
  received: number,
): BookSample | null => {
  const mid = midOf(book);
  if (mid === null) return null;
  const { bids, asks } = bucketsOf(book, mid);
  return {
    ...{ market, symbol, mid, bands: bandsOf(book, mid), bids, asks },
    ...{ reach: reachOf(book, mid), received },
  };
};

/** The samples of one exchange and kind. */
class Sampled {
  readonly #samples = new Map<string, BookSample>();
  readonly #orders = new Map<string, { symbol: string; market: string; large: LargeOrders }>();

  /** Takes over the large orders of an earlier process. */
  adopt(rows: readonly LargeOrderRow[]): void {
    for (const [market, own] of Map.groupBy(rows, (row) => row.market)) {
      const symbol = own[0]?.symbol ?? '';
      const orders = own.map(({ market: _, symbol: _of, ...order }) => order);
      this.#orders.set(market, {
        ...{ symbol, market },
        large: new LargeOrders(floorOf(symbol), orders),
      });
    }
  }

  take(target: Target, book: OrderBook, received: number): void {
    const { symbol, market } = target;
    const sample = sampleOf(target, book, received);
    if (sample === null) return;
    this.#samples.set(symbol, sample);
    // The process that keeps the live book follows its orders itself.
    if (book.source === 'live') {
      this.#orders.delete(market);
      return;
    }
    const known = this.#orders.get(market);
    const large = known?.large ?? new LargeOrders(floorOf(symbol));
    if (!known) this.#orders.set(market, { symbol, market, large });
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

  orders(): LargeOrderRow[] {
    return [...this.#orders.values()].flatMap(({ symbol, market, large }) =>
      large.orders.map((order) => ({ ...order, symbol, market })),
    );
  }
}

export class Books {
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
  async sample(now: number, signal: AbortSignal): Promise<Round> {
    const targets = [...this.#targets(now)];
    const outcomes = await Promise.all(
      targets.map(([exchange, own]) => this.#exchange(exchange, own, signal)),
    );
    const failures = outcomes.flatMap(({ failure }) => (failure ? [failure] : []));
    const isNone = failures.length > 0 && outcomes.every(({ taken }) => taken === 0);
    return {
      asked: targets.reduce((sum, [, own]) => sum + own.length, 0),
      failure: isNone ? (failures[0] ?? null) : null,
    };
  }

  /** The markets of each exchange: the most traded one of each kind and tracked asset. */
  #targets(now: number): Map<string, Target[]> {
    const { market, exchanges, assets } = this.#inputs;
    const found = new Map<string, Target[]>();
    for (const symbol of market.tracked(now).slice(0, assets)) {
      for (const kind of kinds) {
        const leading = exchanges
          .flatMap((exchange) => {
            const [first] = market.markets(exchange, kind, symbol);
            return first ? [{ exchange, ...first }] : [];
          })
          .sort((a, b) => b.turnover - a.turnover)
          .slice(0, mostExchanges);
        for (const { exchange, market: id } of leading) {
          const target = { kind, symbol, market: id };
          const own = found.get(exchange);
          if (own) own.push(target);
          else found.set(exchange, [target]);
        }
      }
    }
    return found;
  }

  /** Asks one exchange for one book after another, and publishes what they add up to. */
  async #exchange(exchange: string, targets: readonly Target[], signal: AbortSignal) {
    const asked = this.#context.clock.now();
    const failures: Failure[] = [];
    let taken = 0;
    const between = Math.min(pace.each, pace.round / targets.length);
    for (const target of targets) {
      if (target !== targets[0]) await sleep(this.#context.clock, between);
      const failure = await this.#ask(exchange, target);
      if (signal.aborted) return { taken, failure };
      if (failure === null) taken += 1;
      else if (failures.push(failure) >= mostFailures) break;
    }
    for (const kind of new Set(targets.map((one) => one.kind))) {
      await this.#publish(exchange, kind, asked);
    }
    return { taken, failure: failures[0] ?? null };
  }

  /** Takes one book; the failure that prevented it, or null. */
  async #ask(source: string, target: Target): Promise<Failure | null> {
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
    await publish('largeOrders', key, { ...about, rows: sampled.orders() });
  }

  #of(key: string): Sampled {
    const known = this.#sampled.get(key) ?? new Sampled();
    this.#sampled.set(key, known);
    return known;
  }
}
