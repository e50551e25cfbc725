/** The views of a web worker. */
import type { BusLog, Handlers } from '../../actors/bus/bus.ts';
import { type Clock, systemClock as clock, late, within } from '../../actors/kernel/clock.ts';
import type { FutureRow } from '../../actors/topics/index.ts';
import type { Config } from '../../config/config.ts';
import { PositionLog } from '../../http/answers/followed-log.ts';
import { BooksView } from '../../http/views/books.ts';
import { OnchainView } from '../../http/views/chains.ts';
import { ComputeView } from '../../http/views/compute-metrics.ts';
import { DefiView } from '../../http/views/defi.ts';
import { StatusView } from '../../http/views/feed-status.ts';
import { InstrumentsView } from '../../http/views/instruments.ts';
import { LiquidationsView } from '../../http/views/liquidations.ts';
import { fundingRows, interestRows, priceRows } from '../../http/views/market-rows.ts';
import { TablesView } from '../../http/views/market-tables.ts';
import { Markets } from '../../http/views/markets.ts';
import { OpenInterestView } from '../../http/views/open-interest.ts';
import { OptionTradesView } from '../../http/views/option-trades.ts';
import { OptionsView } from '../../http/views/options.ts';
import { PerpetualsView } from '../../http/views/perpetuals.ts';
import { PricesView } from '../../http/views/prices.ts';
import { MarketIndicatorsView } from '../../http/views/published-indicators.ts';
import { Received } from '../../http/views/received.ts';
import { RecordedView } from '../../http/views/recorded-values.ts';
import { ReferenceRateView } from '../../http/views/reference-rate.ts';
import { Readings } from '../../http/views/view.ts';
import type { Chosen } from './sources.ts';
import { eventStreamsOf, optionListsOf } from './venues.ts';

/** Interval at which the views drop outdated readings. */
const tick = 1_000;

/** The views of markets that readings fill. */
interface Filled {
  received: Received;
  prices: PricesView;
  openInterest: OpenInterestView;
  perpetuals: PerpetualsView;
  instruments: InstrumentsView;
  options: OptionsView;
  futures: Readings<FutureRow>;
  books: BooksView;
  tables: TablesView;
}

/** The handlers of what exchanges state of their markets. */
const marketHandlers = (views: Filled): Handlers => {
  const { received, prices, instruments, perpetuals, openInterest, options, tables } = views;
  return {
    instruments: received.taking('instruments', (reading) => {
      instruments.accept(reading);
      perpetuals.accept('instruments', reading, clock.now());
      tables.touch();
    }),
    prices: received.taking('prices', (reading) => {
      prices.accept(reading, clock.now());
      perpetuals.accept('prices', reading, clock.now());
      tables.touch(reading.received);
    }),
    priceChanges: received.taking('priceChanges', (changes) => {
      prices.change(changes, clock.now());
    }),
    derivatives: received.taking('derivatives', (reading) => {
      perpetuals.accept('derivatives', reading, clock.now());
      tables.touch(reading.received);
    }),
    derivativeChanges: received.taking('derivativeChanges', (changes) => {
      perpetuals.change('derivatives', changes, clock.now());
    }),
    openInterest: received.taking('openInterest', (reading) => {
      openInterest.accept(reading, clock.now());
      perpetuals.accept('openInterest', reading, clock.now());
      tables.touch(reading.received);
    }),
    openInterestChanges: received.taking('openInterestChanges', (changes) => {
      openInterest.change(changes, clock.now());
      perpetuals.change('openInterest', changes, clock.now());
    }),
    futures: received.taking('futures', (reading) => {
      views.futures.accept(reading);
    }),
    options: received.taking('options', (reading) => {
      options.accept(reading, clock.now());
    }),
    orderBooks: (key, reading) => views.books.acceptSamples(key, reading),
    largeOrders: (key, reading) => views.books.acceptOrders(key, reading),
  };
};

/** The views of what exchanges state of their markets. */
function createMarketViews(venues: Chosen['venues']) {
  const prices = new PricesView();
  const instruments = new InstrumentsView();
  const perpetuals = new PerpetualsView(prices);
  const openInterest = new OpenInterestView(prices);
  const recorded = new RecordedView(() => tables.touch());
  const liquidations = new LiquidationsView(eventStreamsOf(venues, 'liquidations'), clock.now());
  const tables = new TablesView({ prices, perpetuals, instruments, recorded, liquidations });
  const received = new Received();
  const views = {
    received,
    prices,
    instruments,
    markets: new Markets({ instruments, prices }),
    openInterest,
    perpetuals,
    futures: new Readings<FutureRow>(),
    tables,
    recorded,
    options: new OptionsView(optionListsOf(venues)),
    optionTrades: new OptionTradesView(eventStreamsOf(venues, 'optionTrades'), clock.now()),
    liquidations,
    positionLog: new PositionLog(),
    books: new BooksView(),
    fundingRows: fundingRows(perpetuals),
    interestRows: interestRows(openInterest),
    priceRows: priceRows(prices),
  };
  const handlers = marketHandlers(views);
  // Tables after what they are made of.
  const { futures, options, optionTrades, books } = views;
  const aging = [
    prices,
    openInterest,
    perpetuals,
    futures,
    options,
    optionTrades,
    liquidations,
    recorded,
    books,
    tables,
  ];
  return { views, handlers, aging };
}

/** The views, what feeds them, and their ageing. */
export function createViews({
  lendingLeastTvl,
  venues,
}: Pick<Config, 'lendingLeastTvl'> & Pick<Chosen, 'venues'>) {
  const ofMarkets = createMarketViews(venues);
  const { prices } = ofMarkets.views;
  const status = new StatusView();
  const pools = new ComputeView();
  const onchain = new OnchainView();
  const defi = new DefiView({ leastTvl: lendingLeastTvl });
  const marketIndicators = new MarketIndicatorsView();
  const referenceRates = new ReferenceRateView(prices);
  const handlers: Handlers = {
    ...ofMarkets.handlers,
    status: (key, feed) => status.acceptFeed(key, feed),
    processes: (_key, process) => status.acceptProcess(process),
    compute: (process, pool) => pools.accept(process, pool),
    chains: (chain, state) => onchain.accept(chain, state, clock.now()),
    referenceInputs: (_exchange, reading) => referenceRates.accept(reading),
    defi: (_figure, reading) => defi.accept(reading, clock.now()),
    marketIndicators: (key, reading) => marketIndicators.accept(key, reading, clock.now()),
    indicatorHistories: (key, history) => marketIndicators.acceptHistory(key, history),
  };
  const aging = [...ofMarkets.aging, status, onchain, defi, marketIndicators, referenceRates];
  const age = () => {
    const now = clock.now();
    for (const view of aging) view.expire(now);
  };
  const ticking = setInterval(age, tick);
  const stop = () => clearInterval(ticking);
  const others = { status, pools, onchain, defi, marketIndicators, referenceRates };
  return { ...ofMarkets.views, ...others, handlers, age, stop };
}

/** Longest wait for the last values of all topics, ms. */
const fillPatience = 15_000;

/** Resolves when the views have all that Redis has, or when that has taken too long, which is logged. */
export async function filled(
  ready: Promise<void>,
  around: { clock: Clock; log: Pick<BusLog, 'warn'> },
): Promise<void> {
  if ((await within(around.clock, fillPatience, ready)) !== late) return;
  const patience = fillPatience;
  around.log.warn({ patience }, 'Redis has not given the last values: serving without them');
}

export type Views = ReturnType<typeof createViews>;
