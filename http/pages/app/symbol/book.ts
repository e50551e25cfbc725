/** The order book of one market, live. */
import { decimalsOf } from '../../../../indicators/digits.ts';
import { askAgain } from '../ask.ts';
import { h, setText } from '../dom.ts';
import { exchangeName } from '../exchange-names.ts';
import { compact, dash, fixed, percent, placesOf } from '../format.ts';
import { livePart, type Part } from '../part.ts';
import { keptChoice } from '../place.ts';
import { at, type BookLevel, type Orderbook } from '../request.ts';
import { grouped } from './book-groups.ts';

/** Levels a side. */
const depth = 12;

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

/** Steps of a book in ticks of its market; their words follow once the tick is known. */
const widths = [
  ['1', '1 ×'],
  ['10', '10 ×'],
  ['100', '100 ×'],
  ['1000', '1000 ×'],
] as const;
/** Levels that are asked for where they are summed by wider steps. */
const deep = 400;

/** The cells of a book: asks above, the middle, bids below. */
function bookTable() {
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
  const heads = ['Price', 'Size', 'Sum, USD'].map((name) =>
    h('th', { scope: 'col', class: 'number' }, name),
  );
  const table = h('table', { class: 'book' }, h('thead', {}, h('tr', {}, ...heads)), body);
  return {
    table,
    /** `step`: of prices; null for the levels as they are. `tick`: of the market, null where it is not known. */
    show(book: Orderbook, { step, tick }: { step: number | null; tick: number | null }): void {
      const inSteps = (levels: readonly BookLevel[], side: 'bid' | 'ask') =>
        step === null ? levels : grouped(levels, { step, side, isCut: levels.length >= deep });
      const bidLevels = inSteps(book.bids, 'bid');
      const askLevels = inSteps(book.asks, 'ask');
      const smallest = step ?? tick;
      const places = smallest === null ? placesOf(book.mid_price ?? 1) : decimalsOf(smallest);
      const most = Math.max(worth(bidLevels), worth(askLevels), 1);
      showSide(asks, askLevels, { most, places });
      showSide(bids, bidLevels, { most, places });
      const spread = percent(book.spread_pct, 4).replace('+', '');
      const mid = tick === null ? places + 1 : decimalsOf(tick) + 1;
      const words =
        book.mid_price === null ? dash : `${fixed(book.mid_price, mid)}   spread ${spread}`;
      table.style.setProperty('--digits', `${fixed(book.mid_price, places).length}`);
      setText(middle, words);
    },
  };
}

/** Follows a book, four times a second, by the ticks of its market or in wider steps. */
export function bookPart(exchange: string, market: string): Part {
  const { table, show } = bookTable();
  const width = keptChoice('Step', widths, { name: 'step' });
  width.node.classList.add('book-step');
  let tick: number | null = null;
  const of = { exchange, symbol: market };
  const askTick = () =>
    askAgain(at('/v1/instruments', of), Infinity, {
      data({ instruments }) {
        tick = instruments[0]?.tick_size ?? null;
        if (tick === null) return;
        for (const option of width.node.querySelectorAll('option')) {
          const step = Number((tick * Number(option.value)).toPrecision(12));
          setText(option, fixed(step, decimalsOf(step)));
        }
      },
    });
  return livePart({
    title: 'Book',
    about: (book) => aboutOf(`${exchangeName(exchange)} ${market}`, book),
    name: `${exchange}-book`,
    path: () => at('/v1/orderbook', { ...of, depth: width.get() === '1' ? depth : deep }),
    every: 250,
    isTall: true,
    choices: [width],
    body: [table],
    show(book) {
      const isFine = width.get() === '1' || tick === null;
      const step = isFine ? null : Number(tick) * Number(width.get());
      show(book, { step, tick });
      return undefined;
    },
    rows: ({ bids, asks }) => [
      ['side', 'price', 'quantity'],
      ...bids.map((one) => ['bid', one.price, one.quantity]),
      ...asks.map((one) => ['ask', one.price, one.quantity]),
    ],
    beside: askTick,
  });
}
