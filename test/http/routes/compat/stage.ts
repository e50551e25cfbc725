/** Binance as it is simulated, on a clock that stands still, and this service in its form: both are asked in one moment. */
import type { Test } from 'tap';
import type { Result } from '../../../../actors/failure.ts';
import { QueryCaches } from '../../../../actors/queries/query-cache.ts';
import type { InstrumentMap } from '../../../../actors/sources/define.ts';
import { InstrumentBook } from '../../../../actors/sources/instruments.ts';
import { venueAnswers } from '../../../../actors/sources/queries/queries.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import type { MarketTopic, RecordedParams, ReplyOf } from '../../../../actors/topics/index.ts';
import { createHttpClient } from '../../../../actors/upstream/client.ts';
import { binance } from '../../../../actors/venues/binance/index.ts';
import { catalogueOf } from '../../../../cmd/process/venues.ts';
import { createViews } from '../../../../cmd/process/views.ts';
import { allRoutes, otherwise } from '../../../../http/routes/index.ts';
import type { ServerOptions } from '../../../../http/server/server.ts';
import { binance as exchange } from '../../../../scripts/simulator/venues/binance.ts';
import { pollOf } from '../../../actors/venues/fixtures.ts';
import { FakeClock } from '../../../support/clock.ts';
import { startServer } from '../../../support/http.ts';
import { frontQueries, served } from '../../../support/queries.ts';
import { contextFor } from '../../../support/route-stage.ts';
import { simulated } from '../../../support/simulated.ts';

/** Noon, so that nothing is charged and no day begins in that moment. */
const noon = Date.UTC(2026, 0, 15, 12);

/** What the exchange was asked, by path, since the last look. */
class Asked {
  readonly #lines: string[] = [];

  note(line: string): void {
    this.#lines.push(line);
  }

  /** How often a path was asked; forgets all. */
  take(path: string): number {
    return this.#lines.splice(0).filter((line) => line.includes(path)).length;
  }
}

const all: ReadonlyMap<string, Venue> = new Map([['binance', binance]]);

interface Options extends Pick<ServerOptions, 'gate' | 'quota'> {
  /** The store of recorded series; without it there is none. */
  series?: (params: RecordedParams) => Promise<Result<ReplyOf<'series'>>>;
  /** Assets with a reference rate. */
  referenceRateOf?: readonly string[];
}

/** Starts both; `more` are options of the server. */
export async function binanceStage(
  t: Test,
  { series, referenceRateOf = [], ...more }: Options = {},
) {
  const clock = new FakeClock(noon);
  const asked = new Asked();
  const log = (line: string) => asked.note(line);
  const simulator = await simulated(t, [exchange], { clock, seed: 7, symbols: 16, log });
  const gateway = simulator.url;
  const client = createHttpClient({ source: 'binance', apis: binance.apis, gateway, clock });
  t.teardown(() => client.close());
  const newest = new NewestRows();
  const views = createViews({ lendingLeastTvl: 0, venues: all });
  views.stop();
  let instruments: InstrumentMap = new Map();

  /** One poll, as the source makes it. */
  const poll = async <T extends MarketTopic>(topic: T, part: string) => {
    const feed = pollOf(binance, topic, part);
    if (!feed) throw new Error(`${part} has no ${topic}`);
    const now = clock.now();
    const perpetuals = [...instruments.values()].filter(({ kind }) => kind === 'perpetual');
    const markets = perpetuals.map(({ market }) => market);
    const bodies = [];
    for (const request of feed.requests({ markets, now })) {
      const result = await client.send(request, { deadline: 10_000 });
      if (!result.ok) throw new Error(`${topic} of ${part}: ${result.failure.message}`);
      bodies.push(result.value.body);
    }
    const { rows } = feed.parse(bodies, { received: now, instruments });
    return { source: 'binance', part, asked: now, received: now, rows };
  };
  for (const part of ['spot', 'linear', 'inverse']) {
    const listed = await poll('instruments', part);
    instruments = new Map(listed.rows.map((row) => [row.market, row]));
    newest.accept('instruments', listed);
    views.instruments.accept(listed);
    const prices = await poll('prices', part);
    views.prices.accept(prices, noon);
    if (part === 'spot') continue;
    views.perpetuals.accept('derivatives', await poll('derivatives', part), noon);
    views.openInterest.accept(await poll('openInterest', part), noon);
  }
  const answers = venueAnswers(binance, client, {
    book: new InstrumentBook(newest),
    clock,
    caches: new QueryCaches(clock),
    onUnknown: () => {},
  });
  const bus = served({ ...answers, ...(series && { series }) }, clock);
  views.referenceRates.has = (symbol) => referenceRateOf.includes(symbol);
  const context = { ...contextFor(views), ...catalogueOf(all), bus, clock };
  const queries = frontQueries(bus, clock);
  const server = await startServer(t, allRoutes(context), { clock, queries, otherwise, ...more });
  asked.take('');
  return { clock, asked, views, url: server.url, exchange: simulator.url };
}
