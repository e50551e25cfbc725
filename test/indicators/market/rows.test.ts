import t from 'tap';
import { changeOfParts, sumOfWindow } from '../../../indicators/market/recorded.ts';
import { borrowOf, coinOf, globalOf } from '../../../indicators/market/rows.ts';

t.test('rows of which a fact is missing or impossible are left out', async (t) => {
  const market = { eth_dominance_pct: null, total_volume_24h_usd: null, stated: null };
  const whole = { ...market, dominance_pct: 50, total_market_cap_usd: 1 };
  const shares = [0.1, 99.9, 0, 100].map((dominance_pct) => ({ ...whole, dominance_pct }));
  const totals = [0, Infinity].map((total_market_cap_usd) => ({ ...whole, total_market_cap_usd }));
  t.same([...shares, ...totals].map(globalOf), [shares[0], shares[1], null, null, null, null]);

  const coin = { id: 'a', symbol: 'A', name: 'A', rank: 1, price_usd: 1, market_cap_usd: 1 };
  t.same(coinOf(coin), coin);
  const gone = [{ id: '' }, { symbol: '' }, { rank: 0 }, { price_usd: 0 }, { market_cap_usd: 0 }];
  for (const fact of gone) t.equal(coinOf({ ...coin, ...fact }), null, JSON.stringify(fact));

  const loan = { asset: 'A', hourly_rate: 0, borrow_limit: 0, stated: null };
  t.same(borrowOf(loan), loan);
  t.match(
    [borrowOf({ ...loan, borrow_limit: -1 }), borrowOf({ ...loan, borrow_limit: null })],
    [...[{ borrow_limit: null }, { borrow_limit: null }]],
  );
  for (const fact of [{ asset: '' }, { hourly_rate: -1e-9 }, { hourly_rate: Infinity }])
    t.equal(borrowOf({ ...loan, ...fact }), null, JSON.stringify(fact));
});

t.test('what is recorded of parts, and of a window', async (t) => {
  const change = (now: (number | null)[], then: (number | null)[]) => changeOfParts(now, then);
  t.ok(Math.abs((change([110, 50], [100, null]) ?? 0) - 10) < 1e-9);
  t.equal(change([50, 50, null], [40, null, 9]), 25, 'half of the sum is known');
  t.equal(change([49, 51], [40, null]), null);
  t.equal(change([], []), null);
  t.equal(change([0.1, 0.2, 0.3], [0.3, 0.2, 0.1]), 0, 'sums that are equal but for rounding');
  t.equal(change([0.1, 0.2, 0.3], [null, null, 0.15]), 100, 'half of 0.6000000000000001');
  const window = (known: number) => Array.from({ length: 20 }, (_, i) => (i < known ? 2 : null));
  t.same(
    [20, 19, 18].map((known) => sumOfWindow(window(known))),
    [40, 38, null],
  );
  t.equal(sumOfWindow([]), null);
});
