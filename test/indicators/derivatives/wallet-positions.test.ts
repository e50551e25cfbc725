import t from 'tap';
import {
  changesBetween,
  coveredBy,
  groupedWallets,
  type HeldPosition,
  type LiquidablePosition,
  liquidationLevels,
} from '../../../indicators/derivatives/wallet-positions.ts';

const held = (more: Partial<HeldPosition> = {}): HeldPosition => ({
  address: 'a',
  contract: 'BTC',
  side: 'long',
  quantity_base: 2,
  value_usd: 200,
  unrealized_pnl_usd: 10,
  ...more,
});

t.test('what was opened and closed', async (t) => {
  const before = [held(), held({ contract: 'ETH', value_usd: 50 }), held({ contract: 'SOL' })];
  const now = [
    held({ side: 'short', value_usd: 300 }),
    held({ contract: 'SOL', quantity_base: 9 }),
  ];
  const { opened, closed } = changesBetween(before, now, 100);
  t.match(opened, [{ contract: 'BTC', side: 'short' }], 'a turn is an open and a close');
  t.match(closed, [{ contract: 'BTC', side: 'long' }], 'ETH was too small');
  t.strictSame(changesBetween([], [held()], 201), { opened: [], closed: [] });
});

t.test('how much of the open interest they are', async (t) => {
  const interest = new Map([
    ['BTC', { units: 10, price: 100 }],
    ['ETH', { units: 100, price: 10 }],
  ]);
  const positions = [held(), held({ side: 'short', quantity_base: 5 }), held({ contract: 'NEW' })];
  // Longs 200 of 2,000; shorts 500 of it.
  t.strictSame(coveredBy(positions, interest), { long: 0.1, short: 0.25 });
  t.strictSame(coveredBy(positions, new Map()), { long: null, short: null });
});

t.test('sums that are a bound but for rounding reach it, and no profit is none', async (t) => {
  const sized = [100.1, 49.8, 100.1].map((value_usd) => held({ value_usd }));
  const profits = [0.1, 0.2, -0.3].map((unrealized_pnl_usd) => held({ unrealized_pnl_usd }));
  const group = (positions: HeldPosition[], by: 'value' | 'profit') =>
    groupedWallets(positions, by).find(({ wallets }) => wallets > 0);
  t.match(group(sized, 'value'), { from: 250 });
  for (const order of [profits, profits.toReversed()])
    t.match(group(order, 'profit'), { from: 0, profitable: 0 });
});

t.test('wallets by size and by profit', async (t) => {
  const positions = [
    held({ value_usd: 249 }),
    held({ address: 'b', value_usd: 250, unrealized_pnl_usd: -1_000 }),
    held({ address: 'b', side: 'short', value_usd: 9_750, unrealized_pnl_usd: -1 }),
  ];
  const bySize = groupedWallets(positions, 'value').filter(({ wallets }) => wallets > 0);
  t.strictSame(bySize, [
    { from: 0, wallets: 1, long_usd: 249, short_usd: 0, profitable: 1 },
    { from: 10_000, wallets: 1, long_usd: 250, short_usd: 9_750, profitable: 0 },
  ]);
  const byProfit = groupedWallets(positions, 'profit').filter(({ wallets }) => wallets > 0);
  t.strictSame(
    byProfit.map(({ from, long_usd }) => [from, long_usd]),
    [
      [-10_000, 250],
      [0, 249],
    ],
    'a loss of 1,001 is below -1,000',
  );
});

t.test('levels of liquidation prices', async (t) => {
  const at = (liquidation_price: number | null, more: Partial<LiquidablePosition> = {}) => ({
    updated_at: 1,
    ...held(),
    ...more,
    liquidation_price,
  });
  // All are worth 100 a unit; a level is 0.25 wide.
  const levels = liquidationLevels([
    at(90.1),
    at(90.2, { address: 'b' }),
    at(95),
    at(110, { side: 'short' }),
    at(120, { side: 'short', quantity_base: 1, value_usd: 100 }),
    at(74),
    at(null),
  ]);
  t.strictSame(levels, [
    { price: 90, side: 'long', value_usd: 400, wallets: 2, cumulative_usd: 600 },
    { price: 95, side: 'long', value_usd: 200, wallets: 1, cumulative_usd: 200 },
    { price: 110, side: 'short', value_usd: 200, wallets: 1, cumulative_usd: 200 },
    { price: 120, side: 'short', value_usd: 100, wallets: 1, cumulative_usd: 300 },
  ]);
  t.strictSame(liquidationLevels([]), []);
  // Levels of 0.00075: each begins at its own border, the first a quarter below the price.
  const cents = { quantity_base: 10, value_usd: 3 };
  const borders = Array.from({ length: 100 }, (_, i) => 300 + i);
  const found = liquidationLevels(
    borders.map((one) => at(Number(((one * 0.3) / 400).toFixed(8)), cents)),
  );
  t.strictSame(
    found.map(({ price }) => Math.round((price * 400) / 0.3)),
    borders,
  );
  // The price has fallen to 90 since the first was looked at, which has been liquidated meanwhile.
  const fallen = { quantity_base: 1, value_usd: 90, updated_at: 2 };
  t.strictSame(
    liquidationLevels([at(95), at(91, { side: 'short' }), at(80.5, { ...fallen, address: 'b' })]),
    [
      { price: 80.325, side: 'long', value_usd: 90, wallets: 1, cumulative_usd: 90 },
      { price: 90.9, side: 'short', value_usd: 200, wallets: 1, cumulative_usd: 200 },
    ],
  );
});
