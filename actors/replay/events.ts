/** What a recording says in one form for all exchanges, in the numbers of the exchange itself. Times are Unix microseconds. */
import type { LiveBook } from '../../indicators/order-book/live-book.ts';
import type { Instrument } from '../topics/index.ts';

interface About {
  /** Part of the exchange. */
  part: string;
  instrument: Instrument;
  /** When it was received, and when it happened as the exchange states it, or else when it was received. */
  local: number;
  timestamp: number;
}

/** A trade of a taker, or a position that was closed by force: `buy` closes a short one. */
export interface TradeEvent extends About {
  type: 'trade' | 'liquidation';
  id: string | null;
  side: 'buy' | 'sell';
  price: number;
  amount: number;
  /** The stream had missed it: it was asked for. */
  recovered?: true;
}

/** Levels of a book, price and amount in turns; an amount of 0 removes a level. */
export interface BookEvent extends About {
  type: 'book_change';
  /** These levels are the whole book. */
  isSnapshot: boolean;
  bids: readonly number[];
  asks: readonly number[];
  /** The book after it: valid until the next event. */
  book: LiveBook;
}

/** The best quotes as the tickers of the exchange state them. */
export interface BestQuotesEvent extends About {
  type: 'book_ticker';
  bid: number;
  ask: number;
}

/** What is known last of a perpetual. */
export interface DerivativeEvent extends About {
  type: 'derivative_ticker';
  /** Unix ms. */
  fundingTime: number | null;
  fundingRate: number | null;
  predictedRate: number | null;
  openInterest: number | null;
  last: number | null;
  index: number | null;
  mark: number | null;
}

/** A gap: what was known before is not known any more. */
export interface DisconnectEvent {
  type: 'disconnect';
  /** Of this part alone; of all when null. */
  part: string | null;
  local: number;
}

export type MarketEvent = TradeEvent | BookEvent | BestQuotesEvent | DerivativeEvent;
export type ReplayEvent = MarketEvent | DisconnectEvent;
export type EventType = MarketEvent['type'];
