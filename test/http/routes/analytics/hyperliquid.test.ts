import t from 'tap';
import { hyperliquidRoutes } from '../../../../http/routes/analytics/hyperliquid.ts';
import { Snapshot } from '../../../../http/snapshots.ts';
import { FakeClock } from '../../../support/clock.ts';
import { askRow, fresh, frontQueries, queryBus } from '../../../support/queries.ts';

/** A perpetual of 10 units at a price. */
const perpetual = (symbol: string, mark: number) => ({
  ...{ contract: `k${symbol}`, symbol, mark, index: mark, last: mark, units: 10 },
  ...{ value: 10 * mark, volume: 5, rate: 0.0001, premium: null, change: null },
  ...{ max_leverage: 20, isolated_only: false },
});

t.test('the clearinghouse: the largest open interest first, sums over all', async (t) => {
  const clock = new FakeClock();
  const rows = [
    perpetual('A', 1),
    // Valued with an older mark price.
    { ...perpetual('B', 3), value: 29 },
    perpetual('C', 2),
    { ...perpetual('D', 9), units: null },
  ];
  const perpetuals = { of: () => ({ rows, newest: 7 }) };
  const bus = queryBus(() => fresh({ capped: ['kB', 'other'], vault: { address: '0x1' } }, clock));
  const row = hyperliquidRoutes({ perpetuals } as never).find(({ path }) =>
    path.endsWith('/clearinghouse'),
  );
  if (!row) throw new Error('there is no row');
  const answer = await askRow(row, { limit: 2 }, frontQueries(bus, clock));
  if (!(answer instanceof Snapshot)) throw new Error('there is no answer');
  t.match(JSON.parse(answer.at(clock.now()).toString()).data, {
    ...{ exchange: 'hyperliquid', updated_at: 7, asset_count: 3 },
    ...{ total_open_interest_usd: 60, total_volume_24h_usd: 15 },
    assets_at_oi_cap: ['B', 'other'],
    liquidity_vault: { address: '0x1' },
    assets: [
      { symbol: 'B', open_interest_usd: 30, funding_rate_8h: 0.0008 },
      { symbol: 'C', maintenance_margin_rate: 0.025 },
    ],
  });
});
