/** Markets whose price stays away from that of the other exchanges leave their asset, and come back. */
import t from 'tap';
import { PriceWatch } from '../../../../actors/sources/quality/watch.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import { instrument, now, priceRow, reading } from '../../../support/makers.ts';

const minute = 60_000;

/** The exchange `x`, with prices of PUMP at others. */
function scene(others: readonly number[]) {
  const newest = new NewestRows();
  let away: readonly string[] = [];
  let hasChanged = false;
  const strays = new PriceWatch('x', {
    newest,
    elsewhere: () => [],
    onStray(_part, markets) {
      away = markets;
      hasChanged = true;
    },
  });
  const tell = (prices: readonly number[], received: number) => {
    for (const [i, price] of prices.entries())
      newest.accept(
        'prices',
        reading([priceRow({ symbol: 'PUMP', price })], { source: `other${i}`, received }),
      );
  };
  /** Minutes in which the price is seen once a minute; in which of them something changed. */
  const watch = (price: number, from: number, to: number, elsewhere = others) => {
    const changed: number[] = [];
    for (let at = from; at <= to; at += 1) {
      tell(elsewhere, now + at * minute);
      const symbol = away.includes('PUMPUSDT') ? 'PUMPX' : 'PUMP';
      strays.observe('spot', [priceRow({ symbol, market: 'PUMPUSDT', price })], now + at * minute);
      if (hasChanged) changed.push(at);
      hasChanged = false;
    }
    return changed;
  };
  return { newest, strays, watch, away: () => away };
}

const list = reading(
  [instrument({ symbol: 'PUMP', market: 'PUMPUSDT' }), instrument({ symbol: 'BTC' })],
  { source: 'x', part: 'spot' },
);

t.test('after an hour 40 % below the others a market has a symbol of its own', async (t) => {
  const { strays, watch, away } = scene([100, 101, 99]);
  t.strictSame(watch(60, 0, 59), []);
  t.equal(strays.apart(list), list);
  t.strictSame(watch(60, 60, 90), [60], 'once');
  t.strictSame(away(), ['PUMPUSDT']);
  t.match(strays.apart(list).rows, [
    { market: 'PUMPUSDT', symbol: 'PUMPX', left: 'PUMP' },
    { market: 'BTCUSDT', symbol: 'BTC', left: undefined },
  ]);
});

t.test('a minute within 30 % begins the hour anew, and so does a pause', async (t) => {
  const { watch } = scene([100, 101, 99]);
  t.strictSame([watch(60, 0, 50), watch(80, 51, 51), watch(60, 52, 111)], [[], [], []]);
  t.strictSame(watch(60, 112, 112), [112]);
  const paused = scene([100, 101, 99]);
  t.strictSame([paused.watch(200, 0, 30), paused.watch(200, 40, 99)], [[], []]);
});

t.test('it comes back after an hour at the price of its asset', async (t) => {
  const { strays, watch } = scene([100, 101, 99]);
  watch(1_000, 0, 60);
  t.strictSame([watch(95, 61, 120), watch(95, 121, 121)], [[], [121]]);
  t.equal(strays.apart(list), list);
});

t.test('where fewer than two others agree nobody leaves', async (t) => {
  for (const others of [[], [100], [100, 900], [100, 900, 9_000]])
    t.strictSame(scene(others).watch(5, 0, 120), [], `${others}`);
});

t.test('another process goes on from the published list', async (t) => {
  const { newest, strays, watch } = scene([100, 101, 99]);
  watch(60, 0, 60);
  newest.accept('instruments', strays.apart(list));
  const next = new PriceWatch('x', { newest, elsewhere: () => [], onStray() {} });
  t.equal(next.apart(list).rows[0]?.symbol, 'PUMPX');
});
