/** The options of one expiry: calls on the left, puts on the right of their strike. */
import { h, setText } from '../dom.ts';
import { compact, dash, fixed, plain, price } from '../format.ts';
import { livePart, type Part, watch } from '../part.ts';
import { at, type OptionsInfoOption as Option } from '../request.ts';
import { cell, keyedRows, scroller, type View } from '../rows.ts';
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
      return { strike, where: `${exchange} ${of}`, call: typed('call'), put: typed('put') };
    })
    .sort((a, b) => a.strike - b.strike || a.where.localeCompare(b.where));
}

const percentOf = (part: number | null | undefined) =>
  part === null || part === undefined ? dash : fixed(part * 100, 1);
const side = ['OI', 'Delta', 'IV, %', 'Bid', 'Ask'];
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
      ...[...side, 'Strike', ...side.toReversed()].map((name) =>
        h('th', { scope: 'col', class: name === 'Strike' ? 'strike' : 'number' }, name),
      ),
    ),
  );

const fields = [
  'open_interest_base',
  'implied_volatility',
  'mark_price_usd',
  'bid_price_usd',
  'ask_price_usd',
] as const;

const csvOf = (pairs: readonly Pair[], deltas: ReadonlyMap<string, number | null>): unknown[][] => [
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

/** What the cells of a chain are made of besides the options. */
interface Beside {
  deltas: ReadonlyMap<string, number | null>;
  underlying: number;
}

/** The row of a strike; `beside` gives what is known when it is shown. */
function pairRow(beside: () => Beside): View<Pair> {
  const cells = () => side.map(() => cell(''));
  const [calls, puts] = [cells(), cells()];
  const [at, where] = [h('span', {}), h('small', {})];
  const strikeHead = h('th', { scope: 'row', class: 'strike' }, at, where);
  const showSide = (
    into: readonly HTMLElement[],
    option: Option | undefined,
    isInside: boolean,
  ) => {
    const delta = beside().deltas.get(option?.instrument ?? '') ?? null;
    const texts = [
      compact(option?.open_interest_base ?? null),
      fixed(delta, 2),
      percentOf(option?.implied_volatility),
      price(option?.bid_price_usd ?? null),
      price(option?.ask_price_usd ?? null),
    ];
    for (const [place, one] of into.entries()) {
      setText(one, texts[place] ?? '');
      one.classList.toggle('inside', isInside);
    }
  };
  return {
    node: h('tr', {}, ...calls, strikeHead, ...puts.toReversed()),
    show({ strike, where: of, call, put }) {
      const { underlying } = beside();
      showSide(calls, call, strike < underlying);
      showSide(puts, put, strike > underlying);
      setText(at, plain(strike));
      setText(where, ` ${of}`);
    },
  };
}

const minute = 60_000;

/** The chain of one expiry, a day (`YYYY-MM-DD`). */
export function chainPart(asked: Asked, expiry: string): Part {
  const body = h('tbody', {});
  const region = scroller(`Options that expire on ${expiry}`, chainHead(), body);
  region.classList.add('chain');
  let isAtMoney = false;
  let deltas = new Map<string, number | null>();
  let pairs: readonly Pair[] = [];
  let underlying = 0;

  const show = keyedRows<Pair>(body, {
    name: ({ strike, where }) => `${strike} ${where}`,
    make: () => pairRow(() => ({ deltas, underlying })),
  });
  const stop = watch(at('/v1/options/greeks', { ...asked, expiry, limit: 1000 }), 5_000, {
    data(data) {
      deltas = new Map(data.items.map((one) => [one.instrument, one.delta]));
      show(pairs);
    },
  });
  return livePart({
    title: `Chain of ${expiry}`,
    about: 'US dollars; open interest in the base asset; the ground marks what is in the money',
    name: `options-chain-${expiry}`,
    path: at('/v1/options/info', { ...asked, expiry }),
    cadence: minute,
    isTall: true,
    body: [region],
    show(info) {
      pairs = pairsOf(info.options ?? []);
      underlying = info.underlying_price;
      show(pairs);
      const atMoney = body.children[pairs.findIndex(({ strike }) => strike >= underlying)];
      // Once: afterwards it is where the reader has scrolled it.
      if (!isAtMoney && atMoney !== undefined) showAmid(region, atMoney);
      isAtMoney ||= atMoney !== undefined;
      return pairs.length === 0 ? 'No option of this expiry is listed.' : undefined;
    },
    rows: () => csvOf(pairs, deltas),
    end: stop,
  });
}

/** Scrolls a row, and the strikes, to the middle of the table. */
function showAmid(region: HTMLElement, row: Element): void {
  const { top, height } = region.getBoundingClientRect();
  region.scrollTop += row.getBoundingClientRect().top - top - height / 2;
  region.scrollLeft = (region.scrollWidth - region.clientWidth) / 2;
}
