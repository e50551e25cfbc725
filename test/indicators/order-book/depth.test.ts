import t from 'tap';
import { valueNear } from '../../../indicators/order-book/depth.ts';

const level = (price: number, quantity: number) => ({ price, quantity });

t.test('what lies within a share of the mid price', async (t) => {
  const bids = [level(99, 1), level(90, 1)];
  const asks = [level(101, 2), level(110, 1)];
  t.strictSame(valueNear({ bids, asks }, 0.02), { bidsNear: 99, asksNear: 202 });
  t.strictSame(valueNear({ bids, asks }, 0.1), { bidsNear: 189, asksNear: 312 });
  t.strictSame(valueNear({ bids, asks: [] }, 0.02), { bidsNear: 0, asksNear: 0 });
  t.strictSame(
    valueNear({ bids: asks, asks: bids }, 0.02),
    { bidsNear: 0, asksNear: 0 },
    'crossed',
  );
});

t.test('a level at the very border is within it, in decimals too', async (t) => {
  const wrong: string[] = [];
  for (const places of [0, 1, 2, 4, 8])
    for (let mid = 20; mid <= 2_000; mid += 20) {
      const at = (ticks: number) => level(Number(`${ticks}e-${places}`), 1);
      const bids = [mid - 1, mid * 0.95, mid * 0.95 - 1].map(at);
      const asks = [mid + 1, mid * 1.05, mid * 1.05 + 1].map(at);
      const near = valueNear({ bids, asks }, 0.05);
      const wanted = [bids, asks].map(([best, last]) => (best?.price ?? 0) + (last?.price ?? 0));
      if (near.bidsNear !== wanted[0] || near.asksNear !== wanted[1])
        wrong.push(`${mid}, ${places}`);
    }
  t.strictSame(wrong, []);
});
