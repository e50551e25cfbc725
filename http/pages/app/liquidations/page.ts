/** Liquidations as they happen, and their sums. */
import { choice, h, setText } from '../dom.ts';
import { compact, duration, fixed, price, time } from '../format.ts';
import { csvButton, curlButton, wordsFor } from '../panel.ts';
import type { Part } from '../part.ts';
import { choose } from '../place.ts';
import { cell, headRow, rowHead, scroller } from '../rows.ts';
import { Slot } from '../slot.ts';
import { follow } from '../stream.ts';
import { heatPart, mapPart, symbolField } from './map.ts';

interface Order {
  exchange: string;
  symbol: string;
  contract: string;
  side: 'long' | 'short';
  price: number;
  value_usd: number | null;
  timestamp: number;
}

/** Orders that are kept on the page. */
const kept = 150;

const sizes = [
  ['0', 'all'],
  ['10000', 'from 10 K'],
  ['100000', 'from 100 K'],
  ['1000000', 'from 1 M'],
] as const;

/** One order; the larger its value the stronger its ground. */
function orderRow({
  exchange,
  symbol,
  contract,
  side,
  price: at,
  value_usd: value,
  timestamp,
}: Order): HTMLElement {
  const tone = side === 'long' ? 'down' : 'up';
  const row = h(
    'tr',
    {},
    h('td', { class: 'soft' }, time(timestamp, 'time')),
    rowHead(symbol),
    h('td', { class: 'soft', title: contract }, exchange),
    h('td', { class: tone }, side),
    cell(price(at)),
    cell(compact(value)),
  );
  const part = Math.min(1, Math.max(0, Math.log10((value ?? 1) / 10_000) / 3)) * 24;
  row.style.backgroundColor = `color-mix(in srgb, var(--${tone}) ${part.toFixed(0)}%, transparent)`;
  return row;
}

function tape(least: string): Part {
  const path = `/v1/liquidations/orders?limit=100${least === '0' ? '' : `&min_usd=${least}`}`;
  const body = h('tbody', {});
  const words = h('p', { class: 'soft' }, 'Orders come in a moment.');
  let orders: readonly Order[] = [];
  const end = follow(
    path,
    {
      data(data) {
        const news = (data as readonly Order[]).toSorted((a, b) => b.timestamp - a.timestamp);
        orders = [...news, ...orders].slice(0, kept);
        body.prepend(...news.map(orderRow));
        while (body.children.length > kept) body.lastElementChild?.remove();
        words.hidden = orders.length > 0;
        setText(words, 'No order of this size yet.');
      },
      missing: (message, code) => setText(words, wordsFor(code, message)),
    },
    { mode: 'log', every: 250 },
  );
  const names = [
    'exchange',
    'symbol',
    'contract',
    'side',
    'price',
    'value_usd',
    'timestamp',
  ] as const;
  const csv = () => [names, ...orders.map((one) => names.map((name) => one[name]))];
  const head = h(
    'div',
    { class: 'bar' },
    h('h2', {}, 'As they happen'),
    csvButton('liquidations', csv),
    curlButton(() => path),
  );
  const table = scroller(
    'Liquidations as they happen',
    headRow(['Time', 'Symbol', 'Exchange', 'Side', 'Price', 'Value, USD'], 4),
    body,
  );
  return { node: h('section', { class: 'tape' }, head, words, table), end };
}

interface Sums {
  recording_since: number | null;
  sampled_exchanges: readonly string[];
  not_covered: readonly string[];
  items: readonly {
    exchange: string;
    liquidation_usd: number;
    long_usd: number;
    short_usd: number;
    long_ratio: number | null;
    order_count: number;
  }[];
}

/** What the sums can and cannot know. */
function coverage({
  recording_since: since,
  sampled_exchanges: sampled,
  not_covered: without,
}: Sums): string {
  const recorded =
    since === null ? 'Nothing is recorded yet.' : `Recorded for ${duration(Date.now() - since)}.`;
  const parts = sampled.length === 0 ? '' : ` ${sampled.join(' and ')} publish a part of theirs.`;
  return `${recorded}${parts} Without a public feed: ${without.join(', ')}.`;
}

const sumNames = [
  'exchange',
  'liquidation_usd',
  'long_usd',
  'short_usd',
  'long_ratio',
  'order_count',
] as const;

function sums(): Part {
  const path = '/v1/liquidations/exchange-list?range=24h';
  let items: Sums['items'] = [];
  const body = h('tbody', {});
  const words = h('p', { class: 'soft' }, 'Sums come in a moment.');
  const end = follow(
    path,
    {
      data(data) {
        const all = data as Sums;
        items = all.items;
        setText(words, coverage(all));
        body.replaceChildren(
          ...all.items.map((one) =>
            h(
              'tr',
              {},
              rowHead(one.exchange === 'all' ? 'All' : one.exchange),
              cell(compact(one.liquidation_usd)),
              cell(compact(one.long_usd), 'down'),
              cell(compact(one.short_usd), 'up'),
              cell(one.long_ratio === null ? '–' : `${fixed(one.long_ratio * 100, 1)} %`),
              cell(fixed(one.order_count, 0)),
            ),
          ),
        );
      },
      missing: (message, code) => setText(words, wordsFor(code, message)),
    },
    { every: 2_000 },
  );
  const head = h(
    'div',
    { class: 'bar' },
    h('h2', {}, '24 hours by exchange'),
    csvButton('liquidations-by-exchange', () => [
      sumNames,
      ...items.map((one) => sumNames.map((name) => one[name])),
    ]),
    curlButton(() => path),
  );
  const table = scroller(
    'Sums by exchange',
    headRow(['Exchange', 'USD', 'Longs', 'Shorts', 'Longs’ part', 'Orders'], 1),
    body,
  );
  return { node: h('section', {}, head, words, table), end };
}

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement, _about: string, chosen: URLSearchParams): () => void {
  const wanted = chosen.get('least');
  const least = sizes.find(([value]) => value === wanted)?.[0] ?? '0';
  const totals = sums();
  let orders = tape(least);
  const place = h('div', { class: 'halves' }, orders.node, totals.node);
  const size = choice('Value', sizes, {
    chosen: least,
    choose(next) {
      choose({ least: next === '0' ? '' : next });
      orders.end();
      const made = tape(next);
      orders.node.replaceWith(made.node);
      orders = made;
    },
  });
  const maps = new Slot('tall');
  const heat = new Slot('tall');
  const about = (symbol: string) => {
    maps.show(() => mapPart(symbol, 'binance'));
    heat.show(() => heatPart(symbol));
  };
  const symbol = chosen.get('symbol') ?? 'BTC';
  const field = symbolField(symbol, (next) => {
    choose({ symbol: next === 'BTC' ? '' : next });
    about(next);
  });
  about(symbol);
  into.append(
    h('div', { class: 'bar' }, h('h1', {}, 'Liquidations'), size),
    place,
    h('div', { class: 'bar' }, h('h2', {}, 'Where positions would be liquidated'), field),
    h('div', { class: 'halves' }, maps.node, heat.node),
  );
  return () => {
    for (const part of [orders, totals, maps, heat]) part.end();
  };
}
