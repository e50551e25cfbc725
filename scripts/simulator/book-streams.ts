/** Streams of order books: the ladder of each second as a snapshot, or as what has changed since the second before. */
import { type BookLevel, bookOf, type WireLevel } from './book.ts';
import type { Market } from './market.ts';
import type { Model } from './model.ts';
import type { Row } from './rows.ts';
import { type Channel, isEvery, type Moment } from './streams.ts';

/** The book of a market at one time: whole, or its changes. */
export interface BookUpdate {
  market: Market;
  model: Model;
  /** Unix ms. */
  now: number;
  whole: boolean;
  /** Numbers of the last change in it, and of the last one before it. */
  id: number;
  previous: number;
  bids: readonly WireLevel[];
  asks: readonly WireLevel[];
  /** The mid price is not below that of the book before. */
  rising: boolean;
  /** The 25 best levels of each side after it. */
  top: { bids: readonly WireLevel[]; asks: readonly WireLevel[] };
}

/** How an exchange sends books. */
interface BookForm {
  /** Levels a side; 50 when absent. */
  depth?: number;
  /** Seconds between two updates. */
  every?: number;
  /** Every message is a whole book. */
  whole?: true;
  /** The messages; none where the exchange sends none, as for a snapshot that has to be asked for. */
  tell(update: BookUpdate): readonly unknown[];
  /** What stands for a market in the topic; its id when absent. */
  id?(market: Market): string;
  group?: Channel['group'];
  /** `asked` answers a question for the whole book once, `updates` begins without it. */
  part?: 'asked' | 'updates';
}

const second = 1_000;
const mostTop = 25;

/** Books of a thousand levels change once in so many seconds: a stream of them would take most of the simulator's time. */
export const deepEvery = 5;
/** When a book of so many levels is that of `now`. */
export const bookTime = (now: number, levels: number): number =>
  levels < 1_000 ? now : now - (now % (deepEvery * second));

const rowsOf = (levels: readonly BookLevel[]) => levels.map(({ wire }) => wire);

/** The levels of before that are gone, and those of now that are new or have another quantity; prices rise or fall by `step`. */
function changed(
  before: readonly BookLevel[],
  after: readonly BookLevel[],
  step: 1 | -1,
): WireLevel[] {
  const [gone, fresh]: [WireLevel[], WireLevel[]] = [[], []];
  let at = 0;
  for (const level of after) {
    for (let old = before[at]; old && (level.price - old.price) * step > 0; old = before[++at])
      gone.push([old.wire[0], '0']);
    const old = before[at];
    if (old?.price === level.price) at++;
    if (old === level) continue;
    if (old?.price !== level.price || old.wire[1] !== level.wire[1]) fresh.push(level.wire);
  }
  return [...gone, ...before.slice(at).map(({ wire }): WireLevel => [wire[0], '0']), ...fresh];
}

/** A book with twice its mid price. */
interface WireBook {
  now: number;
  depth: number;
  id: number;
  middle: number;
  bids: readonly BookLevel[];
  asks: readonly BookLevel[];
}

/** The last two books of a market: the next update is compared with one of them. */
const lastBooks = new WeakMap<Market, readonly WireBook[]>();

function wireBook(market: Market, now: number, depth: number): WireBook {
  const last = lastBooks.get(market) ?? [];
  const known = last.find((one) => one.now === now && one.depth === depth);
  if (known) return known;
  const { bids, asks, updateId: id } = bookOf(market, now, depth);
  const middle = (bids[0]?.price ?? 0) + (asks[0]?.price ?? 0);
  const made = { now, depth, id, middle, bids, asks };
  lastBooks.set(market, [made, ...last].slice(0, 2));
  return made;
}

/** A snapshot is that of the last update. */
function updateOf(
  market: Market,
  at: Pick<Moment, 'model' | 'now'>,
  { depth, every, whole }: { depth: number; every: number; whole: boolean },
): BookUpdate {
  const now = at.now - (at.now % every);
  const [before, after] = [wireBook(market, now - every, depth), wireBook(market, now, depth)];
  const { id, bids, asks } = after;
  return {
    market,
    model: at.model,
    now,
    whole,
    id,
    previous: before.id,
    bids: whole ? rowsOf(bids) : changed(before.bids, bids, -1),
    asks: whole ? rowsOf(asks) : changed(before.asks, asks, 1),
    rising: after.middle >= before.middle,
    top: { bids: rowsOf(bids.slice(0, mostTop)), asks: rowsOf(asks.slice(0, mostTop)) },
  };
}

/** Channels of the book of one market each. */
export const books = (form: BookForm): Channel => ({
  ...(form.group && { group: form.group }),
  messages(keys, { now, model, first }, exchange) {
    const { depth = 50, every = 1, id = (market: Market) => market.id, part, tell } = form;
    if (first ? part === 'updates' : part === 'asked' || !isEvery(every, now)) return [];
    const about = { depth, every: every * second, whole: form.whole ?? first };
    return [...keys].flatMap((key) => {
      const at = key.indexOf(' ');
      const [group, name] = [key.slice(0, at), key.slice(at + 1)];
      // Most ids are those of the markets; anything else is looked for.
      const found =
        (form.id ? undefined : model.market(exchange, group, name, now)) ??
        model
          .markets(exchange, now, group === '' ? undefined : group)
          .find((market) => id(market) === name);
      return found?.state === 'live' ? tell(updateOf(found, { model, now }, about)) : [];
    });
  },
});

/** The same with each message as a row; levels are pairs of texts where `level` says nothing else. */
export const bookMessages = (
  message: Row,
  {
    level = (one) => one,
    ...form
  }: Omit<BookForm, 'tell'> & { level?(level: WireLevel, whole: boolean): unknown } = {},
): Channel =>
  books({
    ...form,
    tell({ market, model, now, ...update }) {
      const rows = (side: readonly WireLevel[]) => side.map((one) => level(one, update.whole));
      const [bids, asks] = [rows(update.bids), rows(update.asks)];
      return [message(market, { model, now, book: { ...update, bids, asks } })];
    },
  });

/** A level as JSON numbers. */
export const bare = (level: WireLevel): number[] => level.map(Number);

/** A level with the names of an exchange. */
export const named =
  (price: string, size: string) =>
  (level: WireLevel): object => ({ [price]: level[0], [size]: level[1] });

/** The changes of a book one by one, in an order in which no side is empty and no book crossed in between. */
export function stepsOf({ bids, asks, rising }: BookUpdate): [side: 'bids' | 'asks', WireLevel][] {
  const of = (side: 'bids' | 'asks', levels: readonly WireLevel[]) => {
    const [gone, fresh] = [false, true].map((there) =>
      levels.filter(([, quantity]) => (quantity !== '0') === there),
    );
    return [...(fresh ?? []), ...(gone ?? [])].map((one): ['bids' | 'asks', WireLevel] => [
      side,
      one,
    ]);
  };
  const [below, above] = [of('bids', bids), of('asks', asks)];
  return rising ? [...above, ...below] : [...below, ...above];
}
