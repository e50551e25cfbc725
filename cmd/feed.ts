/** The process that talks to upstreams: polls the sources whose leases it holds and answers questions. */
import { setTimeout } from 'node:timers/promises';
import { createBus } from '../actors/bus/bus.ts';
import { systemClock } from '../actors/kernel/clock.ts';
import { Tickers } from '../actors/market/tickers.ts';
import { createAnswers } from '../actors/sources/answers.ts';
import { InstrumentBook } from '../actors/sources/instruments.ts';
import { Turnovers } from '../actors/sources/rotation.ts';
import { runSource } from '../actors/sources/source.ts';
import { createHttpClient } from '../actors/upstream/client.ts';
import type { DesksOptions } from './desks.ts';
import { startHeartbeat } from './heartbeat.ts';
import { needRedis, type ProcessContext, processId, runProcess } from './process.ts';
import { chosenSources } from './sources.ts';

/** The libraries of the desks take a while to load: the first prices of the venues go before, for so long, ms. */
const headStart = 2_000;

/** Starts the desks, unless there are none or the process ends before. */
async function startLater(options: DesksOptions, signal: AbortSignal) {
  if (options.chosen.size === 0) return null;
  if (options.clients.size > 0) await setTimeout(headStart, null, { signal }).catch(() => {});
  if (signal.aborted) return null;
  const { startDesks } = await import('./desks.ts');
  return startDesks(options);
}

async function feed({ config, log }: ProcessContext): Promise<() => Promise<void>> {
  const { venues, others } = chosenSources(config.sources);
  const id = processId('feed');
  const clock = systemClock;
  const bus = createBus({ url: needRedis(config), process: id, clock, log });
  const { gateway } = config;
  const clients = new Map(
    [...venues.values()].map((venue) => [
      venue.id,
      createHttpClient({ source: venue.id, apis: venue.apis, clock, gateway, log }),
    ]),
  );
  const book = new InstrumentBook();
  const turnovers = new Turnovers();
  const tickers = new Tickers();
  const following = bus.follow({
    instruments: (_key, reading) => book.accept(reading),
    prices(_key, reading) {
      turnovers.accept(reading);
      tickers.acceptPrices(reading);
    },
    ...(others.has('market-wide') && {
      openInterest: (_key, reading) => tickers.acceptOpenInterest(reading),
    }),
  });
  await following.ready;
  const answering = bus.answer(createAnswers({ venues, clients, book, clock }));
  const context = { bus, book, turnovers, clock, random: Math.random, log, process: id, gateway };
  const sources = [...venues.values()].flatMap((venue) => {
    const client = clients.get(venue.id);
    return client ? [runSource(venue, client, context)] : [];
  });
  const ending = new AbortController();
  const desks = startLater({ config, chosen: others, context, clients, tickers }, ending.signal);
  const heartbeat = startHeartbeat(bus, { id, role: 'feed' });
  return async () => {
    heartbeat.stop();
    ending.abort();
    await Promise.all([
      ...sources.map((source) => source.stop()),
      desks.then((running) => running?.stop()),
      answering.stop(),
    ]);
    await following.stop();
    await Promise.all([...clients.values()].map((client) => client.close()));
    await bus.close();
  };
}

await runProcess('feed', feed);
