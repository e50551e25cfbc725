/** The numbers of an order book are computed again out of nothing but the JSON of their answer. */
import t from 'tap';
import { failed } from '../../../actors/failure.ts';
import { bookRoutes } from '../../../http/routes/books/index.ts';
import { FakeClock } from '../../support/clock.ts';
import { call, startServer } from '../../support/http.ts';
import { fresh, frontQueries, queryBus } from '../../support/queries.ts';
import { contextFor, now, views } from '../../support/route-stage.ts';

type Pair = [number, number];
const levels = (first: number, step: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({ price: first + i * step, quantity: 3 + (i % 4) }));
const book = {
  bids: levels(99.95, -0.05, 1_500),
  asks: levels(100.05, 0.004, 700),
  timestamp: now,
};

/** Sum of the levels within a share of the mid price; null where they end before it. */
function depth(side: readonly Pair[], mid: number, percent: number) {
  const farthest = (mid * percent) / 100;
  if (Math.abs((side.at(-1)?.[0] ?? mid) - mid) < farthest) return null;
  const near = side.filter(([price]) => Math.abs(price - mid) <= farthest);
  return near.reduce((sum, [price, quantity]) => sum + price * quantity, 0);
}

/** What an order of so many dollars costs beyond the mid price; null where the levels are worth less. */
function slippage(side: readonly Pair[], mid: number, usd: number) {
  let [rest, base] = [usd, 0];
  for (const [price, quantity] of side) {
    const part = Math.min(rest, price * quantity);
    [rest, base] = [rest - part, base + part / price];
  }
  return rest > usd * 1e-9 ? null : Math.abs(usd / base / mid - 1);
}

const isNear = (a: number | null, b: number | null) =>
  a === null || b === null ? a === b : Math.abs(a - b) <= 1e-8 * Math.max(1, Math.abs(b));

t.test('spread, depth and slippage follow from the levels of the answer', async (t) => {
  const clock = new FakeClock(now);
  const asked: unknown[] = [];
  const bus = queryBus(({ name, source, params }) => {
    if (name !== 'fullBook') return failed('timeout', name);
    asked.push({ source, kind: Object(params).kind });
    return fresh({ ...book, market: Object(params).market }, clock);
  });
  const rows = bookRoutes({ ...contextFor(views), clock });
  const server = await startServer(
    t,
    rows.map((row) => ({ ...row, access: 'open' as const })),
    { clock, queries: frontQueries(bus, clock) },
  );
  const get = async (query: string) => {
    const { status, text } = await call(`${server.url}/v1/liquidity?${query}`);
    return { ...JSON.parse(text), status };
  };
  const { data } = await get('symbol=btc&exchange=binance&explain=1');
  t.strictSame(asked, [{ source: 'binance', kind: 'spot' }]);
  t.match(data, { symbol: 'BTC', count: 1, items: [{ exchange: 'binance', kind: 'spot' }] });
  const [item] = data.items;
  const { bids, asks } = item.explanation;
  t.equal(bids.length, 1_000, 'levels are bounded');
  t.equal(asks.length, 700);
  const mid = (bids[0][0] + asks[0][0]) / 2;
  t.ok(isNear(mid, item.mid_price));
  t.ok(isNear(((asks[0][0] - bids[0][0]) / mid) * 100, item.spread_percent));
  for (const [percent, found] of Object.entries<Record<string, number | null>>(item.depth)) {
    t.ok(isNear(depth(bids, mid, Number(percent)), found.bid_usd ?? null), `bids ${percent}`);
    t.ok(isNear(depth(asks, mid, Number(percent)), found.ask_usd ?? null), `asks ${percent}`);
  }
  t.equal(item.depth[5].ask_usd, null, 'the asks end before');
  for (const { usd, buy, sell } of item.slippage) {
    t.ok(isNear(slippage(asks, mid, usd), buy), `buy ${usd}`);
    t.ok(isNear(slippage(bids, mid, usd), sell), `sell ${usd}`);
  }
  t.match(await get('symbol=BTC&explain=1'), { status: 400, message: /give exchange/ });
  const unknown = await get('symbol=NOSUCH&exchange=binance&explain=1');
  t.match(unknown, { status: 404, message: /NOSUCH/ });
  const usual = await get('symbol=BTC&exchange=binance&explain=0');
  t.match(usual, { status: 503, code: 'warming_up' }, 'nothing is sampled');
  t.equal(asked.length, 1);
});
