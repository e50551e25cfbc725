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
