/** Depth and slippage of small books by hand, and their orders on all. */
import fc from 'fast-check';
import t from 'tap';
import {
  depthDistances,
  liquidityOf,
  slippageOf,
} from '../../../indicators/order-book/liquidity.ts';

const level = (price: number, quantity: number) => ({ price, quantity });
const book = {
  bids: [level(99.95, 30), level(99.6, 200), level(98.9, 500), level(94.8, 3_000)],
  asks: [level(100.05, 20), level(100.4, 150), level(101.2, 700), level(105.3, 9_000)],
};

t.test('depth of each side by distance from a mid price of 100', async (t) => {
  const found = liquidityOf(book, { dollars: 1, isWhole: false });
  t.equal(found?.mid_price, 100);
  t.ok(Math.abs((found?.spread_percent ?? 0) - 0.1) < 1e-9);
  const bids = [30 * 99.95, 30 * 99.95 + 200 * 99.6, 22_918.5, 22_918.5 + 500 * 98.9];
  const asks = [20 * 100.05, 17_061, 17_061, 17_061 + 700 * 101.2];
  for (const [i, { bid_usd, ask_usd }] of (found?.depth ?? []).slice(0, 4).entries()) {
    t.ok(Math.abs((bid_usd ?? 0) - (bids[i] ?? 0)) < 1e-6, `${depthDistances[i]} %: ${bid_usd}`);
    t.ok(Math.abs((ask_usd ?? 0) - (asks[i] ?? 0)) < 1e-6, `${depthDistances[i]} %: ${ask_usd}`);
  }
});

t.test(
  'a book that ends before a distance says nothing about it, unless it is whole',
  async (t) => {
    const short = { bids: book.bids.slice(0, 3), asks: book.asks };
    const known = liquidityOf(short, { dollars: 1, isWhole: false })?.depth;
    t.strictSame(
      known?.map(({ bid_usd }) => bid_usd === null),
      [false, false, false, true, true],
    );
    const ends = {
      bids: [level(99.99, 1), level(99.9, 1)],
      asks: [level(100.01, 1), level(100.1, 1)],
    };
    const [first] = liquidityOf(ends, { dollars: 1, isWhole: false })?.depth ?? [];
    t.strictSame(first, { bid_usd: 199.89, ask_usd: 200.11 }, 'it ends at the distance');
    const whole = liquidityOf(short, { dollars: 1, isWhole: true })?.depth;
    t.equal(whole?.[4]?.bid_usd, whole?.[3]?.bid_usd);
  },
);

t.test('slippage: the mean price of an order against the mid', async (t) => {
  t.ok(Math.abs((slippageOf([level(101, 1), level(103, 1)], 100, 204) ?? 0) - 0.02) < 1e-12);
  t.ok(Math.abs((slippageOf([level(99, 1), level(97, 1)], 100, 196) ?? 0) - 0.02) < 1e-12);
  t.equal(slippageOf([level(101, 1)], 100, 101.1), null, 'too thin');
  t.ok(Math.abs((slippageOf([level(101, 1)], 100, 101) ?? 0) - 0.01) < 1e-12, 'the whole level');
});

t.test('a quote that is not worth a dollar', async (t) => {
  const [one, euro] = [1, 1.25].map((dollars) => liquidityOf(book, { dollars, isWhole: false }));
  t.equal(euro?.mid_price, 125);
  t.equal(euro?.depth[1]?.bid_usd, (one?.depth[1]?.bid_usd ?? 0) * 1.25);
  // 1,000 dollars are 800 euros: within the best ask.
  t.ok(Math.abs((euro?.slippage[0]?.buy ?? 0) - 0.0005) < 1e-12);
});

t.test('an empty or crossed book has no liquidity', async (t) => {
  t.equal(liquidityOf({ bids: [], asks: book.asks }, { dollars: 1, isWhole: true }), null);
  t.equal(liquidityOf({ bids: book.asks, asks: book.bids }, { dollars: 1, isWhole: true }), null);
});

t.test('deeper is more, larger is dearer', async () => {
  const side = fc.array(
    fc.record({
      step: fc.double({ min: 1e-4, max: 2, noNaN: true }),
      quantity: fc.double({ min: 0.01, max: 1e4, noNaN: true }),
    }),
    { minLength: 1, maxLength: 40 },
  );
  const ladder = (steps: readonly { step: number; quantity: number }[], sign: number) => {
    let price = 100;
    const levels = steps.map(({ step, quantity }) => {
      price += sign * step;
      return level(price, quantity);
    });
    return levels.filter(({ price }) => price > 0);
  };
  const rises = (values: readonly (number | null | undefined)[]) =>
    values.every((value, i) => {
      const before = i === 0 ? null : values[i - 1];
      if (i > 0 && before === null) return value === null;
      return value == null || before == null || value >= before - 1e-12;
    });
  fc.assert(
    fc.property(side, side, (below, above) => {
      const found = liquidityOf(
        { bids: ladder(below, -1), asks: ladder(above, 1) },
        { dollars: 1, isWhole: false },
      );
      return (
        found === null ||
        (rises(found.depth.map(({ bid_usd }) => bid_usd)) &&
          rises(found.depth.map(({ ask_usd }) => ask_usd)) &&
          rises(found.slippage.map(({ buy }) => buy)) &&
          rises(found.slippage.map(({ sell }) => sell)))
      );
    }),
  );
});
