/** The tables of the markets of all exchanges: whole, filtered and sorted. */
import { type Bus, createBus } from '../../actors/bus/bus.ts';
import type { DerivativeRow, OpenInterestRow, PriceRow } from '../../actors/topics/index.ts';
import { assetOf, exchanges } from './history-file.ts';
import { benchBesideBare, startOurs } from './servers.ts';
import { Stage } from './stage.ts';

/** Rows of each table. */
const markets = 2_000;
const paths = [
  '/v1/spot/pairs-markets?limit=500',
  '/v1/spot/pairs-markets?symbol=BTC',
  '/v1/spot/coins-markets?limit=50',
  '/v1/spot/volume?limit=500',
  '/v1/spot/volume?limit=20',
  '/v1/spot/gainers?limit=200',
  '/v1/futures/coins-markets?limit=500',
  '/v1/futures/coins-markets?limit=50',
  '/v1/futures/coins-markets?symbol=A20',
  '/v1/futures/pairs-markets?limit=500',
  '/v1/futures/pairs-markets?limit=50',
  '/v1/futures/pairs-markets?symbol=A20',
];

/** Perpetuals of one exchange: price, mark and funding, and open interest. */
function perpetualsOf(at: number) {
  const now = Date.now();
  const each = <Row>(
    rowOf: (names: { market: string; symbol: string; quote: string }, i: number) => Row,
  ) => {
    const rows = Array.from({ length: Math.round(markets / exchanges.length) }, (_, i) => {
      const symbol = assetOf(at, i);
      return rowOf({ market: `${symbol}USDT`, symbol, quote: 'USDT' }, i);
    });
    return { source: exchanges[at] ?? '', part: 'linear', asked: now, received: now, rows };
  };
  return {
    prices: each(
      (names, i): PriceRow => ({
        ...{ ...names, kind: 'perpetual', price: 100 + i, volume: 1e6 * i, change: i / 10 },
        ...{ bid: 99 + i, ask: 101 + i, high: 110 + i, low: 90 + i, base: 1e5, stated: now },
      }),
    ),
    derivatives: each(
      (names, i): DerivativeRow => ({
        ...{ ...names, mark: 100 + i, index: 100 + i, funding_rate: 1e-4, funding_hours: 8 },
        ...{ funding_rate_8h: 1e-4, next_funding: now + 3_600_000, stated: now },
      }),
    ),
    openInterest: each(
      (names, i): OpenInterestRow => ({
        ...{ ...names, units: 1_000 * i, value: 1e5 * (100 + i), mark: 100 + i, stated: now },
      }),
    ),
  };
}

async function publishPerpetuals(bus: Bus): Promise<void> {
  for (const [at, exchange] of exchanges.entries()) {
    const key = `${exchange}/linear`;
    const { prices, derivatives, openInterest } = perpetualsOf(at);
    while ((await bus.publish('prices', key, prices)) !== 'published') {
      await new Promise((wait) => setTimeout(wait, 100));
    }
    await bus.publish('derivatives', key, derivatives);
    await bus.publish('openInterest', key, openInterest);
  }
}

/** Prints what the answers cost. */
export async function benchTables(): Promise<void> {
  const stage = new Stage();
  const bus = createBus({ url: stage.redisUrl, process: 'perpetuals' });
  try {
    await publishPerpetuals(bus);
    const ours = await startOurs(stage, markets);
    const title = `Tables of ${markets} spot markets and ${markets} perpetuals`;
    await benchBesideBare(stage, ours, { title, goal: 0.7, paths });
  } finally {
    await bus.close();
    await stage.end();
  }
}
