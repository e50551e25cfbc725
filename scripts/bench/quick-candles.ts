/** A process that answers candles of Binance's spot markets without a budget, so that a benchmark is not held back. */

import { createBus } from '../../actors/bus/bus.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { QueryCaches } from '../../actors/queries/query-cache.ts';
import { InstrumentBook } from '../../actors/sources/instruments.ts';
import { venueAnswers } from '../../actors/sources/queries/queries.ts';
import { NewestRows } from '../../actors/state/newest-rows.ts';
import { createHttpClient } from '../../actors/upstream/client.ts';
import { binance } from '../../actors/venues/binance/index.ts';
import { loadConfig } from '../../config/config.ts';

const { redisUrl, gateway } = loadConfig();
const budgets = { default: { weight: 1e6, per: 60_000 } };
const apis = { ...binance.apis, spot: { ...binance.apis.spot, budgets } };
const client = createHttpClient({ source: binance.id, apis, clock, gateway });
const newest = new NewestRows();
const book = new InstrumentBook(newest);
const rows = [{ market: 'BTCUSDT', kind: 'spot', symbol: 'BTC', quote: 'USDT' }] as const;
const plain = { scale: 1, contract: 1, inverse: false, funding_hours: null };
const instruments = rows.map((row) => ({ ...row, ...plain }));
newest.accept('instruments', {
  source: binance.id,
  part: 'spot',
  asked: 0,
  received: 0,
  rows: instruments,
});
const bus = createBus({ url: redisUrl ?? '', process: `candles-${process.pid}` });
const answers = venueAnswers(binance, client, {
  book,
  clock,
  caches: new QueryCaches(clock),
  onUnknown: () => {},
});
bus.serve(binance.id, answers);
process.on('SIGTERM', () => process.exit(0)).on('disconnect', () => process.exit(0));
