import t, { type Test } from 'tap';
import { kraken } from '../../../../actors/venues/kraken/index.ts';
import { hyperliquidRoutes } from '../../../../http/routes/analytics/hyperliquid.ts';
import { krakenRoutes } from '../../../../http/routes/analytics/kraken.ts';
import { Snapshot } from '../../../../http/snapshots.ts';
import { PerpetualsView } from '../../../../http/views/perpetuals.ts';
import { contextOf, fixture, pricesOf, received } from '../../../actors/venues/fixtures.ts';
import { FakeClock } from '../../../support/clock.ts';
import { call, startServer } from '../../../support/http.ts';
import { noMarkets } from '../../../support/market-names.ts';
import { askRow, fresh, frontQueries, queryBus } from '../../../support/queries.ts';

const now = received;
const context = contextOf(kraken, 'futures');
const bodies = [fixture(kraken, 'futures-prices')];

/** The rows over a view that has read Kraken's fixtures, or nothing. */
async function setUp(t: Test, { empty = false } = {}) {
  const perpetuals = new PerpetualsView({ rates: () => new Map([['USD', 1]]) });
  const reading = <Row>(rows: readonly Row[]) => ({
    ...{ source: 'kraken', part: 'futures', asked: now, received: now, rows: [...rows] },
  });
  if (!empty) {
    const { derivatives, openInterest } = kraken.feeds;
    const marks = derivatives.parts.futures.parse(bodies, context).rows;
    const interests = openInterest.parts.futures.parse(bodies, context).rows;
    perpetuals.accept('derivatives', reading(marks), now);
    perpetuals.accept('openInterest', reading(interests), now);
    perpetuals.accept('prices', reading(pricesOf(kraken, 'futures').rows), now);
    perpetuals.accept('instruments', reading([...context.instruments.values()]), now);
  }
  const server = await startServer(krakenRoutes({ perpetuals, markets: noMarkets() }));
  t.teardown(server.end);
  return async (path: string) => {
    const { status, text } = await call(`${server.url}/v1/analytics/kraken/${path}`);
    return { ...JSON.parse(text), status };
  };
}

t.test('open interest: contracts of one USD and of one base unit', async (t) => {
  const get = await setUp(t);
  const { data } = await get('open-interest');
  t.match(data, { exchange: 'kraken', updated_at: now });
  const values = data.items.map((item: { open_interest_usd: number }) => item.open_interest_usd);
  t.strictSame(
    values,
    values.toSorted((a: number, b: number) => b - a),
    'largest first',
  );
  const sum = values.reduce((total: number, value: number) => total + value, 0);
  t.ok(Math.abs(data.total_open_interest_usd - sum) < 1e-3);
  const btc = await get('open-interest?symbol=btc');
  t.match(
    btc.data.items.find(({ contract }: { contract: string }) => contract === 'PI_XBTUSD'),
    {
      ...{ symbol: 'BTC', margin_type: 'inverse', kind: 'perpetual' },
      ...{ open_interest_base: 200, open_interest_usd: 20_000_000, volume_24h_usd: 5_000_000 },
    },
  );
  t.match(
    btc.data.items.find(({ contract }: { contract: string }) => contract === 'PF_XBTUSD'),
    { margin_type: 'linear', volume_24h_usd: 150_000_000.5 },
  );
});

t.test('funding: an amount a contract and hour becomes a fraction', async (t) => {
  const get = await setUp(t);
  const { data } = await get('funding-rates?symbol=BTC');
  t.equal(data.count, 2);
  const of = (id: string) =>
    data.items.find(({ contract }: { contract: string }) => contract === id);
  // 1.5e-10 and 1e-10 BTC of one USD, at 100,000 USD.
  t.match(of('PI_XBTUSD'), {
    ...{ symbol: 'BTC', funding_rate_1h: 0.000015, funding_rate_8h: 0.00012 },
    ...{ predicted_rate_1h: 0.00001, predicted_rate_8h: 0.00008 },
    ...{ mark_price: 100_000, index_price: 99_990.5 },
    next_funding_time: Date.parse('2025-06-15T16:00:00Z'),
  });
  // 0.5 USD of one BTC.
  const linear = of('PF_XBTUSD');
  t.ok(Math.abs(linear.predicted_rate_1h * linear.mark_price - 0.5) < 1e-9);
});

t.test('mark prices', async (t) => {
  const get = await setUp(t);
  const { data } = await get('mark-prices?symbol=BTC');
  const [inverse] = data.items;
  t.match(inverse, { contract: 'PI_XBTUSD', mark_price: 100_000, last_price: 100_000 });
  t.ok(Math.abs(inverse.premium_percent - (100_000 / 99_990.5 - 1) * 100) < 1e-9);
});

t.test('unknown names are refused', async (t) => {
  const [get, empty] = [await setUp(t), await setUp(t, { empty: true })];
  for (const path of ['open-interest', 'funding-rates', 'mark-prices']) {
    const unknown = await get(`${path}?symbol=ZZZ`);
    t.strictSame([unknown.status, unknown.message], [404, "unknown symbol 'ZZZ' for kraken"], path);
    t.equal((await get(`${path}?symbol=b%20c`)).status, 400);
    t.equal((await empty(path)).status, 502, 'nothing was received');
  }
});

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
    price_change_24h_basis: 'market',
    ...{ total_open_interest_usd: 60, total_volume_24h_usd: 15 },
    assets_at_oi_cap: ['B', 'other'],
    liquidity_vault: { address: '0x1' },
    assets: [
      { symbol: 'B', open_interest_usd: 30, funding_rate_8h: 0.0008 },
      { symbol: 'C', maintenance_margin_rate: 0.025 },
    ],
  });
});
