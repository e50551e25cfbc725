/** The liquidity of one book with the levels that it is made of, asked of the exchange by request. */
import type { Level } from '../../../indicators/order-book/book.ts';
import { type Liquidity, liquidityOf } from '../../../indicators/order-book/liquidity.ts';
import { type Question, questionOf } from '../../answers/queries.ts';
import type { BookKind } from '../../views/books.ts';
import { apiError, isApiError, type kit, s } from '../kit.ts';
import { type BooksContext, bookMarkets, bookQueries } from './asset-books.ts';

/** Of streams and batches, which answer what is in memory. */
export const explainedAlone = apiError(
  'bad_parameter',
  'explain=1 is for single requests, not for streams or batches',
);

/** Most levels of a side; what lies beyond is in no number. */
const mostLevels = 1_000;

const side = (description: string) =>
  s.list(s.list(s.number('Price in quote, then quantity in base units.'), 'A level.'), description);

/** The field of an item with `explain=1`. */
export const levelsOfBook = s.named(
  'LiquidityExplanation',
  s.object(
    {
      rule: s.string('How the numbers follow from the levels.'),
      most_levels: s.integer('Levels of a side that count at most.'),
      bids: side('The best first.'),
      asks: side('The best first.'),
    },
    'The levels of which all numbers of the item are made; with `explain=1`.',
  ),
);
type Explanation = s.Static<typeof levelsOfBook>;

const rule =
  'mid_price: mean of the best bid and ask. depth: sum of price × quantity within the distance, null where the last level is nearer. slippage: mean price of taking the levels in turn for that many dollars, against the mid price, null where they are worth less. A quote counts as a dollar.';

/** A book with its numbers and levels. */
export interface ExplainedBook extends Liquidity {
  exchange: string;
  market: string;
  kind: BookKind;
  /** When the exchange took the snapshot, Unix ms. */
  received: number;
  explanation: Explanation;
}

interface ExplainedValues {
  symbol: string;
  exchange: string | undefined;
  kind: BookKind;
}

const pairs = (levels: readonly Level[]) => levels.map(({ price, quantity }) => [price, quantity]);

/** The question about one book; `answer` makes the data of it. */
function explainedBook<D>(
  context: BooksContext,
  { symbol: given, exchange, kind }: ExplainedValues,
  answer: (symbol: string, row: ExplainedBook) => D,
): Question<D> | kit.ApiError {
  if (exchange === undefined) {
    return apiError('bad_parameter', 'explain=1 is about one order book: give exchange');
  }
  const found = bookMarkets(context, { kind, symbol: given, exchange });
  if (isApiError(found)) return found;
  const asked = bookQueries(kind, found);
  if (isApiError(asked)) return asked;
  const { symbol } = found;
  const what = `the order book of ${symbol} on ${exchange}`;
  return questionOf<'fullBook', D>({
    ...asked,
    name: 'fullBook',
    what,
    variant: JSON.stringify(['liquidity', symbol]),
    data(book) {
      const [bids, asks] = [book.bids.slice(0, mostLevels), book.asks.slice(0, mostLevels)];
      const liquidity = liquidityOf({ bids, asks }, { dollars: 1, isWhole: false });
      if (liquidity === null || book.suspect) {
        return apiError('upstream_failed', `${what} is empty, crossed or far from all prices`);
      }
      const sides = { bids: pairs(bids), asks: pairs(asks) };
      const explanation = { rule, most_levels: mostLevels, ...sides };
      const { market, timestamp: received } = book;
      return answer(symbol, { exchange, market, kind, ...liquidity, received, explanation });
    },
  });
}

/** A row with `at` that answers `explain=1` too. */
export function withExplained(
  context: BooksContext,
  row: kit.Route,
  answer: (symbol: string, one: ExplainedBook) => object,
): kit.Route {
  return {
    ...row,
    explainAsked: true,
    past(values) {
      if (values.at !== undefined) return row.past?.(values) ?? explainedAlone;
      const { symbol = 'BTC', exchange, kind } = values;
      const asked = {
        symbol: String(symbol),
        exchange: exchange === undefined ? exchange : String(exchange),
        kind: kind === 'perpetual' ? kind : 'spot',
      } as const;
      return explainedBook(context, asked, answer);
    },
  };
}
