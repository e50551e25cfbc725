/** The options of one expiry: calls on the left, puts on the right of their strike. */

import { watch } from '../ask.ts';
import { cellOf, together } from '../columns.ts';
import { h, setText } from '../dom.ts';
import { exchangeName } from '../exchange-names.ts';
import { compact, dayText, fixed, plain, price } from '../format.ts';
import { livePart, minute, type Part } from '../part.ts';
import { at, type OptionsInfoOption as Option } from '../request.ts';
import { keyedRows, scroller, type View } from '../rows.ts';
import type { Asked } from './parts.ts';

interface Pair {
  strike: number;
  /** Exchange and currency of settlement. */
  where: string;
  call: Option | undefined;
  put: Option | undefined;
}

/** Calls and puts of the same strike, exchange and settlement, the lowest strike first. */
function pairsOf(options: readonly Option[]): Pair[] {
  const grouped = Map.groupBy(
    options,
    ({ strike, exchange, settlement_currency: of }) => `${strike} ${exchange} ${of}`,
  );
  return [...grouped.values()]
    .map((few): Pair => {
      const [{ strike = 0, exchange = '', settlement_currency: of = '' } = {}] = few;
      const typed = (type: string) => few.find((one) => one.type === type);
      return {
        strike,
        where: `${exchangeName(exchange)} ${of}`,
        call: typed('call'),
        put: typed('put'),
      };
    })
    .sort((a, b) => a.strike - b.strike || a.where.localeCompare(b.where));
}

/** What is known of options from another answer, and the price of the asset. */
interface Beside {
  deltas: ReadonlyMap<string, number | null>;
  underlying: number;
}

/** What is said of an option: the heads of its columns, their numbers and these in words. */
const columns: readonly [
  head: string,
  as: (value: number) => string,
  of: (option: Option, beside: Beside) => number | null | undefined,
][] = [
  ['OI', compact, (one) => one.open_interest_base],
  ['Delta', (value) => fixed(value, 2), (one, { deltas }) => deltas.get(one.instrument)],
  ['IV, %', (part) => fixed(part * 100, 1), (one) => one.implied_volatility],
  ['Bid', price, (one) => one.bid_price_usd],
  ['Ask', price, (one) => one.ask_price_usd],
];
const heads = columns.map(([head]) => head);

/** Calls, the strike, and the same columns of puts in the opposite order. */
const chainHead = () =>
  h(
    'thead',
    {},
    h(
      'tr',
      {},
      h('th', { colspan: '5', class: 'strike' }, 'Calls'),
      h('td', {}),
      h('th', { colspan: '5', class: 'strike' }, 'Puts'),
    ),
    h(
      'tr',
      {},
      ...[...heads, 'Strike', ...heads.toReversed()].map((name) =>
        h('th', { scope: 'col', class: name === 'Strike' ? 'strike' : 'number' }, name),
      ),
    ),
  );

/** The cells of a side of a row: those in the money have a ground. */
function sideOf(side: 'call' | 'put', beside: Beside): View<Pair>[] {
  const tone = ({ strike }: Pair) => {
    const { underlying } = beside;
    return (side === 'call' ? strike < underlying : strike > underlying) ? 'inside' : '';
  };
  return columns.map(([head, as, of]) => {
    const value = ({ [side]: option }: Pair) => (option && of(option, beside)) ?? null;
    return cellOf<Pair>({ head, as, of: value, tone }, false);
  });
}

function strikeView(): View<Pair> {
  const [at, where] = [h('span', {}), h('small', {})];
  return {
    node: h('th', { scope: 'row', class: 'strike' }, at, where),
    show({ strike, where: of }) {
      setText(at, plain(strike));
      setText(where, ` ${of}`);
    },
  };
}

const fields = [
  'open_interest_base',
  'implied_volatility',
  'mark_price_usd',
  'bid_price_usd',
  'ask_price_usd',
] as const;

const csvOf = (pairs: readonly Pair[], { deltas }: Beside): unknown[][] => [
  ['instrument', 'exchange', 'type', 'strike', 'delta', ...fields],
  ...pairs
    .flatMap(({ call, put }) => [call, put])
    .filter((option) => option !== undefined)
    .map((option) => [
      option.instrument,
      option.exchange,
      option.type,
      option.strike,
      deltas.get(option.instrument) ?? null,
      ...fields.map((field) => option[field]),
    ]),
];

/** The chain of one expiry, a day (`YYYY-MM-DD`). */
export function chainPart(asked: Asked, expiry: string): Part {
  const body = h('tbody', {});
  const region = scroller(`Options that expire on ${dayText(expiry)}`, chainHead(), body);
  region.classList.add('chain');
  let isAtMoney = false;
  let pairs: readonly Pair[] = [];
  const beside: Beside = { deltas: new Map(), underlying: 0 };
  const show = keyedRows<Pair>(body, {
    name: ({ strike, where }) => `${strike} ${where}`,
    make() {
      const puts = sideOf('put', beside).reverse();
      return together('tr', [...sideOf('call', beside), strikeView(), ...puts]);
    },
  });
  return livePart({
    title: `Chain of ${dayText(expiry)}`,
    about: 'US dollars; open interest in the base asset; the ground marks what is in the money',
    name: `options-chain-${expiry}`,
    path: at('/v1/options/info', { ...asked, expiry }),
    cadence: minute,
    isTall: true,
    body: [region],
    show({ options = [], underlying_price: underlying }) {
      pairs = pairsOf(options);
      beside.underlying = underlying;
      show(pairs);
      const atMoney = body.children[pairs.findIndex(({ strike }) => strike >= underlying)];
      // Once: afterwards it is where the reader has scrolled it.
      if (!isAtMoney && atMoney !== undefined) showAmid(region, atMoney);
      isAtMoney ||= atMoney !== undefined;
      return pairs.length === 0 ? 'No option of this expiry is listed.' : undefined;
    },
    rows: () => csvOf(pairs, beside),
    beside: () =>
      watch(at('/v1/options/greeks', { ...asked, expiry, limit: 1000 }), 5_000, {
        data({ items }) {
          beside.deltas = new Map(items.map((one) => [one.instrument, one.delta]));
          show(pairs);
        },
      }),
  });
}

/** Scrolls a row, and the strikes, to the middle of the table. */
function showAmid(region: HTMLElement, row: Element): void {
  const { top, height } = region.getBoundingClientRect();
  region.scrollTop += row.getBoundingClientRect().top - top - height / 2;
  region.scrollLeft = (region.scrollWidth - region.clientWidth) / 2;
}
