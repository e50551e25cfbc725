/** Liquidations as they happen, and their sums over time, by exchange and by coin. US dollars. */
import { intervals as lengths } from '../../../../indicators/market/intervals.ts';
import { alertLink } from '../alerts/link.ts';
import { linesPart } from '../charts.ts';
import { groundIn } from '../colours.ts';
import { sizeShare, timeColumn } from '../columns.ts';
import { exchangeColumn, exchangeName, exchangeNames } from '../exchange-names.ts';
import { compact, count, duration, price, share } from '../format.ts';
import { fileOf } from '../panel.ts';
import { chosenPart, livePart, minute, type Part } from '../part.ts';
import { keptChoice } from '../place.ts';
import {
  at,
  type LiquidationsCoinListItem,
  type LiquidationsExchangeList,
  type LiquidationsOrder,
  logOf,
} from '../request.ts';
import { follow } from '../stream.ts';
import { tablePart } from '../table-part.ts';
import { boxesOf, type Face, tileMap } from '../tile.ts';

/** Lengths of a bar. */
const intervals = [
  ['5m', '5 minutes'],
  ['15m', '15 minutes'],
  ['1h', '1 hour'],
  ['4h', '4 hours'],
  ['1d', '1 day'],
] as const;

const ranges = [
  ['1h', '1 hour'],
  ['4h', '4 hours'],
  ['12h', '12 hours'],
  ['24h', '24 hours'],
] as const;

/** The exchange that is chosen, or all. */
const among = (exchange: string) => exchangeName(exchange) || 'all exchanges';

const partly = (sampled: readonly string[]) =>
  sampled.length === 0
    ? ''
    : ` ${sampled.map(exchangeName).join(' and ')} publish a part of theirs.`;

/** Longs and shorts of each interval of the length that the reader chooses; in the file both are above 0. */
export function pastPart(asked: Asked): Part {
  const { symbol, exchange } = asked;
  const make = (interval: (typeof intervals)[number][0], control: HTMLElement) =>
    linesPart({
      title: `${symbol} over time`,
      about: ({ sampled_exchanges: sampled }) =>
        `Of ${among(exchange)}, US dollars: shorts above, longs below.${partly(sampled)}`,
      label: `Liquidations of ${symbol} on ${among(exchange)} by side, ${interval}`,
      name: `${symbol}-liquidations`,
      path: at('/v1/liquidations/aggregated-history', { ...asked, interval, limit: 120 }),
      every: 10_000,
      cadence: lengths[interval],
      isWide: true,
      controls: [control, ...alertLink(symbol, 'liquidated')],
      points: ({ points }) => points,
      lines: [
        { name: 'Shorts', of: 'short_usd', colour: 'up', as: 'bars' },
        { name: 'Longs', of: (one) => -one.long_usd, colour: 'down', as: 'bars' },
      ],
      form: (usd) => compact(Math.abs(usd)),
      none: ({ note }) => note ?? `No liquidation of ${symbol} is recorded yet.`,
    });
  return chosenPart(['Interval', intervals, { name: 'interval', usual: '1h' }], make, 'whole');
}

/** What the sums can and cannot know. */
function coverage({
  recording_since: since,
  sampled_exchanges: sampled,
  not_covered: without,
}: LiquidationsExchangeList): string {
  const recorded = `Recorded for ${duration(Date.now() - since)}.`;
  return `${recorded}${partly(sampled)} Without a public feed: ${exchangeNames(without)}.`;
}

export function exchangesPart(asked: Asked): Part {
  const range = keptChoice('Range', ranges, { name: 'range', usual: '24h' });
  return tablePart({
    title: `${asked.symbol || 'All coins'} by exchange`,
    about: coverage,
    name: 'liquidations-by-exchange',
    path: () => at('/v1/liquidations/exchange-list', { ...asked, range: range.get() }),
    every: 2_000,
    cadence: minute,
    isTall: true,
    choices: [range],
    rows: ({ items }) => items,
    columns: [
      {
        head: 'Exchange',
        of: ({ exchange }) => (exchange === 'all' ? 'All' : exchangeName(exchange)),
      },
      { head: 'USD', of: 'liquidation_usd', as: compact },
      { head: 'Longs', of: 'long_usd', as: compact, tone: 'down' },
      { head: 'Shorts', of: 'short_usd', as: compact, tone: 'up' },
      { head: 'Long share', of: 'long_ratio', as: share },
      { head: 'Orders', of: 'order_count', as: count },
    ],
    none: 'Nothing is recorded yet.',
  });
}

/** The sums of 24 hours of each coin, for the table and the map of them: both share an answer. */
const coinsPath = (exchange: string) => at('/v1/liquidations/coin-list', { exchange, limit: 200 });

