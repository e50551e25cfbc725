/** What the rows share that answer order books of several exchanges. */
import type { OrderBook } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { dollarQuotes } from '../../../config/quotes.ts';
import type { QuestionOf } from '../../answers/queries.ts';
import type { Param } from '../../endpoints/route.ts';
import type { BookKind } from '../../views/books.ts';
import { type ApiError, apiError, isApiError, warmingUp } from '../../wire/errors.ts';
import type { RoutesContext } from '../context.ts';

export type BooksContext = Pick<
  RoutesContext,
  'books' | 'markets' | 'prices' | 'registry' | 'exchanges' | 'clock'
>;

export const common = {
  method: 'GET',
  group: 'Order books over exchanges',
  access: 'key',
} as const;

export const symbol = s.string('Base asset.');
export const count = s.count;
export const failed_exchanges = s.list(
  s.string(),
  'Exchanges whose order book could not be had, or is far from all prices of the asset.',
);

/** Several exchanges; those with the largest turnover when absent. */
export const exchangesParam = {
  type: 'string',
  maxLength: 400,
  pattern: '^[A-Za-z0-9-]+(,[A-Za-z0-9-]+)*$',
  description:
    'Exchange ids, separated by commas. The ten with the largest turnover of the asset when absent.',
  example: 'binance,okx',
} as const satisfies Param;

/** Exchanges that are asked at most. */
const mostExchanges = 10;

/** Ids of the exchanges with order books of a kind of market. */
export const exchangesOf = ({ registry, exchanges }: BooksContext, kind: BookKind): string[] =>
  registry
    .filter(({ id, kinds }) => kinds.includes(kind) && exchanges.orderBook.includes(id))
    .map(({ id }) => id);

/** The market that an asset stands for on an exchange. */
export interface BookMarket {
  exchange: string;
  market: string;
  /** Turnover of 24 hours in its quote. */
  turnover: number;
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

/** The asset that a client names, on the first of the exchanges that lists it; an error where none does. */
function assetOn(
  { markets, prices }: BooksContext,
  exchanges: readonly string[],
  { kind, symbol: given }: BookQuery,
): string | ApiError {
  const found = markets.resolve(given, { kind, exchanges });
  if (!isApiError(found)) return found.symbol;
  return prices.newest() === null ? warmingUp : found;
}

/** The asset that a client names, with its dollar market at each exchange, the most traded first; or why there is none. */
export function bookMarkets(
  context: BooksContext,
  wanted: BookQuery,
): { symbol: string; markets: readonly BookMarket[] } | ApiError {
  const ids = exchangesOf(context, wanted.kind);
  const asked =
    wanted.exchange === undefined ? ids : [...new Set(wanted.exchange.toLowerCase().split(','))];
  const unknown = asked.find((id) => !ids.includes(id));
  if (unknown !== undefined) {
    return apiError('bad_parameter', `exchange '${unknown}' is none of ${ids.join(', ')}`);
  }
  const found = assetOn(context, asked, wanted);
  if (typeof found !== 'string') return found;
  const markets = asked
    .flatMap((id) => marketOn(context, id, wanted.kind, found))
    .sort((a, b) => b.turnover - a.turnover)
    .slice(0, mostExchanges);
  if (markets.length > 0) return { symbol: found, markets };
  const where = wanted.exchange === undefined ? '' : ` for ${wanted.exchange}`;
  return apiError('unknown_symbol', `there is no dollar market of '${found}'${where}`);
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

const repliesOf = (
  markets: readonly BookMarket[],
  books: readonly (OrderBook | null)[],
): Books => ({
  answered: markets.flatMap((one, i) => {
    const book = books[i];
    return isUsable(book) ? [{ ...one, book }] : [];
  }),
  failed: markets.flatMap(({ exchange }, i) => (isUsable(books[i]) ? [] : [exchange])),
});

/** The question for the books of all these markets; it fails only where all of them do. */
export function booksQuestion<D>(
  kind: BookKind,
  { symbol: asset, markets }: { symbol: string; markets: readonly BookMarket[] },
  { form, data }: { form: string; data(books: Books): D | ApiError },
): QuestionOf<'fullBook', D> | ApiError {
  const [first, ...others] = markets.map(({ exchange, market }) => ({
    source: exchange,
    params: { market, kind },
  }));
  if (first === undefined) return apiError('unknown_symbol', `unknown symbol '${asset}'`);
  return {
    ...first,
    name: 'fullBook',
    also: others,
    what: `the order books of ${asset}`,
    form,
    data: (book, more) => data(repliesOf(markets, [book, ...more])),
    onPartialFailure: (more) => data(repliesOf(markets, [null, ...more])),
  };
}
