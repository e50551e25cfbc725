/** Trades folded by minute while connections are lost, against all trades that there were. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import {
  type FoldedMinute,
  type Trade,
  TradeFold,
} from '../../../indicators/derivatives/trade-fold.ts';
import { property } from '../../support/property.ts';

const minute = 60_000;
const start = 1_790_000_040_000;

/** Time goes on, then there is a trade (and two before it are sent again), or the connection ends, or begins with the last two. */
interface Step {
  wait: number;
  does: 'trade' | 'trade again' | 'end' | 'begin';
  price: number;
  eighths: number;
  bought: boolean;
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    wait: fc.oneof(fc.nat(9_000), fc.nat(9_000), fc.nat(150_000)),
    does: fc.oneof(
      { weight: 9, arbitrary: fc.constant('trade' as const) },
      {
        weight: 2,
        arbitrary: fc.constantFrom('trade again' as const, 'end' as const, 'begin' as const),
      },
    ),
    price: fc.oneof(fc.integer({ min: 995, max: 1_005 }), fc.integer({ min: 500, max: 2_000 })),
    eighths: fc.integer({ min: 1, max: 80 }),
    bought: fc.boolean(),
  }),
  { maxLength: 80, size: 'max' },
);

/** How many of the newest trades are sent. */
const repeating = { trade: 1, 'trade again': 3, end: 0, begin: 2 };
const once = { trade: 1, 'trade again': 1, end: 0, begin: 0 };

/**
 * Plays the steps; gives all trades that there were and the minutes that were handed over. Without numbers no trade is sent
 * again, as the sink sees to.
 */
function play(steps: readonly Step[], isNumbered = true) {
  const fold = new TradeFold();
  const trades: Trade[] = [];
  const minutes: FoldedMinute[] = [];
  let [now, isOpen] = [start, true];
  const tick = () => minutes.push(...fold.close(Math.floor(now / minute) * minute));
  const trade = ({ price, eighths, bought }: Step) => {
    const about = { market: 'A', id: trades.length + 1, timestamp: now };
    trades.push({ ...about, price, quantity: eighths / 8, bought });
  };
  const take = (count: number) => {
    for (const one of trades.slice(trades.length - count))
      fold.take(isNumbered ? one : { ...one, id: null });
  };
  for (const step of steps) {
    now += step.wait;
    tick();
    if (step.does === 'begin') isOpen = true;
    if (step.does === 'end') {
      isOpen = false;
      fold.lost();
    }
    if (step.does.startsWith('trade')) trade(step);
    if (isOpen) take(Math.min(trades.length, (isNumbered ? repeating : once)[step.does]));
  }
  now += minute;
  tick();
  return { trades, minutes, now };
}

const sumOf = (trades: readonly Trade[], of: (trade: Trade) => number): number =>
  trades.reduce((sum, trade) => sum + of(trade), 0);

/** A minute against all trades in it: none is missing. */
function compare(found: FoldedMinute, trades: readonly Trade[]): void {
  const end = found.timestamp + minute;
  const inside = trades.filter(({ timestamp: at }) => at >= found.timestamp && at < end);
  const before = trades.findLast(({ timestamp }) => timestamp < found.timestamp)?.price;
  const prices = inside.length > 0 ? inside.map(({ price }) => price) : [before ?? Number.NaN];
  const { open, high, low, close, buckets, step, first } = found;
  const wanted = [prices[0], Math.max(...prices), Math.min(...prices), prices.at(-1)];
  assert.deepEqual([open, high, low, close], wanted);
  assert.ok(buckets.length <= 16);
  const total = (key: 'buy_base' | 'sell_base' | 'buy_usd' | 'sell_usd') =>
    buckets.reduce((sum, bucket) => sum + bucket[key], 0);
  const [buys, sells] = [inside.filter((one) => one.bought), inside.filter((one) => !one.bought)];
  assert.deepEqual(
    [total('buy_base'), total('sell_base'), total('buy_usd'), total('sell_usd')],
    [
      sumOf(buys, ({ quantity }) => quantity),
      sumOf(sells, ({ quantity }) => quantity),
      sumOf(buys, ({ quantity, price }) => quantity * price),
      sumOf(sells, ({ quantity, price }) => quantity * price),
    ],
  );
  if (inside.length === 0) return;
  const ends = [first * step, (first + buckets.length) * step];
  assert.ok((ends[0] ?? 0) <= low * (1 + 1e-9) && (ends[1] ?? 0) >= high * (1 - 1e-9));
}

t.test('a minute that is handed over holds every trade of it', async (t) => {
  for (const isNumbered of [true, false]) {
    let handed = 0;
    await property(t, steps, (steps) => {
      const { trades, minutes } = play(steps, isNumbered);
      for (const one of minutes) compare(one, trades);
      const times = minutes.map(({ timestamp }) => timestamp);
      assert.deepEqual(
        times,
        [...new Set(times)].sort((a, b) => a - b),
      );
      handed += minutes.length;
    });
    t.ok(handed > 300, `${handed} minutes`);
  }
});

t.test('without a loss every minute after that of the first trade is handed over', async (t) => {
  // At the end a trade shows that the pause before it was one of the market; within an hour.
  const last = { wait: minute, does: 'trade', price: 1_000, eighths: 1, bought: true } as const;
  const connected = steps.map((all) => [
    ...all
      .filter(({ does }) => does !== 'end')
      .map((step) => ({ ...step, wait: Math.min(step.wait, 40_000) })),
    last,
  ]);
  await property(t, connected, (steps) => {
    const { trades, minutes, now } = play(steps, steps.length % 2 === 0);
    const [first] = trades;
    if (!first) return;
    const from = Math.floor(first.timestamp / minute) + 1;
    const wanted = Math.max(0, Math.floor(now / minute) - from);
    // The minute of the last trade itself may not be known to have ended.
    assert.ok(minutes.length >= wanted - 1 && minutes.length <= wanted);
    if (minutes.length > 0)
      assert.equal(minutes[0]?.timestamp, wanted > 0 ? from * minute : undefined);
  });
});
