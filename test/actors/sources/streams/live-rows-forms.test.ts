import t from 'tap';
import { joined, liveForms } from '../../../../actors/sources/streams/live-rows.ts';
import type { DerivativeRow, OpenInterestRow, PriceRow } from '../../../../actors/topics/index.ts';

const about = { market: 'A', symbol: 'A', quote: 'USD' };
const price: PriceRow = {
  ...{ ...about, kind: 'spot', price: 10, bid: 9, ask: 11, high: 12, low: 8, base: 5, volume: 50 },
  ...{ change: 1, stated: 100, received: 90 },
};
const derivative: DerivativeRow = {
  ...{ ...about, mark: 10, index: 9, funding_rate: 0.01, funding_hours: 4, funding_rate_8h: 0.02 },
  ...{ next_funding: 500, stated: 100, received: 90, predicted_rate: 0.03, premium: 0.04 },
};
const interest: OpenInterestRow = {
  ...{ ...about, units: 5, value: 50, mark: 10, stated: 100, received: 90 },
};
/** What a stream that has only the value brings. */
const bare = {
  bid: null,
  ask: null,
  high: null,
  low: null,
  base: null,
  volume: null,
  change: null,
};

t.test('fields that a stream lacks stay as polled', (t) => {
  const { prices, derivatives, openInterest } = liveForms;
  const polled = { received: undefined, stated: 200 };
  t.strictSame(prices.merge(price, { ...price, ...bare, price: 9.5, stated: 200 }), {
    ...{ ...price, ...polled, price: 9.5 },
  });
  const other: PriceRow = {
    ...{ ...price, price: 20, bid: 19, ask: 21, high: 22, low: 18, base: 6, volume: 60 },
    ...{ change: 2, stated: 200 },
  };
  t.strictSame(prices.merge(price, other), { ...other, received: undefined });
  const { predicted_rate: _, premium: __, ...streamed } = derivative;
  const none = { mark: null, index: null, funding_rate: null, funding_hours: null };
  t.strictSame(
    derivatives.merge(derivative, { ...streamed, ...none, next_funding: null, stated: 200 }),
    { ...derivative, ...polled },
  );
  const rates = { mark: 20, index: 19, funding_rate: 0.05, funding_hours: 2, next_funding: 900 };
  const more = { predicted_rate: 0.06, premium: 0.07, stated: 200 };
  t.strictSame(derivatives.merge(derivative, { ...derivative, ...rates, ...more }), {
    ...{ ...derivative, ...rates, ...more, funding_rate_8h: 0.2, received: undefined },
  });
  for (const lacking of [{ funding_rate: null }, { funding_hours: null }]) {
    const row = { ...derivative, ...lacking };
    t.equal(derivatives.merge(row, row).funding_rate_8h, null);
  }
  const both = { units: null, mark: null, value: 70, stated: 200 };
  t.strictSame(openInterest.merge(interest, { ...interest, ...both }), {
    ...{ ...interest, ...polled, value: 70 },
  });
  const whole = { ...interest, units: 6, value: 120, mark: 20, stated: 200 };
  t.strictSame(openInterest.merge(interest, whole), { ...whole, received: undefined });
  t.end();
});

t.test('what is compared, for how long, and which rows are joined', (t) => {
  const { prices, derivatives, openInterest } = liveForms;
  t.strictSame(
    [prices, derivatives, openInterest].map(({ maxAge }) => maxAge),
    [...[300_000, 600_000, 600_000]],
  );
  t.strictSame([prices.value(price), openInterest.value(interest)], [10, 50]);
  const index = { ...derivative, mark: null };
  t.strictSame([derivative, index].map(derivatives.value), [10, 9]);
  const next = { ...price, ...bare, price: 9.5 };
  const join = joined(prices);
  t.equal(join(price, next).bid, 9);
  for (const [before, row] of [
    [{ ...price, doubt: 'value' }, next],
    [price, { ...next, doubt: 'unit' }],
  ] as const)
    t.equal(join(before, row), row, 'a row in doubt stays apart');
  t.end();
});
