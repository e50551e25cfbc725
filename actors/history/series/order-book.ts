import { type Band, bandRanges, sumOfBands } from '../../../indicators/order-book/bands.ts';
import { type Buckets, bucketForm, mergeBuckets } from '../../../indicators/order-book/buckets.ts';
import {
  depthDistances,
  type Liquidity,
  orderSizes,
} from '../../../indicators/order-book/liquidity.ts';
import type { MarketState } from '../../state/market-state.ts';
import { aggregated, type BookSample, recordedKey, topics } from '../../topics/index.ts';
import { defineSeries, last } from '../define.ts';

const maxAge = topics.orderBooks.maxAge;

type Sample = Pick<BookSample, 'mid' | 'bands' | 'bids' | 'asks'> & { exchanges: number };

/** All exchanges as one; null of none. */
function together(samples: readonly BookSample[]): Sample | null {
  const buckets: Buckets | null = mergeBuckets(samples);
  const bands = sumOfBands(samples.map((one) => one.bands));
  return buckets && { ...buckets, bands, exchanges: samples.length };
}

/** The young samples with their exchange and kind. */
const youngOf = (market: MarketState, now: number) =>
  [...market.bySource('orderBooks').values()]
    .flat()
    .flatMap(({ source, part, rows }) =>
      rows.flatMap((row) => (now - row.received > maxAge ? [] : [{ source, part, row }])),
    );

/** The newest samples by key: of each exchange, and of all together. */
function samplesOf(market: MarketState, now: number): Map<string, Sample> {
  const young = youngOf(market, now);
  const found = new Map<string, Sample>(
    young.map(({ source, part, row }) => [
      recordedKey(source, part, row.symbol),
      { ...row, exchanges: 1 },
    ]),
  );
  const byAsset = Map.groupBy(young, ({ part, row }) => recordedKey(aggregated, part, row.symbol));
  for (const [key, samples] of byAsset) {
    const sample = together(samples.map(({ row }) => row));
    if (sample) found.set(key, sample);
  }
  return found;
}

const fields = ['bids_usd', 'asks_usd', 'bids_base', 'asks_base'] as const;

/** A value for each column of the bands. */
const byBand = <T>(of: (at: number, field: keyof Band) => T) =>
  bandRanges.flatMap((range, at) =>
    fields.map((field): [`${keyof Band}_${number}`, T] => [
      `${field}_${range * 100}`,
      of(at, field),
    ]),
  );

/** A value for each column of the buckets. */
const byBucket = <T>(of: (side: 'bids' | 'asks', at: number) => T) =>
  Array.from({ length: bucketForm.perSide }, (_, at): [`${'bid' | 'ask'}_${number}`, T][] => [
    [`bid_${at}`, of('bids', at)],
    [`ask_${at}`, of('asks', at)],
  ]).flat();

/** The sums of the books of tracked assets within five shares of the mid price, at the end of each minute. */
export const orderBook = defineSeries({
  name: 'order-book',
  key: 'exchange/kind/asset',
  columns: {
    mid: last('quote'),
    exchanges: last('count'),
    ...Object.fromEntries(
      byBand((_, field) => last(field.endsWith('usd') ? 'US dollars' : 'base asset')),
    ),
  },
  tiers: [
    { step: '1m', keep: '48h' },
    { step: '1h', keep: '10y' },
  ],
  sample: (market, now) =>
    [...samplesOf(market, now)].map(([key, { mid, bands, exchanges }]) => ({
      key,
      values: {
        mid,
        exchanges,
        ...Object.fromEntries(byBand((at, field) => bands[at]?.[field] ?? null)),
      },
    })),
});

/** The books of tracked assets in a hundred buckets, at the end of each minute. */
export const orderBookLevels = defineSeries({
  name: 'order-book-levels',
  key: 'exchange/kind/asset',
  columns: { mid: last('quote'), ...Object.fromEntries(byBucket(() => last('US dollars'))) },
  tiers: [{ step: '1m', keep: '48h' }],
  sample: (market, now) =>
    [...samplesOf(market, now)].map(([key, sample]) => ({
      key,
      values: {
        mid: sample.mid,
        ...Object.fromEntries(byBucket((side, at) => sample[side][at] ?? null)),
      },
    })),
});

const depthName = <S extends string>(side: S, at: number) =>
  `${side}_${(depthDistances[at] ?? 0) * 100}` as const;
const sizeName = <S extends string>(side: S, at: number) =>
  `${side}_${orderSizes[at] ?? 0}` as const;

/** A value for each column of a liquidity. */
const liquidityValues = ({ spread_percent, depth, slippage }: Liquidity) => ({
  spread: spread_percent,
  ...Object.fromEntries(
    depth.flatMap(({ bid_usd, ask_usd }, at) => [
      [depthName('bid', at), bid_usd],
      [depthName('ask', at), ask_usd],
    ]),
  ),
  ...Object.fromEntries(
    slippage.flatMap(({ buy, sell }, at) => [
      [sizeName('buy', at), buy],
      [sizeName('sell', at), sell],
    ]),
  ),
});

const nothing: Liquidity = {
  mid_price: 0,
  spread_percent: 0,
  depth: depthDistances.map(() => ({ bid_usd: null, ask_usd: null })),
  slippage: orderSizes.map((usd) => ({ usd, buy: null, sell: null })),
};

const liquidityUnit = (name: string) => {
  if (name === 'spread') return 'percent';
  return name.startsWith('bid') || name.startsWith('ask') ? 'US dollars' : 'fraction';
};

/** Spread, depth and slippage of the books of tracked assets, at the end of each minute. */
export const liquidity = defineSeries({
  name: 'liquidity',
  key: 'exchange/kind/asset',
  columns: {
    spread: last('percent'),
    ...Object.fromEntries(
      Object.keys(liquidityValues(nothing)).map((name) => [name, last(liquidityUnit(name))]),
    ),
  },
  sample: (market, now) =>
    youngOf(market, now).flatMap(({ source, part, row }) =>
      row.liquidity === undefined
        ? []
        : [{ key: recordedKey(source, part, row.symbol), values: liquidityValues(row.liquidity) }],
    ),
});
