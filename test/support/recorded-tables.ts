/** What a stage serves of its minutes: the history that it records, and `/v1/rows` of that. */
import { booksSource } from '../../actors/books/books.ts';
import type { Bus } from '../../actors/bus/bus.ts';
import { allSeries } from '../../actors/history/series/index.ts';
import { startHistory } from '../../actors/history/service.ts';
import { SqliteStore } from '../../actors/history/sqlite.ts';
import type { RunnerContext } from '../../actors/sources/context.ts';
import type { RunningSource } from '../../actors/sources/runner.ts';
import type { Venue } from '../../actors/sources/venue.ts';
import { MarketState } from '../../actors/state/market-state.ts';
import { NewestRows } from '../../actors/state/newest-rows.ts';
import type { RecordedParams } from '../../actors/topics/index.ts';
import { catalogueOf, eventStreamsOf } from '../../cmd/process/venues.ts';
import { rowsRoutes } from '../../http/routes/rows/index.ts';
import { BooksView } from '../../http/views/books.ts';
import { InstrumentsView } from '../../http/views/instruments.ts';
import { LiquidationsView } from '../../http/views/liquidations.ts';
import { Markets } from '../../http/views/markets.ts';
import { PerpetualsView } from '../../http/views/perpetuals.ts';
import { PricesView } from '../../http/views/prices.ts';
import type { FakeClock } from './clock.ts';
import { rowReader } from './row-reader.ts';
import { runAlone } from './run-alone.ts';

interface TablesOptions {
  venues: readonly Venue[];
  context: RunnerContext & { bus: Bus; clock: FakeClock };
}

/** The history process: exchanges are not asked about the time before. */
function historyOf({ context }: TablesOptions) {
  const { bus } = context;
  const newest = new NewestRows();
  bus.follow(newest.handlers);
  const store = new SqliteStore(':memory:', allSeries);
  return startHistory({
    ...context,
    series: allSeries,
    market: new MarketState(newest),
    shared: false,
    archive: null,
    open: () => store,
  });
}

/** The web process, as far as `/v1/rows` needs it. */
function rowsOf({ venues, context: { bus, clock } }: TablesOptions) {
  const all = new Map(venues.map((venue) => [venue.id, venue]));
  const prices = new PricesView();
  const instruments = new InstrumentsView();
  const perpetuals = new PerpetualsView(prices);
  bus.follow({
    instruments(_key, reading) {
      instruments.accept(reading);
      perpetuals.accept('instruments', reading, clock.now());
    },
    prices(_key, reading) {
      prices.accept(reading, clock.now());
      perpetuals.accept('prices', reading, clock.now());
    },
    derivatives: (_key, reading) => perpetuals.accept('derivatives', reading, clock.now()),
    openInterest: (_key, reading) => perpetuals.accept('openInterest', reading, clock.now()),
  });
  return rowReader(
    rowsRoutes({
      ...catalogueOf(all),
      clock,
      prices,
      perpetuals,
      books: new BooksView(),
      markets: new Markets({ instruments, prices }),
      liquidations: new LiquidationsView(eventStreamsOf(all, 'liquidations'), clock.now()),
    }),
    { bus, clock },
  );
}

/** Runs what a service has beside the feeds of exchanges. */
export function tablesOf(options: TablesOptions) {
  const { venues, context } = options;
  const { bus, clock, newest } = context;
  const rows = rowsOf(options);
  const history = historyOf(options);
  const market = new MarketState(newest);
  const exchanges = venues.map(({ id }) => id);
  // From when on the books are followed: before, exchanges are asked for them.
  let samples: RunningSource | null = null;
  const source = booksSource({ market, query: bus.query, exchanges, assets: 2 });
  clock.after(10_000, () => {
    samples = runAlone(source, context);
  });
  /** The history waits a moment for exchanges that may know more. */
  async function waited<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const settled = work.finally(() => {
      isDone = true;
    });
    while (!isDone) await clock.advance(100);
    return settled;
  }
  return {
    /** The data of an answer, such as that of `/v1/rows?columns=taker_buy_usd`. */
    read: (path: string) => waited(rows(path)),
    /** The rows of a series. */
    async series(params: RecordedParams) {
      const reply = await waited(bus.query({ source: 'history', name: 'series', params }));
      return reply.ok ? reply.value.value.rows : reply.failure;
    },
    async stop() {
      await Promise.all([samples?.stop(), history.stop()]);
    },
  };
}
