/** The order book of one market, live. */
import { h, setText } from '../dom.ts';
import { compact, fixed, percent, placesOf } from '../format.ts';
import { csvButton, curlButton, wordsFor } from '../panel.ts';
import { follow } from '../stream.ts';

interface Level {
  price: number;
  quantity: number;
}

export interface Book {
  bids: readonly Level[];
  asks: readonly Level[];
  spread_pct: number | null;
  mid_price: number | null;
}

/** Levels a side. */
const depth = 12;

interface Line {
  node: HTMLElement;
  show(level: Level | undefined, sum: number, scale: { most: number; places: number }): void;
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

const worth = (levels: readonly Level[]): number =>
  levels.slice(0, depth).reduce((sum, one) => sum + one.price * one.quantity, 0);

/** Shows the levels of a side, with their sums from the middle; `most` is that of the longest bar. */
function showSide(
  lines: readonly Line[],
  levels: readonly Level[],
  scale: { most: number; places: number },
): void {
  let sum = 0;
  for (const [at, one] of lines.entries()) {
    const level = levels[at];
    sum += level === undefined ? 0 : level.price * level.quantity;
    one.show(level, sum, scale);
  }
}

/** Follows a book until `end` is called. */
export function bookPanel(
  exchange: string,
  market: string,
): { node: HTMLElement; end: () => void } {
  const path = `/v1/orderbook?exchange=${exchange}&symbol=${encodeURIComponent(market)}&depth=${depth}`;
  const asks = Array.from({ length: depth }, () => line('ask'));
  const bids = Array.from({ length: depth }, () => line('bid'));
  const middle = h('td', { colspan: '3', class: 'middle' }, '–');
  const body = h(
    'tbody',
    {},
    ...asks.toReversed().map(({ node }) => node),
    h('tr', {}, middle),
    ...bids.map(({ node }) => node),
  );
  const head = ['Price', 'Size', 'Sum, USD'].map((name) =>
    h('th', { scope: 'col', class: 'number' }, name),
  );
  const words = h('p', { class: 'soft', hidden: true });
  let shown: Book | null = null;
  const table = h('table', { class: 'book' }, h('thead', {}, h('tr', {}, ...head)), body);
  const node = h(
    'section',
    {},
    h(
      'div',
      { class: 'bar' },
      h('h2', {}, 'Book'),
      h('small', {}, `${exchange} ${market}`),
      csvButton(`${exchange}-book`, () => [
        ['side', 'price', 'quantity'],
        ...(shown?.bids ?? []).map((one) => ['bid', one.price, one.quantity]),
        ...(shown?.asks ?? []).map((one) => ['ask', one.price, one.quantity]),
      ]),
      curlButton(() => path),
    ),
    words,
    table,
  );
  const end = follow(
    path,
    {
      data(data) {
        const book = data as Book;
        shown = book;
        const places = placesOf(book.mid_price ?? 1);
        const most = Math.max(worth(book.bids), worth(book.asks), 1);
        showSide(asks, book.asks, { most, places });
        showSide(bids, book.bids, { most, places });
        setText(
          middle,
          book.mid_price === null
            ? '–'
            : `${fixed(book.mid_price, places)}   spread ${percent(book.spread_pct, 4).replace('+', '')}`,
        );
        words.hidden = true;
        table.hidden = false;
      },
      missing(message, code) {
        words.hidden = false;
        table.hidden = true;
        setText(words, wordsFor(code, message));
      },
    },
    { every: 250 },
  );
  return { node, end };
}
