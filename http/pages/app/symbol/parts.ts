/** Parts of the page of a symbol that are about all exchanges, or about one book. */
import { heatPart, plotPart } from '../charts.ts';
import { h, setText } from '../dom.ts';
import { exchangeColumn, exchangeName } from '../exchange-names.ts';
import { compact, count, duration, moment, percent, price, share } from '../format.ts';
import { cellsOf } from '../heat-drawing.ts';
import { painPart, smilePart } from '../options/parts.ts';
import { minute, type Part } from '../part.ts';
import { keptChoice } from '../place.ts';
import { joined } from '../plot-scales.ts';
import {
  at,
  type BookLevel,
  type HyperliquidPositionsItem,
  type LargeOrdersItem,
  type ReferenceRate,
} from '../request.ts';
import { tablePart } from '../table-part.ts';
import { type Market, ofKind } from './candles.ts';

/** Sums in US dollars from the middle outwards, by price. */
function sumsOf(side: readonly BookLevel[]): (readonly [price: number, sum: number])[] {
  let sum = 0;
  return side.map(({ price: at, quantity }) => {
    sum += at * quantity;
    return [at, sum] as const;
  });
}

/** The depth of one book: what could be bought and sold from the middle to each price. */
export const depthPart = (exchange: string, market: string): Part =>
  plotPart({
    title: 'Depth',
    name: `${exchange}-depth`,
    about: `${exchangeName(exchange)} ${market}: US dollars from the mid price to each price, 200 levels a side`,
    label: `Depth of ${market} on ${exchangeName(exchange)}`,
    path: at('/v1/orderbook/deep', { exchange, symbol: market, depth: 200 }),
    every: 1_000,
    lines: [
      { name: 'Bids', colour: 'up', as: 'area' },
      { name: 'Asks', colour: 'down', as: 'area' },
    ],
    form: compact,
    place: { name: 'price', form: price },
    data: ({ bids, asks }) => joined([sumsOf(bids), sumsOf(asks)]),
    none: 'The book is empty.',
  });

/** The order books of an asset over time by price, as recorded each minute: of one exchange, or of all together. */
export function bookHeatPart({ symbol, exchange, kind }: Market): Part {
  const exchanges = [
    ['', 'all'],
    ['own', exchangeName(exchange)],
  ] as const;
  const among = keptChoice('Exchanges', exchanges, { name: 'books' });
  return heatPart({
    title: 'Book over time',
    name: `${symbol}-book-heatmap`,
    about({ timestamps, note }) {
      if (note === 'not tracked')
        return `The books of ${symbol} are not recorded: this is what they are now.`;
      const minutes = timestamps.length === 1 ? '1 minute' : `${timestamps.length} minutes`;
      return `${minutes} of US dollars that rest at each price: bids green, asks red; the line is the mid price.`;
    },
    label: `Order books of ${symbol} over time`,
    path: () =>
      at(`/v1/${ofKind[kind]}/orderbook-heatmap`, {
        symbol,
        // All exchanges together, as the API names them.
        exchange: among.get() === 'own' ? exchange : 'aggregated',
        limit: 180,
      }),
    every: 10_000,
    cadence: minute,
    choices: [among],
    palette: 'signed',
    words: (value) => `${value < 0 ? 'asks' : 'bids'} ${compact(Math.abs(value))} USD`,
    // Bids above zero, asks below: the sign is the colour.
    data({ timestamps, prices, bids, asks, mid_prices, bucket_size: size }) {
      const [first = 0] = prices;
      return {
        columns: timestamps.map(moment),
        rows: prices.map(price),
        cells: [...cellsOf(bids), ...cellsOf(asks).map(([x, y, usd]) => [x, y, -usd] as const)],
        line: mid_prices.map((one) => (one === null ? null : (one - first) / size + 0.5)),
      };
    },
    rows({ timestamps, prices, bids, asks }) {
      const rowsOf = (side: string, cells: typeof bids) =>
        cellsOf(cells)
          .reverse()
          .map(([x, y, usd]) => [timestamps[x], side, prices[y], usd]);
      return [
        ['time', 'side', 'price', 'value_usd'],
        ...rowsOf('bid', bids),
        ...rowsOf('ask', asks),
      ];
    },
    none: 'No book is recorded yet.',
  });
}

/** For how long it rests, or rested, ms. */
const ageOf = ({ state, first_seen: first, last_seen: last }: LargeOrdersItem): number =>
  (state === 'active' ? Date.now() : last) - first;

/** Large resting orders of an asset on all exchanges. */
export const largeOrdersPart = ({ symbol, kind }: Market): Part =>
  tablePart({
    title: 'Large orders',
    about: ({ tracked }) =>
      tracked
        ? 'Orders that rest on the books of all exchanges, the largest first'
        : `The books of ${symbol} are not watched all the time: these rest now`,
    name: `${symbol}-large-orders`,
    path: at(`/v1/${ofKind[kind]}/large-orders`, { symbol, limit: 50 }),
    every: 3_000,
    isWide: true,
    rows: ({ items }) => items,
    columns: [
      exchangeColumn,
      { head: 'Side', of: 'side', tone: ({ side }) => (side === 'bid' ? 'up' : 'down') },
      { head: 'State', of: 'state', tone: ({ state }) => (state === 'active' ? '' : 'soft') },
      { head: 'Price', of: 'price', as: price },
      { head: 'Value, USD', of: 'value_usd', as: compact },
      { head: 'From mid price', of: 'distance_percent', as: percent },
      { head: 'Resting for', of: ageOf, as: duration },
      { head: 'Initial value, USD', of: 'initial_value_usd', as: compact },
      { head: 'Market', of: 'pair', tone: 'soft' },
    ],
    none: `No order of ${symbol} is large now.`,
  });

