import t from 'tap';
import { isCrossed, spread } from '../../../indicators/order-book/spread.ts';

const at = (price: number) => ({ price });

t.test('spread in percent of the mid price', async (t) => {
  t.strictSame(spread(at(99), at(101)), { spread_pct: 2, mid_price: 100 });
  t.strictSame(spread(at(300), at(500)), { spread_pct: 50, mid_price: 400 });
});

t.test('neither where a side is empty or the book is crossed', async (t) => {
  const none = { spread_pct: null, mid_price: null };
  t.strictSame(spread(undefined, at(1)), none);
  t.strictSame(spread(at(1), undefined), none);
  t.strictSame(spread(at(2), at(1)), none);
  t.strictSame(spread(at(1), at(1)), none);
  t.same(
    [isCrossed(undefined, at(1)), isCrossed(at(1), at(2)), isCrossed(at(2), at(2))],
    [false, false, true],
  );
});
