/** What the rows share that answer order books of several exchanges. */
import { aggregated, type OrderBook } from '../../../actors/topics/index.ts';
import { dollarQuotes } from '../../../config/quotes.ts';
import type { BookKind } from '../../views/books.ts';
import { apiError, isApiError, kit, params, s } from '../kit.ts';

export type BooksContext = kit.Needs<
  'books' | 'markets' | 'prices' | 'registry' | 'exchanges' | 'clock'
>;

export const failed_exchanges = s.list(
  s.string(),
  'Exchanges whose order book could not be had, or is far from all prices of the asset.',
);

/** Exchanges that are asked at most. */
const mostExchanges = 10;

/** Ids of the exchanges with order books of a kind of market. */
export const exchangesOf = ({ registry, exchanges }: BooksContext, kind: BookKind): string[] =>
  params.exchangesWith(registry, kind).filter((id) => exchanges.orderBook.includes(id));

/** The market that an asset stands for on an exchange. */
export interface BookMarket {
  exchange: string;
  market: string;
  /** Turnover of 24 hours in its quote. */
  turnover: number;
}

/** An asset with its markets. */
export interface BookMarkets {
  symbol: string;
  markets: readonly BookMarket[];
}

/** What a client asks about. */
interface BookQuery {
  kind: BookKind;
  symbol: string;
  /** One id, or several separated by commas. */
  exchange?: string | undefined;
}

function marketOn({ prices }: BooksContext, exchange: string, kind: BookKind, name: string) {
  const row = prices.marketFor(exchange, name, kind);
  if (row === null || !dollarQuotes.has(row.quote)) return [];
  return [{ exchange, market: row.market, turnover: row.volume ?? 0 }];
}

/** The asset that a client names, with its dollar market at each exchange, the most traded first; or why there is none. */
export function bookMarkets(context: BooksContext, wanted: BookQuery): BookMarkets | kit.ApiError {
  const { kind, exchange } = wanted;
  const asked = params.exchangesIn(exchangesOf(context, kind), exchange);
  if (isApiError(asked)) return asked;
  const found = context.markets.resolve(wanted.symbol, { kind, exchanges: asked });
  if (isApiError(found)) return found;
  const { symbol } = found;
  const markets = asked
    .flatMap((id) => marketOn(context, id, kind, symbol))
    .sort((a, b) => b.turnover - a.turnover)
    .slice(0, mostExchanges);
  if (markets.length > 0) return { symbol, markets };
  const where = exchange === undefined ? '' : ` for ${exchange}`;
  return apiError('unknown_symbol', `there is no dollar market of '${symbol}'${where}`);
}

/** A market with the book of it. */
export type Answered = BookMarket & { book: OrderBook };

/** The replies of all exchanges. */
export interface Books {
  answered: readonly Answered[];
  failed: string[];
}

/** A book that is far from all prices of its asset is in no sum. */
const isUsable = (book: OrderBook | null | undefined): book is OrderBook =>
  book !== null && book !== undefined && book.suspect !== true;

export const repliesOf = (
  markets: readonly BookMarket[],
  books: readonly (OrderBook | null)[],
): Books => ({
  answered: markets.flatMap((one, i) => {
    const book = books[i];
    return isUsable(book) ? [{ ...one, book }] : [];
  }),
  failed: markets.flatMap(({ exchange }, i) => (isUsable(books[i]) ? [] : [exchange])),
});

/** The asset that a client names, with its dollar markets on the exchange or exchanges that it names: `symbol` and `markets`. */
export const bookAsset = <const P extends kit.Param>(
  param: P,
  context: BooksContext,
  kind: BookKind,
) => ({
  ...param,
  resolve({ symbol, exchange }: kit.CheckedValues) {
    const among = exchange === undefined || exchange === aggregated ? undefined : String(exchange);
    return bookMarkets(context, { kind, symbol: String(symbol), exchange: among });
  },
});

/** The queries of the books of all these markets. */
export const bookQueries = (kind: BookKind, { symbol, markets }: BookMarkets) =>
  kit.toAll<'fullBook'>(
    markets.map(({ exchange, market }) => ({ source: exchange, params: { market, kind } })),
    symbol,
  );

/** The order books of an asset at several exchanges, of which one is enough. */
export const ofBooks = (kind: BookKind): kit.Subject<'fullBook', BookMarkets> => ({
  names: ['fullBook'],
  what: ({ symbol }) => `the order books of ${symbol}`,
  ask: (found) => bookQueries(kind, found),
});