/** Profit over what the position has cost, percent. */
const gainOf = ({ unrealized_pnl_usd: gain, value_usd: value }: HyperliquidPositionsItem) =>
  value > 0 ? (gain / value) * 100 : null;

/** Large positions of tracked wallets of Hyperliquid in an asset. */
export const positionsPart = (symbol: string): Part =>
  tablePart({
    title: 'Positions on Hyperliquid',
    about({ coverage }) {
      const { open_interest_share: part, tracked_wallets: wallets } = coverage;
      const held = part === null ? 'an unknown part' : percent(part * 100);
      return `Of ${wallets} tracked wallets, which hold ${held} of its open interest there`;
    },
    name: `${symbol}-positions`,
    path: at('/v1/hyperliquid/positions', { symbol, limit: 50 }),
    every: 10_000,
    isWide: true,
    rows: ({ items }) => items,
    columns: [
      { head: 'Wallet', of: ({ address }) => `${address.slice(0, 6)}…${address.slice(-4)}` },
      { head: 'Side', of: 'side', tone: ({ side }) => (side === 'long' ? 'up' : 'down') },
      { head: 'Value, USD', of: 'value_usd', as: compact },
      { head: 'Entry', of: 'entry_price', as: price },
      { head: 'Liquidation', of: 'liquidation_price', as: price },
      { head: 'Leverage', of: 'leverage', as: count },
      { head: 'Profit, USD', of: 'unrealized_pnl_usd', as: compact, sign: 0.005 },
      { head: 'Profit', of: gainOf, as: percent, sign: 0.005 },
    ],
    none: `No tracked wallet holds ${symbol} there.`,
  });

/** The markets of a rate, each with what it states. */
function venuesOf({ venues, explanation }: ReferenceRate) {
  const inputs = explanation?.inputs ?? [];
  const stated = new Map(inputs.map((one) => [`${one.exchange} ${one.market}`, one]));
  return venues.map((one) => ({ ...one, input: stated.get(`${one.exchange} ${one.market}`) }));
}

/** The reference rate of an asset, with every input. */
export function referencePart(symbol: string): Part {
  const rate = h('strong', { class: 'rate' });
  return tablePart({
    title: 'Reference rate',
    name: `${symbol}-reference-rate`,
    about({ rate: value, reason, method, used, venues, explanation }) {
      if (value === null) return `There is no rate now: ${reason}.`;
      // Without what the rule says of the fields of the answer.
      const rule = (explanation?.rule ?? '').replace(/;.*$/, '.');
      return `${method.replaceAll(/[-_]/g, ' ')} of ${used} of ${venues.length} spot markets against dollars. ${rule}`;
    },
    path: at('/v1/reference-rate', { symbol, explain: '1' }),
    every: 1_000,
    isWide: true,
    controls: [rate],
    rows(data) {
      setText(rate, price(data.rate));
      return venuesOf(data);
    },
    columns: [
      exchangeColumn,
      { head: 'Market', of: 'market', tone: 'soft' },
      { head: 'Quoted in', of: ({ input }) => input?.unit ?? null, tone: 'soft' },
      {
        head: 'State',
        of: ({ status }) => status.replaceAll('_', ' '),
        tone: ({ status }) => (status === 'used' ? '' : 'warn'),
      },
      { head: 'Quoted price', of: ({ input }) => input?.value ?? null, as: price },
      { head: 'Conversion', of: ({ input }) => input?.conversion ?? null, as: price },
      { head: 'Price, USD', of: 'price', as: price },
      { head: 'Weight', of: 'weight', as: share },
      {
        head: 'Deviation',
        of: 'deviation_percent',
        as: (value) => percent(value, 3),
        sign: 0.0005,
      },
      { head: 'Volume 60 min', of: 'volume_60m_base', as: compact },
      { head: 'Age', of: 'age_ms', as: duration },
    ],
    none: 'No spot market is known.',
  });
}

/** What is otherwise where the options on an asset stand in short. */
const ofOptions = {
  every: 30_000,
  refusal: (_: string, code: string) =>
    code === 'unknown_symbol' ? 'No exchange that is followed has options on it.' : undefined,
};

/** Implied volatility by strike, a line an expiry, with the way to all about the options. */
export function impliedPart(symbol: string): Part {
  const href = `#/options/${encodeURIComponent(symbol)}`;
  const controls = [h('a', { href }, 'All about its options')];
  return smilePart({ symbol }, { ...ofOptions, title: 'Options: implied volatility', controls });
}

export const maxPainPart = (symbol: string): Part =>
  painPart({ symbol }, { ...ofOptions, title: 'Options: max pain' });
