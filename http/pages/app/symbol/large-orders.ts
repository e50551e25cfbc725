/** Large resting orders of an asset on all exchanges. */
import { h } from '../dom.ts';
import { figure } from '../figure.ts';
import { compact, duration, percent, price } from '../format.ts';
import { wordsFor } from '../panel.ts';
import type { Part } from '../part.ts';
import { cell, headRow, rowHead, scroller } from '../rows.ts';
import { follow } from '../stream.ts';
import type { Market } from './candles.ts';

interface Order {
  exchange: string;
  pair: string;
  side: 'bid' | 'ask';
  price: number;
  value_usd: number;
  initial_value_usd: number;
  distance_percent: number;
  state: 'active' | 'filled' | 'cancelled';
  first_seen: number;
  last_seen: number;
}
interface Orders {
  tracked: boolean;
  items: readonly Order[];
}

const names = [
  'exchange',
  'pair',
  'side',
  'price',
  'value_usd',
  'initial_value_usd',
  'distance_percent',
  'state',
  'first_seen',
  'last_seen',
] as const;

function orderRow(one: Order): HTMLElement {
  const age = one.state === 'active' ? Date.now() - one.first_seen : one.last_seen - one.first_seen;
  return h(
    'tr',
    {},
    rowHead(one.exchange),
    h('td', { class: 'soft' }, one.pair),
    h('td', { class: one.side === 'bid' ? 'up' : 'down' }, one.side),
    cell(price(one.price)),
    cell(compact(one.value_usd)),
    cell(percent(one.distance_percent)),
    h('td', { class: one.state === 'active' ? '' : 'soft' }, one.state),
    cell(duration(age)),
  );
}

/** Follows the large orders of an asset. */
export function largeOrdersPart({ symbol, kind }: Market): Part {
  const path = `/v1/${kind === 'spot' ? 'spot' : 'futures'}/large-orders?symbol=${encodeURIComponent(symbol)}&limit=50`;
  let items: Orders['items'] = [];
  const body = h('tbody', {});
  const of = figure({
    heading: 'Large orders',
    name: `${symbol}-large-orders`,
    path: () => path,
    rows: () => [names, ...items.map((one) => names.map((name) => one[name]))],
  });
  const heads = ['Exchange', 'Market', 'Side', 'Price', 'USD', 'From middle', 'State', 'Rests for'];
  of.body.append(scroller('Large orders', headRow(heads, 3), body));
  const end = follow(
    path,
    {
      data(data) {
        const all = data as Orders;
        items = all.items;
        of.setAbout(
          all.tracked
            ? 'Orders that rest on the books of all exchanges, the largest first'
            : `The books of ${symbol} are not watched all the time: these rest now`,
        );
        body.replaceChildren(...items.map(orderRow));
        of.say(items.length === 0 ? `No order of ${symbol} is large now.` : null);
      },
      missing: (message, code) => of.say(wordsFor(code, message)),
    },
    { every: 3_000 },
  );
  return { node: of.node, end };
}
