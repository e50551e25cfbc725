/** The order book of one market, live. */
import { decimalsOf } from '../../../../indicators/digits.ts';
import { askAgain } from '../ask.ts';
import { h, setText } from '../dom.ts';
import { compact, dash, fixed, percent, placesOf } from '../format.ts';
import { livePart, type Part } from '../part.ts';
import { at, type BookLevel, type Orderbook } from '../request.ts';
import { headRow } from '../rows.ts';

/** Levels a side. */
const depth = 14;

/** What is to be said of a book: which it is, and why not to trust it. */
function aboutOf(market: string, { crossed, suspect }: Orderbook): string {
  if (suspect)
    return `${market}. Suspect: its mid price is more than 30 % away from the last price and from other exchanges`;
  return crossed ? `${market}. Crossed: the best bid is not below the best ask` : market;
}

interface Line {
  node: HTMLElement;
  show(level: BookLevel | undefined, sum: number, scale: { most: number; places: number }): void;
}

function line(side: 'bid' | 'ask'): Line {
  const bar = h('span', { class: 'bar-of', 'aria-hidden': 'true' });
  const at = h('td', { class: `number ${side === 'bid' ? 'up' : 'down'}` });
  const size = h('td', { class: 'number' });
  const sum = h('td', { class: 'number sum' }, bar);
  const text = h('span', {});
  sum.append(text);
  return {
    node: h('tr', { class: side }, at, size, sum),
    show(level, total, { most, places }) {
      setText(at, level === undefined ? '' : fixed(level.price, places));
      setText(size, level === undefined ? '' : compact(level.quantity));
      setText(text, level === undefined ? '' : compact(total));
      bar.style.width = `${level === undefined ? 0 : (total / most) * 100}%`;
    },
  };
}

const worth = (levels: readonly BookLevel[]): number =>
  levels.slice(0, depth).reduce((sum, one) => sum + one.price * one.quantity, 0);

/** Shows the levels of a side, with their sums from the middle; `most` is that of the longest bar. */
function showSide(
  lines: readonly Line[],
  levels: readonly BookLevel[],
  scale: { most: number; places: number },
): void {
  let sum = 0;
  for (const [at, one] of lines.entries()) {
    const level = levels[at];
    sum += level === undefined ? 0 : level.price * level.quantity;
    one.show(level, sum, scale);
  }
}

/** Follows a book, four times a second. */
export function bookPart(exchange: string, market: string): Part {
  const asks = Array.from({ length: depth }, () => line('ask'));
  const bids = Array.from({ length: depth }, () => line('bid'));
  const middle = h('td', { colspan: '3', class: 'middle' }, dash);
  const body = h(
    'tbody',
    {},
    ...asks.toReversed().map(({ node }) => node),
    h('tr', {}, middle),
    ...bids.map(({ node }) => node),
  );
  const table = h('table', { class: 'book' }, headRow(['Price', 'Size', 'Sum, USD'], 0), body);
  let shown: Orderbook | null = null;
  let step: number | null = null;
  const of = { exchange, symbol: market };
  const endStep = askAgain(at('/v1/instruments', of), Infinity, {
    data({ instruments }) {
      step = instruments[0]?.tick_size ?? null;
    },
  });
  return livePart({
    title: 'Book',
    about: (book) => aboutOf(`${exchange} ${market}`, book),
    name: `${exchange}-book`,
    path: at('/v1/orderbook', { ...of, depth }),
    every: 250,
    isTall: true,
    body: [table],
    show(book) {
      shown = book;
      const places = step === null ? placesOf(book.mid_price ?? 1) : decimalsOf(step);
      const most = Math.max(worth(book.bids), worth(book.asks), 1);
      showSide(asks, book.asks, { most, places });
      showSide(bids, book.bids, { most, places });
      const spread = percent(book.spread_pct, 4).replace('+', '');
      const words =
        book.mid_price === null ? dash : `${fixed(book.mid_price, places + 1)}   spread ${spread}`;
      table.style.setProperty('--digits', `${fixed(book.mid_price, places).length}`);
      setText(middle, words);
      return undefined;
    },
    rows: () => [
      ['side', 'price', 'quantity'],
      ...(shown?.bids ?? []).map((one) => ['bid', one.price, one.quantity]),
      ...(shown?.asks ?? []).map((one) => ['ask', one.price, one.quantity]),
    ],
    end: endStep,
  });
}
