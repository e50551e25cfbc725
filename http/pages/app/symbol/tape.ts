/** The trades of one market as they happen. */
import { choice, h, setText } from '../dom.ts';
import { compact, price, time } from '../format.ts';
import { livePart, type Part } from '../part.ts';
import { choose, placeOf } from '../place.ts';
import { at, type TradesItem } from '../request.ts';
import { cell, headRow, scroller } from '../rows.ts';

/** Trades that are kept on the page. */
const kept = 60;
/** Trades that are asked for: between two readings there may be many. */
const asked = 200;
/** Trades that are remembered, of which those of some size are shown. */
const most = 2_000;

const sizes = [
  ['0', 'all'],
  ['1000', 'from 1 K'],
  ['10000', 'from 10 K'],
  ['100000', 'from 100 K'],
  ['1000000', 'from 1 M'],
] as const;

/** A row of the tape, which shows one trade after another: rows that moved would take the eye along. */
function line(): { node: HTMLElement; show(trade: TradesItem): void } {
  const when = h('td', { class: 'soft' });
  const [at, size, value] = [cell(''), cell(''), cell('')];
  const node = h('tr', {}, when, at, size, value);
  return {
    node,
    show(trade) {
      const tone = trade.side === 'buy' ? 'up' : 'down';
      setText(when, time(trade.timestamp, 'time'));
      setText(at, price(trade.price));
      at.className = `number ${tone}`;
      at.title = trade.side === 'buy' ? 'The taker bought' : 'The taker sold';
      setText(size, compact(trade.quantity));
      setText(value, compact(trade.value_usd));
      // The larger its value the stronger its ground.
      const part = Math.min(1, Math.max(0, Math.log10((trade.value_usd ?? 0) / 10_000) / 2)) * 24;
      node.style.backgroundColor = `color-mix(in srgb, var(--${tone}) ${part.toFixed(0)}%, transparent)`;
    },
  };
}

const names = ['id', 'timestamp', 'side', 'price', 'quantity', 'value_usd'] as const;

/** Names of trades that tell them apart: their id, else what they state and how many before state the same. */
function keysOf(trades: readonly TradesItem[]): string[] {
  const counts = new Map<string, number>();
  return trades.map(({ id, timestamp, side, price, quantity }) => {
    if (id !== null) return id;
    const stated = `${timestamp} ${side} ${price} ${quantity}`;
    const count = counts.get(stated) ?? 0;
    counts.set(stated, count + 1);
    return `${count} ${stated}`;
  });
}

/** The trades of two answers, each once, the newest first. */
function joined(news: readonly TradesItem[], known: readonly TradesItem[]): TradesItem[] {
  const names = keysOf(news);
  const found = new Map(names.map((name, at) => [name, news[at]]));
  const before = keysOf(known);
  const older = known.filter((_, at) => !found.has(before[at] ?? ''));
  return [...news, ...older].toSorted((a, b) => b.timestamp - a.timestamp).slice(0, most);
}

/** Follows the trades of a market, all or from a value on, the newest first. */
export function tapePart(exchange: string, market: string): Part {
  const body = h('tbody', {});
  const lines: ReturnType<typeof line>[] = [];
  let all: readonly TradesItem[] = [];
  let least = Number(placeOf(location.hash).chosen.get('trades') ?? 0);
  const shown = () => all.filter(({ value_usd: value }) => (value ?? 0) >= least).slice(0, kept);
  const draw = () => {
    const trades = shown();
    while (lines.length < trades.length) {
      const next = line();
      lines.push(next);
      body.append(next.node);
    }
    for (const [at, one] of lines.entries()) {
      const trade = trades[at];
      one.node.hidden = trade === undefined;
      if (trade !== undefined) one.show(trade);
    }
  };
  const size = choice('Value', sizes, {
    chosen: sizes.find(([value]) => Number(value) === least)?.[0] ?? '0',
    choose(next) {
      least = Number(next);
      choose({ trades: next === '0' ? '' : next });
      draw();
    },
  });
  return livePart({
    title: 'Trades',
    name: `${exchange}-trades`,
    about: ({ source }) =>
      source === 'live'
        ? `${exchange} ${market}`
        : `${exchange} ${market}; asked for, not heard by stream`,
    path: at('/v1/trades', { exchange, symbol: market, limit: asked }),
    every: 500,
    // Nobody knows when the next one comes.
    cadence: Infinity,
    controls: [size],
    body: [scroller('Trades', headRow(['Time', 'Price', 'Size', 'USD'], 1), body)],
    show({ items }) {
      all = joined(items, all);
      draw();
      return all.length === 0 ? 'No trade yet.' : undefined;
    },
    rows: () => [names, ...shown().map((one) => names.map((name) => one[name]))],
  });
}
