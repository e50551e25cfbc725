/** Candles of any length, made of those of a minute, against what the trades themselves make. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import {
  aggregate,
  type Bar,
  type Candle,
  endOf,
  openOf,
  scaled,
  tidy,
} from '../../../indicators/market/candles.ts';
import type { Interval } from '../../../indicators/market/intervals.ts';
import { property } from '../../support/property.ts';

const [minute, day] = [60_000, 86_400_000];
const start = Date.UTC(2024, 1, 27, 22, 0);

/** Prices are whole and quantities eighths, so that all sums are exact. */
interface Trade {
  at: number;
  price: number;
  quantity: number;
}
const trades: fc.Arbitrary<Trade[]> = fc
  .tuple(
    fc.integer({ min: 0, max: 180 * minute }),
    fc.array(
      fc.record({
        pause: fc.oneof(fc.nat(20_000), fc.nat(10 * minute), fc.nat(day)),
        price: fc.integer({ min: 900, max: 1_100 }),
        eighths: fc.integer({ min: 1, max: 80 }),
      }),
      { maxLength: 60, size: 'max' },
    ),
  )
  .map(([from, all]) => {
    let at = start + from;
    return all.map(({ pause, price, eighths }) => {
      at += pause;
      return { at, price, quantity: eighths / 8 };
    });
  });

/** Where the interval of a time begins, by the calendar. */
function begins(at: number, interval: Interval): number {
  const date = new Date(at);
  if (interval === '1M') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const midnight = date.setUTCHours(0, 0, 0, 0);
  if (interval === '1w') return midnight - ((date.getUTCDay() + 6) % 7) * day;
  const lengths: Partial<Record<Interval, number>> = {
    '1m': minute,
    '5m': 5 * minute,
    '1h': 60 * minute,
    '4h': 240 * minute,
    '1d': day,
  };
  const length = lengths[interval] ?? day;
  return midnight + Math.floor((at - midnight) / length) * length;
}

/** The slow model: the trades of each interval, added up. */
function folded(trades: readonly Trade[], interval: Interval): Bar[] {
  const groups = new Map<number, Trade[]>();
  for (const trade of trades) {
    const from = begins(trade.at, interval);
    groups.set(from, [...(groups.get(from) ?? []), trade]);
  }
  return [...groups].map(([timestamp, all]) => {
    const prices = all.map(({ price }) => price);
    return {
      timestamp,
      open: prices[0] ?? 0,
      high: Math.max(...prices),
      low: Math.min(...prices),
      close: prices.at(-1) ?? 0,
      volume: all.reduce((sum, { quantity }) => sum + quantity, 0),
      turnover: all.reduce((sum, { price, quantity }) => sum + price * quantity, 0),
    };
  });
}

const longer = fc.constantFrom<Interval>('5m', '1h', '4h', '1d', '1w', '1M');
const barOf = ({ closed: _, ...bar }: Candle): Bar => bar;
const minutesOf = (trades: readonly Trade[], now: number) =>
  tidy(folded(trades, '1m'), { interval: '1m', now }).candles;

t.test(
  'minutes make the candles that the trades make, but for a first one that is cut',
  async (t) => {
    await property(t, fc.tuple(trades, longer, fc.nat(day)), ([trades, to, later]) => {
      const last = trades.at(-1)?.at ?? start;
      const now = last + later;
      const found = aggregate(minutesOf(trades, now), { from: '1m', to, now });
      const wanted = folded(trades, to);
      const [first] = trades;
      const isCut = first !== undefined && begins(first.at, to) !== begins(first.at, '1m');
      assert.deepEqual(found.map(barOf), wanted.slice(isCut ? 1 : 0));
      for (const { timestamp, closed } of found) {
        assert.equal(closed, endOf(timestamp, to) <= now);
        assert.equal(openOf(timestamp, to), timestamp);
        assert.ok(
          endOf(timestamp, to) > timestamp && openOf(endOf(timestamp, to) - 1, to) === timestamp,
        );
      }
    });
  },
);

t.test('rows in any order, repeated, are the same candles', async (t) => {
  await property(t, fc.tuple(trades, fc.infiniteStream(fc.nat())), ([trades, draws]) => {
    const bars = folded(trades, '1m');
    const now = (trades.at(-1)?.at ?? start) + minute;
    const keyed = [...bars, ...bars].map((bar) => ({ bar, key: Number(draws.next().value) }));
    const mixed = keyed.sort((a, b) => a.key - b.key).map(({ bar }) => bar);
    const { candles, bad } = tidy(mixed, { interval: '1m', now });
    assert.deepEqual([candles.map(barOf), bad], [bars, 0]);
  });
});

t.test('a lot of coins is scaled before or after it is added up', async (t) => {
  await property(t, fc.tuple(trades, longer, fc.constantFrom(1, 1_000)), ([trades, to, scale]) => {
    const now = (trades.at(-1)?.at ?? start) + minute;
    const ask = { from: '1m', to, now } as const;
    const minutes = minutesOf(trades, now);
    const before = minutes.map((one) => ({ ...scaled(one, scale), closed: one.closed }));
    const after = aggregate(minutes, ask).map((one) => scaled(barOf(one), scale));
    assert.deepEqual(aggregate(before, ask).map(barOf), after);
  });
});
