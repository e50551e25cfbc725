/** Liquidations as they happen, and their sums. */
import { choice, h, setText, symbolField } from '../dom.ts';
import { compact, duration, fixed, price, time } from '../format.ts';
import { livePart, type Part, Slot, showParts } from '../part.ts';
import { choose } from '../place.ts';
import { at, type LiquidationsExchangeList, type LiquidationsOrder, logOf } from '../request.ts';
import { cell, headRow, rowHead, scroller } from '../rows.ts';
import { follow } from '../stream.ts';
import { tablePart } from '../table-part.ts';
import { heatmapPart, mapPart } from './map.ts';

/** Orders that are kept on the page. */
const kept = 100;

const sizes = [
  ['0', 'all'],
  ['10000', 'from 10 K'],
  ['100000', 'from 100 K'],
  ['1000000', 'from 1 M'],
] as const;

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
function tapePart(least: string): Part {
  const body = h('tbody', {});
  const lines: ReturnType<typeof line>[] = [];
  let orders: readonly LiquidationsOrder[] = [];
  return livePart({
    title: 'As they happen',
    name: 'liquidations',
    path: logOf('/v1/liquidations/orders', { limit: 100, min_usd: Number(least) }),
    every: 250,
    // Nobody knows when the next one comes.
    cadence: Infinity,
    source: (path, every, follower) => follow(path, follower, { mode: 'log', every }),
    isTall: true,
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
      return orders.length === 0 ? 'No order of this size yet.' : undefined;
    },
    rows: () => [names, ...orders.map((one) => names.map((name) => one[name]))],
  });
}

/** What the sums can and cannot know. */
function coverage({
  recording_since: since,
  sampled_exchanges: sampled,
  not_covered: without,
}: LiquidationsExchangeList): string {
  const recorded = `Recorded for ${duration(Date.now() - since)}.`;
  const parts = sampled.length === 0 ? '' : ` ${sampled.join(' and ')} publish a part of theirs.`;
  return `${recorded}${parts} Without a public feed: ${without.join(', ')}.`;
}

const sumsPart = (): Part =>
  tablePart({
    title: '24 hours by exchange',
    about: coverage,
    name: 'liquidations-by-exchange',
    path: at('/v1/liquidations/exchange-list', { range: '24h' }),
    every: 2_000,
    cadence: 60_000,
    isTall: true,
    rows: ({ items }) => items,
    columns: [
      { head: 'Exchange', of: ({ exchange }) => (exchange === 'all' ? 'All' : exchange) },
      { head: 'USD', of: (one) => one.liquidation_usd, as: compact },
      { head: 'Longs', of: (one) => one.long_usd, as: compact, tone: () => 'down' },
      { head: 'Shorts', of: (one) => one.short_usd, as: compact, tone: () => 'up' },
      {
        head: 'Long share',
        of: (one) => one.long_ratio,
        as: (part) => `${fixed(part * 100, 1)} %`,
      },
      { head: 'Orders', of: (one) => one.order_count, as: (count) => fixed(count, 0) },
    ],
    none: 'Nothing is recorded yet.',
  });

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement, _about: string, chosen: URLSearchParams): () => void {
  const wanted = chosen.get('least');
  const least = sizes.find(([value]) => value === wanted)?.[0] ?? '0';
  const orders = new Slot(() => tapePart(least), 'tall');
  const size = choice('Value', sizes, {
    chosen: least,
    choose(next) {
      choose({ least: next === '0' ? '' : next });
      orders.show(() => tapePart(next));
    },
  });
  const [map, heat] = [new Slot(), new Slot()];
  const about = (symbol: string) => {
    map.show(() => mapPart(symbol, 'binance'));
    heat.show(() => heatmapPart(symbol));
  };
  const symbol = chosen.get('symbol') ?? 'BTC';
  const field = symbolField(symbol, (next) => {
    choose({ symbol: next === 'BTC' ? '' : next });
    about(next);
  });
  about(symbol);
  into.append(h('div', { class: 'bar' }, h('h1', {}, 'Liquidations'), size));
  const ends = [showParts(into, [orders, sumsPart()])];
  into.append(
    h('div', { class: 'bar' }, h('h2', {}, 'Where positions would be liquidated'), field),
  );
  ends.push(showParts(into, [map, heat]));
  return () => {
    for (const end of ends) end();
  };
}