export function coinsPart({ exchange }: Asked): Part {
  let largest = 0;
  return tablePart({
    title: '24 hours by coin',
    about: `Of ${among(exchange)}, US dollars`,
    name: 'liquidations-by-coin',
    path: coinsPath(exchange),
    every: 2_000,
    cadence: minute,
    isWide: true,
    rows({ items }) {
      largest = items[0]?.liquidation_usd_24h ?? 0;
      return items;
    },
    search: ({ symbol }) => symbol,
    columns: [
      {
        head: 'Coin',
        of: 'symbol',
        link: ({ symbol }) => `#/liquidations?symbol=${encodeURIComponent(symbol)}`,
      },
      {
        head: '24 hours',
        of: 'liquidation_usd_24h',
        as: compact,
        bar: (one) => one.liquidation_usd_24h / largest,
      },
      { head: 'Longs', of: 'long_24h_usd', as: compact, tone: 'down' },
      { head: 'Shorts', of: 'short_24h_usd', as: compact, tone: 'up' },
      { head: '1 hour', of: 'liquidation_usd_1h', as: compact },
      { head: '4 hours', of: 'liquidation_usd_4h', as: compact },
      { head: '12 hours', of: 'liquidation_usd_12h', as: compact },
      { head: 'Largest of the day', of: 'largest_order_usd_24h', as: compact },
    ],
    none: 'Nothing is recorded yet.',
  });
}

function faceOf(coin: LiquidationsCoinListItem): Face {
  const { symbol, long_24h_usd: longs, liquidation_usd_24h: all } = coin;
  const part = longs / all;
  return {
    symbol,
    href: `#/liquidations?symbol=${encodeURIComponent(symbol)}`,
    texts: [compact(all)],
    title: `${symbol}: ${compact(all)} USD, ${share(part, 0)} longs`,
    ground: groundIn(part > 0.5 ? 'down' : 'up', Math.abs(2 * part - 1)),
  };
}

/** The sums of 24 hours as a treemap: a tile a coin. */
export function treemapPart({ exchange }: Asked): Part {
  let coins: readonly LiquidationsCoinListItem[] = [];
  const draw = () => {
    const shown = coins.filter((one) => one.liquidation_usd_24h > 0);
    const sizes = shown.map((one) => one.liquidation_usd_24h);
    map.show(shown, faceOf, (room) => boxesOf(sizes, room));
  };
  const map = tileMap('Liquidations by coin', draw);
  return livePart({
    title: 'Map of 24 hours',
    about: `Of ${among(exchange)}: areas are sums, red where more longs and green where more shorts`,
    name: 'liquidations-by-coin',
    path: coinsPath(exchange),
    every: 2_000,
    cadence: minute,
    isWide: true,
    body: [map.node],
    show({ items }) {
      coins = items;
      draw();
      return items.length === 0 ? 'Nothing is recorded yet.' : undefined;
    },
    rows: ({ items }) => fileOf(items),
    end: map.end,
  });
}

/** Orders that are kept on the page. */
const kept = 60;

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

/** Each order once, the newest first. Rows have no names: one that moved would take the eye along. */
export function tapePart(asked: Asked): Part {
  let orders: readonly LiquidationsOrder[] = [];
  const side = keptChoice('Side', sides, { name: 'side' });
  const least = keptChoice('Value', sizes, { name: 'least' });
  return tablePart<readonly LiquidationsOrder[], LiquidationsOrder>({
    title: 'Live',
    name: 'liquidations',
    path: () =>
      logOf('/v1/liquidations/orders', {
        limit: 100,
        ...asked,
        side: side.get(),
        min_usd: Number(least.get()),
      }),
    every: 500,
    // Events come at no fixed interval, so that none is ever late.
    cadence: Infinity,
    source(path, every, follower) {
      orders = [];
      return follow(path, follower, { mode: 'log', every });
    },
    isTall: true,
    choices: [side, least],
    key: () => '',
    columns: [
      timeColumn,
      { head: 'Symbol', of: 'symbol' },
      { head: 'Side', of: 'side', tone: (one) => (one.side === 'long' ? 'down' : 'up') },
      { head: 'USD', of: 'value_usd', as: compact, bar: (one) => sizeShare(one.value_usd, 3) },
      { head: 'Price', of: 'price', as: price },
      { ...exchangeColumn, tone: 'soft', hint: ({ contract }) => contract },
    ],
    rows(all) {
      const news = all.toSorted((a, b) => b.timestamp - a.timestamp);
      orders = [...news, ...orders].slice(0, kept);
      return orders;
    },
    none: 'No such order yet.',
  });
}
