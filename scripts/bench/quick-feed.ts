/** A feed process whose only source is Binance's linear tickers, polled every 200 ms, so that freshness has samples. */

import { createBus } from '../../actors/bus/bus.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { InstrumentBook } from '../../actors/sources/instruments.ts';
import { runSource } from '../../actors/sources/runner.ts';
import { NewestRows } from '../../actors/state/newest-rows.ts';
import { createHttpClient } from '../../actors/upstream/client.ts';
import { binance } from '../../actors/venues/binance/index.ts';
import { loadConfig } from '../../config/config.ts';
import { createLogger } from '../../config/log.ts';

const { instruments, prices } = binance.feeds;
const unlimited = { default: { weight: 1e6, per: 60_000 } };
const venue = {
  ...binance,
  apis: { ...binance.apis, linear: { ...binance.apis.linear, budgets: unlimited } },
  feeds: {
    instruments: { ...instruments, parts: { linear: instruments.parts.linear } },
    prices: { every: 200, parts: { linear: prices.parts.linear } },
  },
};

const config = loadConfig();
const { gateway } = config;
const log = createLogger(config, 'bench-feed');
const id = `bench-feed-${process.pid}`;
const bus = createBus({ url: config.redisUrl ?? '', process: id, log });
const client = createHttpClient({
  source: venue.id,
  apis: venue.apis,
  gateway,
  log,
});
const newest = new NewestRows();
const book = new InstrumentBook(newest);
const following = bus.follow({
  instruments: (_key, reading) => newest.accept('instruments', reading),
});
await following.ready;
const places = { book, newest, gateway };
const context = { bus, clock, random: Math.random, log, process: id, client: () => client };
runSource(venue, { ...context, ...places });
process.on('SIGTERM', () => process.exit(0)).on('disconnect', () => process.exit(0));
