/** Answers in the form of an exchange: rows of its markets, of one of them, of a history, and books. */
import { bookOf } from './book.ts';
import { bookTime } from './book-streams.ts';
import { newestTrades } from './events.ts';
import type { Answer } from './exchange.ts';
import type { Market } from './market.ts';
import type { Count, Parameters } from './pages.ts';
import type { At, Row } from './rows.ts';
import type { Ask } from './venue.ts';

export const isLive = ({ state }: Market): boolean => state === 'live';

interface Which {
  venue: string;
  /** All groups when absent. */
  group?: string | undefined;
  keep?: ((market: Market) => boolean) | undefined;
}

/** The row of each market that an exchange lists now. */
export const marketRows = <Made>(
  row: Row<Made>,
  ask: At,
  { venue, group, keep = () => true }: Which,
): Made[] =>
  ask.model
    .markets(venue, ask.now, group)
    .filter(keep)
    .map((market) => row(market, ask));

/** The newest trades of a market as rows, newest first. */
export const tradeRows = <Made>(row: Row<Made>, market: Market, at: At, limit: number): Made[] =>
  newestTrades(market, at.now, limit).map((trade) => row(market, { ...at, trade }));

/** The order book of a market with its levels as rows. */
export function bookRows<Made>(level: Row<Made>, market: Market, at: At, depth: number) {
  const { bids, asks, updateId } = bookOf(market, at.now, depth);
  const rows = (side: typeof bids) => side.map((one) => level(market, at, undefined, one));
  return { bids: rows(bids), asks: rows(asks), updateId };
}

/** How an exchange answers. */
interface Form {
  venue: string;
  parameters: Parameters;
  /** The market of a group that a request is about. */
  marketOf(ask: Ask, group: string): Market;
  /** The body with these data; the data themselves when absent. */
  ok?(data: unknown, ask: Ask): unknown;
}

/** How a book is answered. */
interface BookForm {
  row: Row;
  level: Row<unknown>;
  /** How many levels a request may ask for. */
  depth: number | Count | ((ask: Ask, market: Market) => number);
  group?: string;
}

/** What makes the answers of an exchange. */
export function answersOf({ venue, parameters, marketOf, ok = (data) => data }: Form) {
  const about =
    (answer: (market: Market, ask: Ask) => unknown, group = ''): Answer =>
    (ask) =>
      ok(answer(marketOf(ask, group), ask), ask);
  const depthOf = ({ depth }: BookForm, ask: Ask, market: Market): number => {
    if (typeof depth === 'number') return depth;
    return typeof depth === 'function' ? depth(ask, market) : parameters.count(ask, depth);
  };
  return {
    /** The markets of a group. */
    all:
      (row: Row<unknown>, group?: string, keep?: (market: Market) => boolean): Answer =>
      (ask) =>
        ok(marketRows(row, ask, { venue, group, keep }), ask),
    /** The market of the request. */
    one: (row: Row<unknown>, group?: string): Answer => about(row, group),
    /** Its history. */
    page(row: Row<unknown>, table: string, group?: string): Answer {
      const page = parameters.page(row, table);
      return about((market, ask) => page(ask, market), group);
    },
    /** Its newest trades, newest first. */
    trades: (row: Row<unknown>, count: Count, group?: string): Answer =>
      about((market, ask) => tradeRows(row, market, ask, parameters.count(ask, count)), group),
    /** Its book. */
    book: (form: BookForm): Answer =>
      about((market, ask) => {
        const depth = depthOf(form, ask, market);
        const at = { ...ask, now: bookTime(ask.now, depth) };
        const { updateId: id, ...sides } = bookRows(form.level, market, at, depth);
        const book = { ...sides, id, previous: id, whole: true };
        return form.row(market, { ...ask, book });
      }, form.group),
  };
}
