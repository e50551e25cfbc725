/** Whether an order book can be of its market. User: who computes slippage on a book of another unit. */
import { dollarQuotes } from '../../../config/quotes.ts';
import { isNear } from '../../../indicators/market/checks.ts';
import { type Book, midOf } from '../../../indicators/order-book/book.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { NewestRows } from '../../state/newest-rows.ts';
import { otherPrices, ownPrice } from '../../state/other-prices.ts';
import type { Instrument } from '../../topics/index.ts';

/** Tells whether a book of a market of a source is suspect. */
export type IsSuspectBook = (source: string, instrument: Instrument, book: Book) => boolean;

/**
 * A book is suspect where its middle is more than 30 % away from the market's own last price and from the price of the asset on
 * every other exchange. One of a market that is not quoted in dollars, without a middle, or of which no price is known cannot be
 * judged and is not suspect. Example: BTC at 97,870 on all exchanges, a book around 97,870,600.
 */
export const bookGuard =
  ({ newest, clock }: { newest: NewestRows; clock: Clock }): IsSuspectBook =>
  (source, { market, symbol, quote }, book) => {
    const mid = midOf(book);
    if (mid === null || !dollarQuotes.has(quote)) return false;
    const at = { source, now: clock.now() };
    const own = ownPrice(newest, market, at);
    if (own !== null && isNear(mid, own)) return false;
    const elsewhere = otherPrices(newest, symbol, at);
    const isKnown = own !== null || elsewhere.length > 0;
    return isKnown && !elsewhere.some((price) => isNear(mid, price));
  };

type Marked = Book & { suspect?: true };

const isBook = (value: object): value is Marked => 'bids' in value && 'asks' in value;

/** The answer to a question about a market, marked where it is a suspect book. */
export const judged = <T extends object>(value: T, isSuspect: (book: Book) => boolean): T =>
  isBook(value) && isSuspect(value) ? { ...value, suspect: true } : value;
