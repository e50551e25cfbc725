/** Liquidations as they happen. */
import { choice, h, setText } from '../dom.ts';
import { compact, price, time } from '../format.ts';
import { livePart, type Part } from '../part.ts';
import { choose } from '../place.ts';
import { type LiquidationsOrder, logOf } from '../request.ts';
import { cell, headRow, rowHead, scroller } from '../rows.ts';
import { follow } from '../stream.ts';

/** Orders that are kept on the page. */
const kept = 100;

const sizes = [
  ['0', 'all'],
  ['10000', 'from 10 K'],
  ['100000', 'from 100 K'],
  ['1000000', 'from 1 M'],
] as const;

const sides = [
  ['', 'both'],
  ['long', 'longs'],
  ['short', 'shorts'],
] as const;

/** Whose liquidations the page shows; an empty name is of all. */
export interface Asked {
  symbol: string;
  exchange: string;
}

/** A row of the tape, which shows one order after another: rows that moved would take the eye along. */
function line(): { node: HTMLElement; show(order: LiquidationsOrder): void } {
  const soft = (kind = '') => h('td', { class: `soft ${kind}` });
  const [when, where, side] = [soft(), soft('number'), h('td')];
  const [symbol, at, value] = [rowHead(''), cell(''), cell('')];
  const node = h('tr', {}, when, symbol, side, value, at, where);
  let shown: LiquidationsOrder | null = null;
  return {
    node,
    show(order) {
      if (order === shown) return;
      shown = order;
      setText(when, time(order.timestamp, 'time'));
      setText(symbol, order.symbol);
      setText(where, order.exchange);
      where.title = order.contract;
      setText(side, order.side);
      side.className = order.side === 'long' ? 'down' : 'up';
      setText(at, price(order.price));
      setText(value, compact(order.value_usd));
      // The larger its value the stronger its ground.
      const part = Math.min(1, Math.max(0, Math.log10(order.value_usd / 10_000) / 3)) * 24;
      node.style.backgroundColor = `color-mix(in srgb, var(--${side.className}) ${part.toFixed(0)}%, transparent)`;
    },
  };
}

const names = [
  'exchange',
  'symbol',
  'contract',
  'side',
  'price',
  'value_usd',
  'timestamp',
] as const;

/** Each order once, the newest first. */
export function tapePart(asked: Asked, chosen: URLSearchParams): Part {
  const body = h('tbody', {});
  let lines: ReturnType<typeof line>[] = [];
  let orders: readonly LiquidationsOrder[] = [];
  let side = sides.find(([id]) => id === chosen.get('side'))?.[0] ?? '';
  let least = sizes.find(([id]) => id === chosen.get('least'))?.[0] ?? '0';
  const again = () => {
    choose({ side, least: least === '0' ? '' : least });
    orders = [];
    lines = [];
    body.replaceChildren();
    part.again();
  };
  const part = livePart<readonly LiquidationsOrder[]>({
    title: 'Live',
    name: 'liquidations',
    path: () =>
      logOf('/v1/liquidations/orders', { limit: 100, ...asked, side, min_usd: Number(least) }),
    every: 250,
    // Nobody knows when the next one comes.
    cadence: Infinity,
    source: (path, every, follower) => follow(path, follower, { mode: 'log', every }),
    isTall: true,
    controls: [
      choice('Side', sides, {
        chosen: side,
        choose(next) {
          side = next;
          again();
        },
      }),
      choice('Value', sizes, {
        chosen: least,
        choose(next) {
          least = next;
          again();
        },
      }),
    ],
    body: [
      scroller(
        'Liquidations as they happen',
        headRow(['Time', 'Symbol', 'Side', 'Value, USD', 'Price', 'Exchange'], 3),
        body,
      ),
    ],
    show(all) {
      const news = all.toSorted((a, b) => b.timestamp - a.timestamp);
      orders = [...news, ...orders].slice(0, kept);
      for (const [at, order] of orders.entries()) {
        const here = lines[at] ?? line();
        if (lines[at] === undefined) {
          lines.push(here);
          body.append(here.node);
        }
        here.show(order);
      }
      return orders.length === 0 ? 'No such order yet.' : undefined;
    },
    rows: () => [names, ...orders.map((one) => names.map((name) => one[name]))],
  });
  return part;
}
