/** Feed and compute on a real Redis with a simulated Binance behind them, all on one clock that the test moves. */

import type { Test } from 'tap';
import { createBus } from '../../actors/bus/bus.ts';
import { computeAnswers } from '../../actors/compute/answers.ts';
import { CandleStore } from '../../actors/compute/candles.ts';
import { QueryCaches } from '../../actors/queries/query-cache.ts';
import { InstrumentBook } from '../../actors/sources/instruments.ts';
import { venueAnswers } from '../../actors/sources/queries/queries.ts';
import { NewestRows } from '../../actors/state/newest-rows.ts';
import { createHttpClient } from '../../actors/upstream/client.ts';
import { binance } from '../../actors/venues/binance/index.ts';
import { IndicatorPool, type PoolOptions } from '../../indicators/pool.ts';
import { startSimulator } from '../../scripts/simulator/main.ts';
import { FakeClock } from './clock.ts';
import { startRedis } from './redis.ts';

/** When the stage begins. */
export const now = Date.UTC(2026, 7, 14, 13, 37, 21);

/** The spot markets of the simulated Binance, as its file reads them. */
async function instruments(url: string) {
  const answer = await fetch(`${url}/data-api.binance.vision/api/v3/exchangeInfo`);
  const { parse } = binance.feeds.instruments.parts.spot ?? {};
  const list = parse?.([await answer.json()], { received: now, instruments: new Map() });
  return list?.instruments.rows ?? [];
}

/** Ends with the test that started it. */
export async function computeStage(t: Test, pool: Partial<PoolOptions> = {}) {
  const redis = await startRedis();
  const clock = new FakeClock(now);
  const simulator = await startSimulator({ clock, symbols: 30 });
  const gateway = simulator.url;
  const client = createHttpClient({ source: 'binance', apis: binance.apis, clock, gateway });
  const newest = new NewestRows();
  const book = new InstrumentBook(newest);
  const rows = await instruments(gateway);
  for (const part of binance.parts) {
    const own = part === 'spot' ? rows : [];
    newest.accept('instruments', { source: 'binance', part, asked: now, received: now, rows: own });
  }
  const caches = new QueryCaches(clock);
  const queries = { book, clock, caches, onUnknown: () => {} };
  const bus = (process: string) => createBus({ url: redis.url, process, clock });
  const [feed, compute, web] = [bus('feed'), bus('compute'), bus('web')];
  const threads = new IndicatorPool({ threads: 1, clock, ...pool });
  const store = new CandleStore({ bus: compute, clock });
  const answering = [
    feed.serve('binance', venueAnswers(binance, client, queries)),
    compute.serve('compute', computeAnswers({ store, pool: threads })),
  ];
  await Promise.all(answering.map(({ ready }) => ready));
  t.teardown(async () => {
    await Promise.all([feed.close(), compute.close(), web.close()]);
    await Promise.all([threads.stop(), client.close(), simulator.close()]);
    await redis.stop();
  });
  return { clock, simulator, web, compute, feed, pool: threads, rows };
}
