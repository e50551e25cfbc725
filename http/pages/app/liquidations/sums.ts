/** Sums of liquidations: over time, by exchange and by coin. US dollars. */
import { intervals as lengths } from '../../../../indicators/market/intervals.ts';
import { alertLink } from '../alerts/link.ts';
import { plotPart } from '../charts.ts';
import { compact, duration, fixed } from '../format.ts';
import { chosenPart, type Part } from '../part.ts';
import { keptChoice } from '../place.ts';
import {
  at,
  type LiquidationsAggregatedHistory,
  type LiquidationsCoinListItem,
  type LiquidationsExchangeList,
} from '../request.ts';
import { type Column, fileOf, tablePart } from '../table-part.ts';
import type { Asked } from './tape.ts';

const minute = 60_000;

/** Lengths of a bar. */
const intervals = [
  ['5m', '5 minutes'],
  ['15m', '15 minutes'],
  ['1h', '1 hour'],
  ['4h', '4 hours'],
  ['1d', '1 day'],
] as const;
const bars = 120;

const partly = (sampled: readonly string[]) =>
  sampled.length === 0 ? '' : ` ${sampled.join(' and ')} publish a part of theirs.`;

type Interval = (typeof intervals)[number][0];

/** Longs and shorts of each interval; in the file both are above 0. */
function barsPart(asked: Asked, interval: Interval, control: HTMLElement): Part {
  const { symbol, exchange } = asked;
  let points: LiquidationsAggregatedHistory['points'] = [];
  return plotPart({
    title: `${symbol} over time`,
    about: ({ sampled_exchanges: sampled }) =>
      `Of ${exchange || 'all exchanges'}, US dollars: shorts above, longs below.${partly(sampled)}`,
    label: `Liquidations of ${symbol} over time by side`,
    name: `${symbol}-liquidations`,
    path: at('/v1/liquidations/aggregated-history', { ...asked, interval, limit: bars }),
    every: 10_000,
    cadence: lengths[interval],
    isWide: true,
    controls: [control, ...alertLink(symbol, 'liquidated')],
    lines: [
      { name: 'Shorts', colour: 'up', as: 'bars' },
      { name: 'Longs', colour: 'down', as: 'bars' },
    ],
    form: (usd) => compact(Math.abs(usd)),
    data(found) {
      points = found.points;
      return {
        x: points.map(({ timestamp }) => timestamp),
        values: [points.map((one) => one.short_usd), points.map((one) => -one.long_usd)],
      };
    },
    rows: () => fileOf(points),
    none: ({ note }) => note ?? `No liquidation of ${symbol} is recorded yet.`,
  });
}

/** The sums over time, in bars of a length that the reader chooses. */
export const pastPart = (asked: Asked): Part =>
  chosenPart('Interval', intervals, {
    name: 'interval',
    usual: '1h',
    kind: 'whole',
    make: (interval, control) => barsPart(asked, interval, control),
  });

/** What the sums can and cannot know. */
function coverage({
  recording_since: since,
  sampled_exchanges: sampled,
  not_covered: without,
}: LiquidationsExchangeList): string {
  const recorded = `Recorded for ${duration(Date.now() - since)}.`;
  return `${recorded}${partly(sampled)} Without a public feed: ${without.join(', ')}.`;
}

const ranges = [
  ['1h', '1 hour'],
  ['4h', '4 hours'],
  ['12h', '12 hours'],
  ['24h', '24 hours'],
] as const;

export function exchangesPart(asked: Asked): Part {
  const range = keptChoice('Of', ranges, {
    name: 'range',
    usual: '24h',
    changed: () => part.again(),
  });
  const part = tablePart({
    title: `${asked.symbol || 'All coins'} by exchange`,
    about: coverage,
    name: 'liquidations-by-exchange',
    path: () => at('/v1/liquidations/exchange-list', { ...asked, range: range.get() }),
    every: 2_000,
    cadence: minute,
    isTall: true,
    controls: [range.node],
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
  return part;
}

const usd = (
  head: string,
  of: Column<LiquidationsCoinListItem>['of'],
  tone = '',
): Column<LiquidationsCoinListItem> => ({ head, of, as: compact, tone: () => tone });

export function coinsPart({ exchange }: Asked): Part {
  let largest = 0;
  return tablePart({
    title: '24 hours by coin',
    about: `Of ${exchange || 'all exchanges'}, US dollars`,
    name: 'liquidations-by-coin',
    path: at('/v1/liquidations/coin-list', { exchange, limit: 200 }),
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
        of: ({ symbol }) => symbol,
        link: ({ symbol }) => `#/liquidations?symbol=${encodeURIComponent(symbol)}`,
      },
      {
        ...usd('24 hours', (one) => one.liquidation_usd_24h),
        bar: (one) => one.liquidation_usd_24h / largest,
      },
      usd('Longs', (one) => one.long_24h_usd, 'down'),
      usd('Shorts', (one) => one.short_24h_usd, 'up'),
      usd('1 hour', (one) => one.liquidation_usd_1h),
      usd('4 hours', (one) => one.liquidation_usd_4h),
      usd('12 hours', (one) => one.liquidation_usd_12h),
      usd('Largest of the day', (one) => one.largest_order_usd_24h),
    ],
    none: 'Nothing is recorded yet.',
  });
}
