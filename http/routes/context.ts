import type { Bus } from '../../actors/bus/bus.ts';
import type { Clock } from '../../actors/kernel/clock.ts';
import type { FutureRow, Interval, QueryName } from '../../actors/topics/index.ts';
import type { ReachOptions } from '../../alerts/rules/reach.ts';
import type { RuleStore } from '../../alerts/store/rule-store.ts';
import type { Plans } from '../../config/plans.ts';
import type { AlertLog } from '../answers/alert-log.ts';
import type { PositionLog } from '../answers/followed-log.ts';
import type { ReplaySource } from '../answers/replay.ts';
import type { Keys } from '../auth/keys.ts';
import type { Quota } from '../quota/quota.ts';
import type { BooksView } from '../views/books.ts';
import type { OnchainView } from '../views/chains.ts';
import type { DefiView } from '../views/defi.ts';
import type { StatusView } from '../views/feed-status.ts';
import type { Health } from '../views/health.ts';
import type { InstrumentsView } from '../views/instruments.ts';
import type { LiquidationsView } from '../views/liquidations.ts';
import type { fundingRows, interestRows, priceRows } from '../views/market-rows.ts';
import type { ExchangeDetail } from '../views/market-schemas.ts';
import type { TablesView } from '../views/market-tables.ts';
import type { Markets } from '../views/markets.ts';
import type { OpenInterestView } from '../views/open-interest.ts';
import type { OptionTradesView } from '../views/option-trades.ts';
import type { OptionsView } from '../views/options.ts';
import type { PerpetualsView } from '../views/perpetuals.ts';
import type { PricesView } from '../views/prices.ts';
import type { MarketIndicatorsView } from '../views/published-indicators.ts';
import type { RecordedView } from '../views/recorded-values.ts';
import type { ReferenceRateView } from '../views/reference-rate.ts';
import type { Readings } from '../views/view.ts';

/** The registry, as far as choosing exchanges by their kinds of markets takes it. */
export type Registry = readonly Pick<ExchangeDetail, 'id' | 'kinds'>[];

/** Per exchange that gives candles, the intervals that it gives. */
export type CandleIntervals = ReadonlyMap<string, readonly Interval[]>;

/** The sources of the answers of all rows; a group of rows picks its own. */
export interface RoutesContext {
  prices: PricesView;
  instruments: InstrumentsView;
  fundingRows: ReturnType<typeof fundingRows>;
  interestRows: ReturnType<typeof interestRows>;
  priceRows: ReturnType<typeof priceRows>;
  /** Finds what clients mean by the name of a market. */
  markets: Markets;
  openInterest: OpenInterestView;
  perpetuals: PerpetualsView;
  /** Dated futures. */
  futures: Readings<FutureRow>;
  tables: TablesView;
  recorded: Pick<RecordedView, 'optionsByDay'>;
  options: OptionsView;
  optionTrades: OptionTradesView;
  liquidations: LiquidationsView;
  /** What tracked wallets of Hyperliquid open and close. */
  positionLog: PositionLog;
  books: BooksView;
  onchain: OnchainView;
  defi: DefiView;
  marketIndicators: MarketIndicatorsView;
  referenceRates: Pick<ReferenceRateView, 'source' | 'isEmpty' | 'has' | 'one' | 'explained'>;
  status: StatusView;
  bus: Pick<Bus, 'query'>;
  /** The registry of exchanges as data. */
  registry: readonly ExchangeDetail[];
  /** Ids of the exchanges that answer each query, or have borrowing rates, options, or trades by stream of a kind of market. */
  exchanges: Readonly<Record<'orderBook' | 'candles' | 'loans', readonly string[]>> &
    Readonly<
      Partial<Record<QueryName | 'options' | 'spotTrades' | 'perpetualTrades', readonly string[]>>
    >;
  candleIntervals: CandleIntervals;
  /** Null where access is open: then there are no keys to manage. */
  keys: Keys | null;
  /** Rules that watch values; null where access is open, and in the processes that evaluate them. */
  alerts: AlertsContext | null;
  /** What was recorded on this machine; nothing when absent. */
  recordings?: Pick<ReplaySource, 'days' | 'trades'>;
  /** Null where requests are not counted. */
  quota: Pick<Quota, 'usage'> | null;
  clock: Clock;
  version: string;
  health: Health;
  /** The metrics of all processes that share the port, as exposition text. */
  collect(): Promise<string>;
  /** Where to report a vulnerability, a `mailto:` or `https:` URI; null when the operator has named none. */
  securityContact?: string | null;
}

/** The parts of it that some rows need. */
export type Needs<K extends keyof RoutesContext> = Pick<RoutesContext, K>;

/** What the rows of alerts take. */
export interface AlertsContext {
  store: Pick<
    RuleStore,
    | 'list'
    | 'find'
    | 'put'
    | 'delete'
    | 'receivers'
    | 'test'
    | 'deadLetters'
    | 'resend'
    | 'setSecret'
  >;
  events: AlertLog;
  plans: Plans;
  clock: Clock;
  bus: Pick<Bus, 'query'>;
  /** Why a rule is not evaluated at present, by its id; null where it is, as far as known. */
  faultOf(id: string): string | null;
  /** Where alerts may be sent. */
  reach: ReachOptions;
  log: { warn(fields: object, message: string): void };
}
