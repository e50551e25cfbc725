/** What a row is about: a market at a time. */
import { type Book, type BookLevel, bookOf } from './book.ts';
import type { Market, MarketCandle, Stretch } from './market.ts';
import type { Model } from './model.ts';

/** A trade; quantities in the market's own unit. */
export interface Trade {
  /** One more than that of the trade before. */
  id: number;
  time: number;
  price: number;
  quantity: number;
  /** The taker bought. */
  bought: boolean;
}

/** A book as an exchange writes it: whole, or its changes. */
export interface WrittenBook {
  bids: readonly unknown[];
  asks: readonly unknown[];
  /** Numbers of the last change in it, and of the last one before it. */
  id: number;
  previous: number;
  whole: boolean;
}

export interface At {
  model: Model;
  now: number;
  /** The trade, or the book, that a row is about. */
  trade?: Trade;
  book?: WrittenBook;
  /** The parameters of the request that the row answers. */
  query?: URLSearchParams;
}

/** A market at a time: its last 24 hours, or one candle; for a level of a book, that level; for a trade, that trade. */
export class Sight implements At {
  readonly market: Market;
  readonly model: Model;
  readonly now: number;
  readonly query: URLSearchParams | undefined;
  readonly level: BookLevel | undefined;
  readonly #trade: Trade | undefined;
  readonly #written: WrittenBook | undefined;
  readonly #candle: MarketCandle | undefined;
  #stretch: Stretch | undefined;
  #book: Book | undefined;

  constructor(market: Market, at: At, candle?: MarketCandle, level?: BookLevel) {
    this.market = market;
    this.model = at.model;
    this.now = at.now;
    this.query = at.query;
    this.#candle = candle;
    this.level = level;
    this.#trade = at.trade;
    this.#written = at.book;
  }

  get stretch(): Stretch {
    this.#stretch ??= this.#candle ?? this.model.last24h(this.market, this.now);
    return this.#stretch;
  }

  get candle(): MarketCandle {
    if (this.#candle === undefined) throw new TypeError('the row is not about a candle');
    return this.#candle;
  }

  get trade(): Trade {
    if (this.#trade === undefined) throw new TypeError('the row is not about a trade');
    return this.#trade;
  }

  get book(): WrittenBook {
    if (this.#written === undefined) throw new TypeError('the row is not about a book');
    return this.#written;
  }

  /** The best level of each side. */
  get best(): { bid: BookLevel | undefined; ask: BookLevel | undefined } {
    this.#book ??= bookOf(this.market, this.now, 1);
    return { bid: this.#book.bids[0], ask: this.#book.asks[0] };
  }

  get updateId(): number {
    this.#book ??= bookOf(this.market, this.now, 1);
    return this.#book.updateId;
  }

  /** When the last funding was, and the next one will be. */
  get funding() {
    return this.market.fundingTimes(this.now);
  }

  /** Open interest of one side in native base units, in the quote, and in contracts. */
  get interest() {
    const { market, now } = this;
    const base = market.openInterest(now);
    const value = base * market.exact(now);
    return { base, value, contracts: (market.inverse ? value : base) / market.contract };
  }
}
