/** A feed process whose only source is Binance's linear tickers, polled every 200 ms, so that freshness has samples. */
import { createBus } from '../../actors/bus/bus.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { InstrumentBook } from '../../actors/sources/instruments.ts';
import { Turnovers } from '../../actors/sources/rotation.ts';
import { runSource } from '../../actors/sources/source.ts';
import { createHttpClient } from '../../actors/upstream/client.ts';
import { binance } from '../../actors/venues/binance.ts';
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
const book = new InstrumentBook();
const following = bus.follow({ instruments: (_key, reading) => book.accept(reading) });
await following.ready;
const turnovers = new Turnovers();
const places = { book, turnovers, gateway };
runSource(venue, client, { bus, clock, random: Math.random, log, process: id, ...places });
process.on('SIGTERM', () => process.exit(0)).on('disconnect', () => process.exit(0));
